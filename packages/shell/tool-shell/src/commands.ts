import type { Context } from 'cordis'
import type { LiveConfig } from 'dsh-live-config'
import type {} from 'dsh-permission'
import type { ShellExecRequest, ShellProcess, ShellRunResult } from 'dsh-shell'
import type {} from 'dsh-shell-env'
import { assertRole, type ToolExecution, type ToolFacts } from 'dsh-tools'
import type { ShellToolConfig } from './config.ts'
import { Slots } from './slots.ts'

/** Starts the commands of one tool: the third gate, the bound on how many run at once, and what the trail is told. */
export class ToolCommands {
  private readonly ctx: Context
  private readonly tool: string
  private readonly config: LiveConfig<Pick<ShellToolConfig, 'minRole' | 'maxConcurrent'>>
  private readonly slots = new Slots(() => this.config.current.maxConcurrent)

  constructor(ctx: Context, tool: string, config: LiveConfig<Pick<ShellToolConfig, 'minRole' | 'maxConcurrent'>>) {
    this.ctx = ctx
    this.tool = tool
    this.config = config
  }

  /**
   * Runs a command to its end, when it is its turn.
   * @throws ShellError PERMISSION_DENIED when whoever acts has not the role at that moment; and what `ctx.shell.run` throws.
   */
  async run(request: ShellExecRequest, execution: ToolExecution): Promise<ShellRunResult> {
    const { signal, output } = execution
    return await this.slots.run(async () => {
      const spec = this.admit(
        {
          ...request,
          ...(signal && { signal }),
          ...(output && { onOutput: (stream, text, bytes) => output.write(stream, text, bytes) }),
        },
        execution,
      )
      const result = await this.ctx.shell.run(spec)
      execution.record?.(factsOf(result))
      return result
    }, signal)
  }

  /** Starts a command that outlives its call. @throws as {@link run}, at once. */
  start(request: ShellExecRequest, execution: ToolExecution): ShellProcess {
    const process = this.ctx.shell.start(this.admit(request, execution))
    void process.done.then((result) => execution.record?.(factsOf(result))).catch(() => {})
    return process
  }

  /** More may run at once than before. */
  configChanged(): void {
    this.slots.fill()
  }

  /** Whoever gets here by whatever way, and after whatever wait, needs the role as it is at this moment. */
  private admit(request: ShellExecRequest, execution: ToolExecution): ReturnType<Context['shell']['resolve']> {
    assertRole(this.tool, this.ctx.permission.role(), this.config.current.minRole, 'handler')
    const { callId, session } = execution
    const call = { callId, tool: this.tool, ...(session !== undefined && { session }) }
    const spec = this.ctx.shell.resolve({ ...request, dshEnv: this.ctx.shellEnv.variables(call) })
    execution.record?.({ cwd: spec.workdir })
    return spec
  }
}

function factsOf(result: ShellRunResult): ToolFacts {
  const { exitCode, signal, timedOut, aborted, stdout, stderr, background } = result
  return {
    exitCode,
    ...(signal !== undefined && { signal }),
    ...(timedOut && { timedOut }),
    ...(aborted && { aborted }),
    stdoutBytes: stdout.totalBytes,
    stderrBytes: stderr.totalBytes,
    ...(background && { background: background.length }),
  }
}
