import { checkEntries } from '../check.ts'
import { configInvalid, readConfig } from '../config/read.ts'
import { importModule } from '../modules.ts'
import type { Terminal } from './exec.ts'

/** Validates a cordis.yml without running it. @throws ShellError CONFIG_INVALID. */
export async function check(file: string, terminal: Terminal): Promise<number> {
  const entries = readConfig(file)
  const { problems } = await checkEntries(entries, file, importModule)
  if (problems.length > 0) throw configInvalid(problems)
  terminal.stdout(`${file}: ${entries.length} entries, all valid\n`)
  return 0
}
