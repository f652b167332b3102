import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** One thing that a host may use, and whether this machine has it. */
export interface Finding {
  readonly name: string
  /** `missing`: what needs it will not work. `limited`: something else takes its place. */
  readonly status: 'ok' | 'limited' | 'missing'
  readonly detail: string
  /** How to get it. */
  readonly remedy?: string
}

export type Probe = () => Promise<Finding> | Finding

const PROBE_TIMEOUT_MS = 10_000

const run = promisify(execFile)

/** The first line that a program prints; undefined when it cannot be run. */
export async function firstLine(program: string, ...args: string[]): Promise<string | undefined> {
  try {
    const { stdout, stderr } = await run(program, args, {
      timeout: PROBE_TIMEOUT_MS,
      env: { ...process.env, LC_ALL: 'C' },
    })
    return (stdout || stderr).split('\n')[0]?.trim()
  } catch {
    return undefined
  }
}
