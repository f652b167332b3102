import type { CollectedOutput } from 'dsh-subprocess'
import { endOfWholeCharacters, startOfWholeCharacters } from './cut.ts'
import { decodeBytes } from './decode.ts'
import type { SpillFile, SpillFolder } from './spill.ts'
import { StreamDecoder } from './stream-decoder.ts'
import { TailBuffer } from './tail-buffer.ts'
import { continuationLength, incompleteUtf8Length } from './utf8.ts'

export interface CollectorOptions {
  readonly maxBytes: number
  readonly maxSpillBytes: number
  readonly platformEncoding: string
  readonly spills: SpillFolder
  readonly onOutput?: ((text: string, bytes: Uint8Array) => void) | undefined
}

/** Counts a stream, keeps its head and its tail within `maxBytes`, and spills the whole of it once they do not suffice. */
export class OutputCollector {
  totalBytes = 0
  private readonly options: CollectorOptions
  private readonly head: TailBuffer
  private readonly headLimit: number
  private readonly tail: TailBuffer
  private readonly decoder: StreamDecoder | undefined
  private spill: SpillFile | undefined
  private ended = false
  private final: CollectedOutput | undefined

  constructor(options: CollectorOptions) {
    this.options = options
    this.headLimit = Math.floor(options.maxBytes / 4)
    this.head = new TailBuffer(this.headLimit)
    this.tail = new TailBuffer(options.maxBytes - this.headLimit)
    if (options.onOutput) this.decoder = new StreamDecoder(options.platformEncoding)
  }

  /** Takes a piece, whose memory the caller may use again afterwards. Ignored after {@link end}. */
  push(chunk: Uint8Array): void {
    if (this.ended || chunk.length === 0) return
    this.spillIfNeeded(chunk)
    this.totalBytes += chunk.length
    const room = this.headLimit - this.head.size
    if (room > 0) this.head.push(chunk.subarray(0, room))
    if (chunk.length > room) this.tail.push(room > 0 ? chunk.subarray(room) : chunk)
    if (this.decoder) this.options.onOutput?.(this.decoder.write(chunk), chunk)
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    this.spill?.close()
    const rest = this.decoder?.end()
    if (rest) this.options.onOutput?.(rest, new Uint8Array(0))
  }

  get truncated(): boolean {
    return this.totalBytes > this.options.maxBytes
  }

  /** The bytes of the stream from `offset` on that memory still holds, and where they begin. */
  bytesFrom(offset: number): { bytes: Buffer; offset: number } {
    const tailStart = this.totalBytes - this.tail.size
    if (offset < this.head.size && !this.truncated) {
      return { bytes: Buffer.concat([this.head.toBuffer(), this.tail.toBuffer()]).subarray(offset), offset }
    }
    const from = Math.max(offset, tailStart)
    return { bytes: this.tail.toBuffer().subarray(from - tailStart), offset: from }
  }

  /** Text from `offset` on without its last, unfinished character; `nextOffset` is where the next call goes on. */
  readFrom(offset: number): { text: string; nextOffset: number; omittedBytes: number } {
    const found = this.bytesFrom(offset)
    const skipped = found.offset > offset ? continuationLength(found.bytes) : 0
    const held = this.ended ? 0 : incompleteUtf8Length(found.bytes)
    const bytes = found.bytes.subarray(skipped, found.bytes.length - held)
    return {
      text: decodeBytes(bytes, this.options.platformEncoding).text,
      nextOffset: this.totalBytes - held,
      omittedBytes: found.offset - offset + skipped,
    }
  }

  snapshot(): CollectedOutput {
    if (this.final) return this.final
    const snapshot = this.truncated ? this.cutSnapshot() : this.wholeSnapshot()
    if (this.ended) this.final = snapshot
    return snapshot
  }

  private wholeSnapshot(): CollectedOutput {
    const { text, encoding } = decodeBytes(this.bytesFrom(0).bytes, this.options.platformEncoding)
    return { text, truncated: false, totalBytes: this.totalBytes, omittedBytes: 0, encoding }
  }

  private cutSnapshot(): CollectedOutput {
    const { platformEncoding } = this.options
    const headBytes = this.head.toBuffer()
    const tailBytes = this.tail.toBuffer()
    const headEnd = endOfWholeCharacters(headBytes)
    const tailStart = startOfWholeCharacters(tailBytes)
    const tail = decodeBytes(tailBytes.subarray(tailStart), platformEncoding)
    return {
      text: tail.text,
      truncated: true,
      head: decodeBytes(headBytes.subarray(0, headEnd), platformEncoding).text,
      totalBytes: this.totalBytes,
      omittedBytes: this.totalBytes - headEnd - (tailBytes.length - tailStart),
      encoding: tail.encoding,
      ...this.spill?.facts(),
    }
  }

  private spillIfNeeded(chunk: Uint8Array): void {
    if (this.options.maxSpillBytes <= 0) return
    if (!this.spill) {
      if (this.totalBytes + chunk.length <= this.options.maxBytes) return
      this.spill = this.options.spills.create(this.options.maxSpillBytes)
      this.spill.write(this.bytesFrom(0).bytes)
    }
    this.spill.write(chunk)
  }
}
