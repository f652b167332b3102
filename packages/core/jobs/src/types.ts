/** What a job needs of the process behind it; a `ShellProcess` of `dsh-shell` is one. */
export interface JobProcess {
  readonly done: Promise<JobOutcome>
  /** What was printed since the previous call. */
  readOutput(): { stdout: string; stderr: string }
  /** Ends the whole tree; resolves when it is gone. */
  kill(): Promise<void>
}

export interface JobOutcome {
  readonly exitCode: number
  readonly signal?: string
  readonly timedOut: boolean
  readonly aborted: boolean
}

export type JobStatus = 'running' | 'exited' | 'failed'

/** A job as others see it; plain data. */
export interface JobInfo {
  readonly id: string
  readonly owner: string
  readonly command: string
  readonly status: JobStatus
  readonly startedAt: string
  readonly durationMs: number
  readonly outcome?: JobOutcome
  /** Why there is no outcome, when the status is `failed`. */
  readonly error?: string
}
