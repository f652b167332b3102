import { constants } from 'node:os'
import { main } from './cli.ts'

/** A second request to leave does not wait any longer. */
const leave = new AbortController()
let leaving: NodeJS.Signals | undefined
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (leaving) process.exit(128 + constants.signals[signal])
    leaving = signal
    leave.abort()
  })
}
// A reader that has gone away ends the command, as it would without this program between them.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => {
    leaving ??= 'SIGPIPE'
    leave.abort()
  })
}

const exitCode = await main({
  argv: process.argv.slice(2),
  terminal: {
    stdout: (data) => void process.stdout.write(copy(data)),
    stderr: (data) => void process.stderr.write(copy(data)),
  },
  leave: leave.signal,
})
process.exitCode = leaving ? 128 + constants.signals[leaving] : exitCode
if (leaving) process.exit()

/** A piece of output is valid only while it is handed over; a stream may write it later. */
function copy(data: string | Uint8Array): string | Uint8Array {
  return typeof data === 'string' ? data : Buffer.from(data)
}
