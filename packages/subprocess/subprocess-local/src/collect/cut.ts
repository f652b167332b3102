import { isUtf8 } from 'node:buffer'
import { continuationLength, incompleteUtf8Length } from './utf8.ts'

/** How far a cut in another encoding than UTF-8 looks for a line's end, beside which no character is cut. */
const LINE_SEARCH_BYTES = 4096
const NEWLINE = 0x0a

/** Where the last whole character of a beginning ends. */
export function endOfWholeCharacters(bytes: Buffer): number {
  const end = bytes.length - incompleteUtf8Length(bytes)
  if (isUtf8(bytes.subarray(0, end))) return end
  const line = bytes.lastIndexOf(NEWLINE) + 1
  return bytes.length - line <= LINE_SEARCH_BYTES && line > 0 ? line : bytes.length
}

/** Where the first whole character of an end begins. */
export function startOfWholeCharacters(bytes: Buffer): number {
  const start = continuationLength(bytes)
  if (isUtf8(bytes.subarray(start, bytes.length - incompleteUtf8Length(bytes)))) return start
  return bytes.subarray(0, LINE_SEARCH_BYTES).indexOf(NEWLINE) + 1
}
