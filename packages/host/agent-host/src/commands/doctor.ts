import { PROBES } from '../doctor/probes.ts'
import type { Terminal } from './exec.ts'

/** Shows what this machine offers. @returns 0, also when something is missing: whether that matters depends on the use. */
export async function doctor(options: { json: boolean }, terminal: Terminal): Promise<number> {
  const findings = await Promise.all(PROBES.map(async (probe) => await probe()))
  if (options.json) {
    terminal.stdout(`${JSON.stringify({ ok: true, findings })}\n`)
    return 0
  }
  const width = Math.max(...findings.map(({ name }) => name.length))
  for (const { name, status, detail, remedy } of findings) {
    terminal.stdout(`${name.padEnd(width)}  ${status.padEnd(7)}  ${detail}\n`)
    if (remedy !== undefined) terminal.stdout(`${' '.repeat(width + 11)}${remedy}\n`)
  }
  return 0
}
