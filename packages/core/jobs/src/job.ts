import type { JobInfo, JobOutcome, JobProcess } from './types.ts'

/** One background command. */
export class Job {
  readonly settled: Promise<void>
  private outcome: JobOutcome | undefined
  private failure: string | undefined
  private endedAt: number | undefined
  private readonly startedAt = Date.now()
  readonly id: string
  readonly owner: string
  readonly command: string
  private readonly process: JobProcess

  constructor(id: string, owner: string, command: string, process: JobProcess) {
    this.id = id
    this.owner = owner
    this.command = command
    this.process = process
    this.settled = process.done
      .then(
        (outcome) => {
          this.outcome = outcome
        },
        (error: unknown) => {
          this.failure = error instanceof Error ? error.message : String(error)
        },
      )
      .then(() => {
        this.endedAt = Date.now()
      })
  }

  get running(): boolean {
    return this.endedAt === undefined
  }

  info(): JobInfo {
    return {
      id: this.id,
      owner: this.owner,
      command: this.command,
      status: this.running ? 'running' : this.failure === undefined ? 'exited' : 'failed',
      startedAt: new Date(this.startedAt).toISOString(),
      durationMs: (this.endedAt ?? Date.now()) - this.startedAt,
      ...(this.outcome && { outcome: this.outcome }),
      ...(this.failure !== undefined && { error: this.failure }),
    }
  }

  readOutput(): { stdout: string; stderr: string } {
    return this.process.readOutput()
  }

  kill(): Promise<void> {
    return this.process.kill()
  }
}
