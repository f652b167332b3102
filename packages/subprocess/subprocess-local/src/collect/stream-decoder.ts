import { isUtf8 } from 'node:buffer'
import { decodeBytes } from './decode.ts'
import { incompleteUtf8Length } from './utf8.ts'

/** A line longer than this is decoded in pieces. */
const MAX_HELD_BYTES = 65_536
const NEWLINE = 0x0a

/**
 * Decodes a stream piece by piece without ever cutting a character: UTF-8 at once, up to a character that is not
 * finished; anything else by whole lines.
 */
export class StreamDecoder {
  private held: Buffer = Buffer.alloc(0)
  private readonly platformEncoding: string

  constructor(platformEncoding: string) {
    this.platformEncoding = platformEncoding
  }

  write(chunk: Uint8Array): string {
    const bytes = this.held.length > 0 ? Buffer.concat([this.held, chunk]) : Buffer.from(chunk)
    const cut = bytes.length - incompleteUtf8Length(bytes)
    if (isUtf8(bytes.subarray(0, cut))) return this.take(bytes, cut)
    const lineEnd = bytes.lastIndexOf(NEWLINE) + 1
    return this.take(bytes, lineEnd === 0 && bytes.length > MAX_HELD_BYTES ? bytes.length : lineEnd)
  }

  /** What was held back; an unfinished character becomes U+FFFD. */
  end(): string {
    return this.take(this.held, this.held.length)
  }

  private take(bytes: Buffer, end: number): string {
    this.held = Buffer.from(bytes.subarray(end))
    return decodeBytes(bytes.subarray(0, end), this.platformEncoding).text
  }
}
