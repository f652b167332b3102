import type { Readable, Writable } from 'node:stream'
import type { SubprocessOutcome } from 'dsh-subprocess'

/** What a launcher starts: everything is looked up and opened already. Descriptors stay the caller's to close. */
export interface LaunchRequest {
  /** Absolute path of the program. */
  readonly file: string
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly stdin: 'ignore' | 'pipe' | number
  readonly stdout: 'ignore' | 'pipe'
  readonly stderr: 'ignore' | 'pipe'
  /** What the child finds on descriptor 3. */
  readonly fd3?: number | undefined
}

/** The reading end of a child's output. */
export interface OutputSource {
  /** Hands on each piece, valid only during the call, and then the end once. */
  read(onChunk: (chunk: Uint8Array) => void, onEnd: () => void): void
  /**
   * To be called when the process has exited: hands on what waits in the pipe, and its end when nobody else holds it. A
   * source that was told of it all by the event loop has nothing to do.
   */
  drain(): void
  /** The same as a stream with back-pressure, instead of {@link read}. */
  stream(): Readable
  /** From now on the source does not keep the host's event loop alive. */
  unref(): void
  destroy(): void
  /** How /proc names the pipe, while it is open; undefined where it is none. */
  pipe(): string | undefined
}

export interface Launched {
  /** 0 when nothing was started; then `exited` rejects. */
  readonly pid: number
  readonly stdin: Writable | null
  readonly stdout: OutputSource | null
  readonly stderr: OutputSource | null
  /** Rejects with an error that has a `code` (an errno) only when nothing was started. */
  readonly exited: Promise<SubprocessOutcome>
  /** From now on the process does not keep the host's event loop alive. */
  unref(): void
}

/** Starts one process as leader of a session of its own, with no descriptor but those asked for. */
export interface Launcher {
  readonly name: 'execa' | 'posix-spawn'
  /** A file without a name that holds `data`, open at its start. The descriptor is the caller's to close. */
  openInput(data: string | Uint8Array): number
  closeInput(fd: number): void
  /** Told of a member of a tree whose parents have died, and which has become a child of this process. */
  adopt(pid: number): void
  /** Throws an error with a `code` (an errno) when the system refuses at once. */
  launch(request: LaunchRequest): Launched
}
