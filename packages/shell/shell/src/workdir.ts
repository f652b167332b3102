import fs from 'node:fs'
import path from 'node:path'
import { ShellError } from 'dsh-errors'

/**
 * Asserts that a command can be started in this folder.
 * @throws ShellError WORKDIR_UNUSABLE that says why not.
 */
export function assertWorkdir(workdir: string): void {
  const why = unusable(workdir)
  if (why === undefined) return
  throw new ShellError('WORKDIR_UNUSABLE', `Cannot run in "${workdir}": ${why}.`, { path: workdir })
}

function unusable(workdir: string): string | undefined {
  if (!path.isAbsolute(workdir)) return 'the path must be absolute'
  try {
    // The dot makes a file an error, too.
    fs.accessSync(`${workdir}/.`, fs.constants.X_OK)
    return undefined
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') return 'it must be a directory'
    if (code === 'ENOENT') return 'it does not exist'
    if (code === 'EACCES' || code === 'EPERM') return 'this user may not enter it'
    return `the system says ${code ?? String(error)}`
  }
}
