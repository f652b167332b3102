import { stripVTControlCharacters } from 'node:util'

/**
 * An operating system command or its like up to its terminator. A terminal would wait for one that never comes; a reader
 * loses at most the rest of this line.
 */
const CONTROL_STRING = /\x1b[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\|(?=[\n\x1b])|$)/g
/** What is left of sequences that were cut off. */
const UNFINISHED_SEQUENCE = /\x1b(\[[0-9;:?<=>]*)?/g
/** No letter, and nothing that a reader sees. */
const INVISIBLE = /[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]/g

/**
 * Output as a person would read it off a terminal: without colours and control characters, and with what a carriage
 * return or backspace wrote over gone. The raw stream is in the result and in the spill file.
 */
export function terminalText(raw: string): string {
  if (!/[\x00-\x08\x0b-\x1f\x7f\x9b]/.test(raw)) return raw
  return stripVTControlCharacters(raw.replace(CONTROL_STRING, ''))
    .replace(UNFINISHED_SEQUENCE, '')
    .replace(INVISIBLE, '')
    .split('\n')
    .map((line) => overwrite(line.replace(/\r+$/, '')))
    .join('\n')
}

/** One line after its carriage returns and backspaces. */
function overwrite(line: string): string {
  if (!/[\r\b]/.test(line)) return line
  const cells: string[] = []
  let column = 0
  for (const character of line) {
    if (character === '\r') column = 0
    else if (character === '\b') column = Math.max(0, column - 1)
    else cells[column++] = character
  }
  return cells.join('')
}
