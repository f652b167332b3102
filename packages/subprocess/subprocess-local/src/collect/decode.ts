import { isUtf8 } from 'node:buffer'
import iconv from 'iconv-lite'
import { incompleteUtf8Length } from './utf8.ts'
import { looksLikeUtf16le } from './utf16.ts'

export interface Decoded {
  readonly text: string
  readonly encoding: string
}

const NEWLINE = 0x0a

/**
 * Bytes as text. Valid UTF-8 always wins; then UTF-16LE by its mark or its looks; then, line by line, what is not UTF-8
 * is read in the platform's own encoding. What no encoding explains becomes U+FFFD. Never throws.
 */
export function decodeBytes(bytes: Buffer, platformEncoding: string): Decoded {
  if (looksLikeUtf16le(bytes)) return { text: iconv.decode(bytes, 'utf-16le'), encoding: 'utf-16le' }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encoding: 'utf-8' }
  const platform = iconv.encodingExists(platformEncoding) ? platformEncoding : 'utf-8'
  if (platform === 'utf-8' || onlyEndIsIncomplete(bytes)) {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), encoding: 'utf-8' }
  }
  const text = [...lines(bytes)]
    .map((line) => (isUtf8(line) ? line.toString('utf8') : iconv.decode(line, platform)))
    .join('')
  return { text, encoding: platform }
}

/** Valid UTF-8 but for a last character that was never finished. */
function onlyEndIsIncomplete(bytes: Buffer): boolean {
  const cut = incompleteUtf8Length(bytes)
  return cut > 0 && cut < bytes.length && isUtf8(bytes.subarray(0, bytes.length - cut)) && hasMultibyte(bytes, cut)
}

/** Plain ASCII before the cut proves nothing about the encoding. */
function hasMultibyte(bytes: Buffer, cut: number): boolean {
  return bytes.subarray(0, bytes.length - cut).some((byte) => byte >= 0x80)
}

/** Lines with their ends. No supported encoding uses a newline byte inside a character. */
function* lines(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(NEWLINE, start)
    const end = at < 0 ? bytes.length : at + 1
    yield bytes.subarray(start, end)
    start = end
  }
}
