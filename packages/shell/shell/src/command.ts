import { ShellError } from 'dsh-errors'

/** Longest command in bytes of UTF-8. */
export const MAX_COMMAND_BYTES = 10 * 1024 * 1024

/**
 * The text that the shell is given: as it is, but for one whose every line ends in CRLF (written on Windows, or sent by a
 * program that does so), which is run as if they were LF. Mixed line ends are left alone: there a carriage return may be
 * meant.
 * @throws ShellError INVALID_REQUEST for a blank, too long or NUL-holding command.
 */
export function checkCommand(command: unknown): string {
  if (typeof command !== 'string' || command.trim() === '') {
    throw new ShellError('INVALID_REQUEST', 'command: must be a text that is not blank.', { field: 'command' })
  }
  const nul = command.indexOf('\0')
  if (nul >= 0) {
    const rule = `must not hold a NUL character (one stands at position ${nul}); no shell can run one`
    throw new ShellError('INVALID_REQUEST', `command: ${rule}.`, { field: 'command' })
  }
  const bytes = Buffer.byteLength(command)
  if (bytes > MAX_COMMAND_BYTES) {
    const rule = `must be at most ${MAX_COMMAND_BYTES} bytes, got ${bytes}; write the data to a file first`
    throw new ShellError('INVALID_REQUEST', `command: ${rule}.`, { field: 'command' })
  }
  return hasOnlyCrlf(command) ? command.replaceAll('\r\n', '\n') : command
}

function hasOnlyCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(^|[^\r])\n/.test(text)
}

/** Whether some lines end in CRLF and others in LF: the shell then sees carriage returns, which is seldom meant. */
export function hasMixedLineEnds(command: string): boolean {
  return command.includes('\r\n') && !hasOnlyCrlf(command)
}
