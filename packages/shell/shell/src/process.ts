import type { BackgroundProcess, SubprocessHandle } from 'dsh-subprocess'
import { Deadline } from './deadline.ts'
import type { ShellExecSpec, ShellProcess, ShellRunResult } from './types.ts'

/** One started command: its deadline, and what comes of it. */
export class SubprocessShellProcess implements ShellProcess {
  readonly done: Promise<ShellRunResult>
  private readonly handle: SubprocessHandle
  private readonly deadline: Deadline
  private readonly startedAt: number
  private readonly carrier: string | undefined
  private result: ShellRunResult | undefined
  private offsets = { stdout: 0, stderr: 0 }

  constructor(handle: SubprocessHandle, spec: ShellExecSpec, startedAt: number, carrier: string | undefined) {
    this.handle = handle
    this.carrier = carrier
    this.startedAt = startedAt
    this.deadline = new Deadline(spec.timeoutMs, spec.signal, () => void handle.terminate())
    this.done = this.finish(spec.timeoutMs)
    this.done.catch(() => {})
  }

  get status(): 'running' | 'exited' {
    return this.result ? 'exited' : 'running'
  }

  get exitCode(): number | undefined {
    return this.result?.exitCode
  }

  get signal(): string | undefined {
    return this.result?.signal
  }

  readOutput(): { stdout: string; stderr: string } {
    return { stdout: this.readStream('stdout'), stderr: this.readStream('stderr') }
  }

  async kill(): Promise<void> {
    this.deadline.abort()
    await this.handle.terminate()
  }

  private readStream(stream: 'stdout' | 'stderr'): string {
    const { text, nextOffset, omittedBytes } = this.handle.readFrom(stream, this.offsets[stream])
    this.offsets[stream] = nextOffset
    return omittedBytes > 0 ? `[${omittedBytes} bytes left out]\n${text}` : text
  }

  private async finish(timeoutMs: number): Promise<ShellRunResult> {
    const outcome = await this.handle.done.finally(() => this.deadline.settle())
    // What was ended is told as ended only when nothing of it is left.
    if (this.deadline.cause) await this.handle.terminate()
    this.result = this.assemble(outcome, timeoutMs)
    return this.result
  }

  /** A subshell's arguments are those of the shell, which say nothing about the command. */
  private nameSubshell({ pid, command }: BackgroundProcess): BackgroundProcess {
    const isSubshell = this.carrier !== undefined && command.includes(this.carrier)
    return { pid, command: isSubshell ? '(a subshell of the command)' : command }
  }

  private assemble(outcome: { exitCode: number; signal?: string }, timeoutMs: number): ShellRunResult {
    const { stdout, stderr, combined } = this.handle.collected
    if (!stdout || !stderr) throw new TypeError('a shell command collects both streams')
    const background = this.handle.background().map((process) => this.nameSubshell(process))
    return {
      ...outcome,
      timedOut: this.deadline.cause === 'timeout',
      aborted: this.deadline.cause === 'abort',
      timeoutMs,
      stdout,
      stderr,
      ...(combined !== null && { combined }),
      durationMs: Math.round((performance.now() - this.startedAt) * 1000) / 1000,
      ...(background.length > 0 && { background }),
    }
  }
}
