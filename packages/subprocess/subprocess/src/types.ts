import type { Readable, Writable } from 'node:stream'

/**
 * - `ignore`: the null device, so a program that reads finds the end at once.
 * - `pipe`: `handle.stdin` is a stream.
 * - `{ data }`: exactly these bytes and then the end; whether the program reads them or not concerns nobody.
 */
export type SubprocessStdinMode = 'ignore' | 'pipe' | { readonly data: string | Uint8Array }

/** What to keep of a stream. All sizes are bytes. */
export interface SubprocessCollect {
  /** Upper bound of what is kept in memory, head and tail together. */
  readonly maxBytes: number
  /** Upper bound of the file that holds the whole stream once memory does not; 0 for no file. */
  readonly maxSpillBytes: number
  /** Called with each piece as it comes; `text` never holds half a character, `bytes` is valid only during the call. */
  readonly onOutput?: (text: string, bytes: Uint8Array) => void
}

/** `pipe`: the handle has a stream, with back-pressure. `{ collect }`: the handle keeps a bounded part. */
export type SubprocessOutputMode = 'ignore' | 'pipe' | { readonly collect: SubprocessCollect }

export interface SubprocessStdio {
  readonly stdin: SubprocessStdinMode
  readonly stdout: SubprocessOutputMode
  readonly stderr: SubprocessOutputMode
}

/** A spawn request without gaps: this seam applies no defaults. */
export interface SubprocessSpawnSpec {
  /** `argv[0]` is looked up on the PATH of `env` when it is a bare name. */
  readonly argv: readonly string[]
  /** An existing directory, absolute. */
  readonly cwd: string
  readonly stdio: SubprocessStdio
  /** Time between SIGTERM and SIGKILL, in milliseconds. */
  readonly graceMs: number
  /** When it aborts, the tree is terminated. The outcome does not say so: who aborts knows. */
  readonly signal?: AbortSignal
  /** Merged over {@link scrubbedParentEnv}. */
  readonly env?: Readonly<Record<string, string>>
  /** Data that the process finds on descriptor 3 as a seekable file without a name. */
  readonly input3?: string | Uint8Array
}

/** What was kept of one stream, and what was not. */
export interface CollectedOutput {
  /** The end of the stream; all of it unless `truncated`. */
  readonly text: string
  /** True when memory does not hold the whole stream: then `head`, gap and `text` make it up. */
  readonly truncated: boolean
  /** The beginning of a truncated stream. */
  readonly head?: string
  readonly totalBytes: number
  /** Bytes between `head` and `text`. */
  readonly omittedBytes: number
  /** What `text` was decoded from: `utf-8`, or the platform's own encoding where bytes were not UTF-8. */
  readonly encoding: string
  /** The file with the stream from its first byte, mode 0600. Its owner is the runtime, which removes it. */
  readonly spillPath?: string
  /** Bytes in that file; fewer than `totalBytes` when its limit was reached. */
  readonly spilledBytes?: number
  /** Why there is no file, or a shorter one, for a reason other than the limit. */
  readonly spillError?: string
}

/** What the operating system says. Who set a deadline or aborted knows that; it is not repeated here. */
export interface SubprocessOutcome {
  /** 128 + n when a signal ended the process. */
  readonly exitCode: number
  /** Such as `SIGKILL`. */
  readonly signal?: string
}

/** A process that a command left running. */
export interface BackgroundProcess {
  readonly pid: number
  readonly command: string
}

export interface SubprocessHandle {
  readonly pid: number
  /** Null unless the mode is `pipe`; likewise below. */
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  /**
   * What is collected so far; null for a stream that is not collected. `combined` has both streams in the order of
   * their arrival, while nothing of either is cut.
   */
  readonly collected: {
    readonly stdout: CollectedOutput | null
    readonly stderr: CollectedOutput | null
    readonly combined: string | null
  }
  /** Bytes of a collected stream from `offset` on, as far as memory holds them; does not consume. */
  readFrom(stream: 'stdout' | 'stderr', offset: number): { text: string; nextOffset: number; omittedBytes: number }
  /**
   * Resolves when the process itself has exited and its output is read: to the end, or, when a process that it left
   * behind holds a pipe open, to a short silence. Never rejects.
   */
  readonly done: Promise<SubprocessOutcome>
  /** What still runs of the tree although the process itself has exited. */
  background(): readonly BackgroundProcess[]
  /** SIGTERM, `graceMs`, SIGKILL to the whole tree. Resolves when nothing of it is left. */
  terminate(): Promise<void>
  /** Resolves when the whole tree is gone, by itself. Rejects with the signal's reason. */
  waitForExit(signal?: AbortSignal): Promise<SubprocessOutcome>
}

export interface SubprocessTerminalSpawnSpec {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly graceMs: number
  readonly columns: number
  readonly rows: number
  readonly env?: Readonly<Record<string, string>>
}

/** A process on a terminal of its own. */
export interface SubprocessTerminalHandle {
  readonly pid: number
  readonly done: Promise<SubprocessOutcome>
  write(text: string): void
  resize(columns: number, rows: number): void
  terminate(): Promise<void>
}
