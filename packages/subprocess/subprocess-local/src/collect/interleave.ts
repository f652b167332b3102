import { decodeBytes } from './decode.ts'

type Stream = 'stdout' | 'stderr'

/** A stream that is cut into more pieces than this is not worth an order. */
const MAX_SEGMENTS = 20_000
const NEWLINE = 0x0a

/** Remembers which stream spoke when, so that an error can stand beside its step. */
export class Interleaving {
  private readonly segments: { stream: Stream; bytes: number }[] = []
  private overflowed = false

  note(stream: Stream, bytes: number): void {
    const last = this.segments.at(-1)
    if (last?.stream === stream) last.bytes += bytes
    else if (this.segments.length < MAX_SEGMENTS) this.segments.push({ stream, bytes })
    else this.overflowed = true
  }

  /** Both streams in order of arrival, whole lines at a time; null when the order was too fine to keep. */
  combine(streams: Readonly<Record<Stream, Buffer>>, platformEncoding: string): string | null {
    if (this.overflowed) return null
    const position = { stdout: 0, stderr: 0 }
    const written = { stdout: 0, stderr: 0 }
    const parts: string[] = []
    const write = (stream: Stream, end: number): void => {
      if (end <= written[stream]) return
      parts.push(decodeBytes(streams[stream].subarray(written[stream], end), platformEncoding).text)
      written[stream] = end
    }
    for (const { stream, bytes } of this.segments) {
      position[stream] += bytes
      const upTo = position[stream]
      write(stream, upTo === 0 ? 0 : streams[stream].lastIndexOf(NEWLINE, upTo - 1) + 1)
    }
    const last = this.segments.at(-1)?.stream
    const rest: Stream[] = last === 'stderr' ? ['stdout', 'stderr'] : ['stderr', 'stdout']
    for (const stream of rest) write(stream, streams[stream].length)
    return parts.join('')
  }
}
