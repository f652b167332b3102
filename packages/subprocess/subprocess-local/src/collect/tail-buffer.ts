/** First size of the ring; it doubles up to its bound. */
const FIRST_CAPACITY = 4096

/** The last `limit` bytes of what was pushed, in a ring that never holds more. */
export class TailBuffer {
  private ring = Buffer.alloc(0)
  private start = 0
  private length = 0
  private readonly limit: number

  constructor(limit: number) {
    this.limit = limit
  }

  get size(): number {
    return this.length
  }

  push(chunk: Uint8Array): void {
    const kept = chunk.length > this.limit ? chunk.subarray(chunk.length - this.limit) : chunk
    if (kept.length === 0) return
    this.reserve(Math.min(this.limit, this.length + kept.length))
    const capacity = this.ring.length
    const overflow = Math.max(0, this.length + kept.length - capacity)
    this.start = (this.start + overflow) % capacity
    this.length -= overflow
    const at = (this.start + this.length) % capacity
    const first = Math.min(kept.length, capacity - at)
    this.ring.set(kept.subarray(0, first), at)
    this.ring.set(kept.subarray(first), 0)
    this.length += kept.length
  }

  /** A copy, oldest byte first. */
  toBuffer(): Buffer {
    const end = this.start + this.length
    const capacity = this.ring.length
    if (end <= capacity) return Buffer.from(this.ring.subarray(this.start, end))
    return Buffer.concat([this.ring.subarray(this.start), this.ring.subarray(0, end - capacity)])
  }

  private reserve(needed: number): void {
    if (needed <= this.ring.length) return
    const capacity = Math.min(this.limit, Math.max(needed, this.ring.length * 2, FIRST_CAPACITY))
    const grown = Buffer.allocUnsafe(capacity)
    const content = this.toBuffer()
    content.copy(grown)
    this.ring = grown
    this.start = 0
  }
}
