import type { BackgroundProcess, CollectedOutput } from 'dsh-subprocess'

/** What a confined command may do; see the sandbox seam. */
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access'

/** The bounds of one confined command. A provider that does not confine passes it on unread. */
export interface SandboxExecutionPolicy {
  readonly mode: SandboxMode
  readonly writableRoots?: readonly string[]
  readonly denyWrite?: readonly string[]
  readonly denyRead?: readonly string[]
  readonly network?: 'none' | 'full'
}

/** What the sandbox did for one command. */
export interface ShellSandboxInfo {
  readonly mode: SandboxMode
  readonly denied: boolean
  readonly runnerFailed?: boolean
}

/** Managed `DSH_*` variables, as `ctx.shellEnv` gives them. They are merged last. */
export type DshEnvironment = Readonly<Record<`DSH_${string}`, string>>

/** Takes output while the command runs: whole characters as `text`, and the same as `bytes`, valid only during the call. */
export type ShellOutputListener = (stream: 'stdout' | 'stderr', text: string, bytes: Uint8Array) => void

/** What a caller asks for; `resolve` fills what it leaves out. */
export interface ShellExecRequest {
  /** Text of the shell's language, up to 10 MiB, not blank, without NUL. */
  readonly command: string
  /** Absolute path of an existing directory. */
  readonly workdir?: string
  /** Milliseconds, positive and finite; capped by the provider's maximum. */
  readonly timeoutMs?: number
  /** How much of stdout is kept in memory, in bytes; stderr is kept alike. */
  readonly stdoutMaxBytes?: number
  readonly signal?: AbortSignal
  /** Without it the command reads the null device. */
  readonly stdin?: string
  /** Merged over the scrubbed environment of the host. */
  readonly env?: Readonly<Record<string, string>>
  readonly dshEnv?: DshEnvironment
  readonly sandboxPolicy?: SandboxExecutionPolicy
  readonly onOutput?: ShellOutputListener
}

/** A request whose every bound is explicit. */
export interface ShellExecSpec extends ShellExecRequest {
  readonly workdir: string
  readonly timeoutMs: number
  readonly stdoutMaxBytes: number
}

/** What came of a command: independent facts, each of which may be true beside the others unless noted. */
export interface ShellRunResult {
  /** As the command gave it; 128 + n when a signal ended it. */
  readonly exitCode: number
  /** Such as `SIGKILL`. */
  readonly signal?: string
  /** The deadline passed first. A command may still have ended with 0 on the SIGTERM that this sent. */
  readonly timedOut: boolean
  /** The caller gave up first. Never together with `timedOut`. */
  readonly aborted: boolean
  /** The deadline that was in force. */
  readonly timeoutMs: number
  readonly stdout: CollectedOutput
  readonly stderr: CollectedOutput
  /** Both streams, line by line in order of arrival; absent when something was cut out of one. */
  readonly combined?: string
  readonly durationMs: number
  /** What the command left running; absent when nothing. It ends with the host, or earlier by itself. */
  readonly background?: readonly BackgroundProcess[]
  readonly sandbox?: ShellSandboxInfo
}

/** A command that runs beside its caller. */
export interface ShellProcess {
  readonly status: 'running' | 'exited'
  readonly exitCode?: number | undefined
  readonly signal?: string | undefined
  /** Rejects only when nothing ran. */
  readonly done: Promise<ShellRunResult>
  /** What was printed since the previous call; a note stands where memory did not hold all of it. */
  readOutput(): { stdout: string; stderr: string }
  /** Ends the whole tree; resolves when it is gone. */
  kill(): Promise<void>
}
