import type { Readable } from 'node:stream'
import type { CollectedOutput, SubprocessOutputMode } from 'dsh-subprocess'
import { OutputCollector } from './collect/collector.ts'
import { Interleaving } from './collect/interleave.ts'
import type { SpillFolder } from './collect/spill.ts'
import type { OutputSource } from './launch/launcher.ts'

type Stream = 'stdout' | 'stderr'

/** A silence of this length after the exit means that whoever holds the pipe has nothing to say for now. */
const QUIET_MS = 40
/** Whoever goes on talking is not waited for longer than this. By then all that came before the exit is read. */
const DRAIN_LIMIT_MS = 250

export interface OutputOptions {
  readonly spills: SpillFolder
  readonly platformEncoding: string
}

/** Both output streams of one process: collected, piped or ignored. */
export class ProcessOutput {
  readonly streams: Record<Stream, Readable | null> = { stdout: null, stderr: null }
  private readonly collectors: Record<Stream, OutputCollector | null> = { stdout: null, stderr: null }
  private readonly order = new Interleaving()
  private readonly sources: OutputSource[] = []
  private readonly platformEncoding: string
  private open = 0
  private activity = 0
  private settled = false
  private onAllEnded: (() => void) | undefined

  constructor(
    modes: Readonly<Record<Stream, SubprocessOutputMode>>,
    sources: Readonly<Record<Stream, OutputSource | null>>,
    options: OutputOptions,
  ) {
    this.platformEncoding = options.platformEncoding
    for (const stream of ['stdout', 'stderr'] as const) {
      const mode = modes[stream]
      const source = sources[stream]
      if (!source) continue
      if (mode === 'pipe') this.streams[stream] = source.stream()
      else if (mode !== 'ignore') this.collect(stream, source, new OutputCollector({ ...options, ...mode.collect }))
    }
  }

  get collected(): Record<Stream, CollectedOutput | null> & { combined: string | null } {
    const { stdout, stderr } = this.collectors
    return {
      stdout: stdout?.snapshot() ?? null,
      stderr: stderr?.snapshot() ?? null,
      combined: this.combined(),
    }
  }

  readFrom(stream: Stream, offset: number): { text: string; nextOffset: number; omittedBytes: number } {
    return this.collectors[stream]?.readFrom(offset) ?? { text: '', nextOffset: offset, omittedBytes: 0 }
  }

  /**
   * To be called when the process has exited: resolves when the collected streams have ended, or when whoever still
   * holds them open has been silent for a moment. What comes later is read and thrown away, so that it fills no pipe.
   */
  async settle(): Promise<void> {
    for (const source of this.sources) source.drain()
    const start = performance.now()
    while (this.open > 0) {
      const seen = this.activity
      await this.endOrTimeout(QUIET_MS)
      // The timer may be late because the loop was: let it read what waits in the pipes before judging the silence.
      await new Promise(setImmediate)
      if (this.activity === seen || performance.now() - start > DRAIN_LIMIT_MS) break
    }
    this.settled = true
    for (const collector of Object.values(this.collectors)) collector?.end()
    if (this.open > 0) for (const source of this.sources) source.unref()
  }

  destroy(): void {
    for (const source of this.sources) source.destroy()
  }

  private collect(stream: Stream, source: OutputSource, collector: OutputCollector): void {
    this.collectors[stream] = collector
    this.sources.push(source)
    this.open++
    source.read(
      (chunk) => {
        this.activity++
        if (this.settled) return
        this.order.note(stream, chunk.length)
        collector.push(chunk)
      },
      () => {
        this.open--
        if (this.open === 0) this.onAllEnded?.()
      },
    )
  }

  private endOrTimeout(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.onAllEnded = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private combined(): string | null {
    const { stdout, stderr } = this.collectors
    if (!stdout || !stderr || stdout.truncated || stderr.truncated) return null
    const streams = { stdout: stdout.bytesFrom(0).bytes, stderr: stderr.bytesFrom(0).bytes }
    return this.order.combine(streams, this.platformEncoding)
  }
}
