import { ShellError } from 'dsh-errors'

/** What the system said when it did not start a process, as the error of this seam. */
export function explainSpawnFailure(error: unknown, env: Readonly<Record<string, string>> = {}): ShellError {
  if (ShellError.is(error)) return error
  const { code, message } = error as NodeJS.ErrnoException
  const why = code === 'E2BIG' ? tooBig(env) : `${message}${HINTS[code ?? ''] ?? ''}`
  return new ShellError(
    'SPAWN_FAILED',
    `The system did not start the process: ${why}.`,
    { errno: code },
    { cause: error },
  )
}

const HINTS: Readonly<Record<string, string>> = {
  EMFILE: ' (this host has too many files open: end other commands, or raise `ulimit -n`)',
  ENFILE: ' (the machine has too many files open)',
  EAGAIN: ' (too many processes: end other commands, or raise `ulimit -u` or the pids limit)',
  ENOMEM: ' (out of memory)',
}

function tooBig(env: Readonly<Record<string, string>>): string {
  const sizes = Object.entries(env).map(([name, value]) => ({
    name,
    bytes: name.length + Buffer.byteLength(value) + 2,
  }))
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes)[0]
  const variable = largest ? `, of which ${largest.name} has ${largest.bytes}` : ''
  return `E2BIG: arguments and environment are too long together; the environment has ${total} bytes${variable}. Leave variables out with env.drop of dsh-subprocess-local`
}
