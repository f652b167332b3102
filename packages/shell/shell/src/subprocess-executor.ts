import path from 'node:path'
import { type Context, symbols } from 'cordis'
import { ShellError } from 'dsh-errors'
import { type LiveConfig, liveConfig } from 'dsh-live-config'
import type { SubprocessHandle, SubprocessRuntime, SubprocessSpawnSpec } from 'dsh-subprocess'
import { checkCommand } from './command.ts'
import type { ShellConfig } from './config.ts'
import { ShellExecutor } from './index.ts'
import { SubprocessShellProcess } from './process.ts'
import { resolveRequest } from './resolve.ts'
import { retryWhileBusy } from './retry.ts'
import type { ShellExecRequest, ShellExecSpec, ShellProcess, ShellRunResult } from './types.ts'
import { assertWorkdir } from './workdir.ts'

/**
 * A shell over `ctx.subprocess`: resolution, deadline, classification and assembly are here; a dialect adds the program,
 * its environment and, where its language allows, a way to take the command from a descriptor.
 */
export abstract class SubprocessShellExecutor<Config extends ShellConfig = ShellConfig> extends ShellExecutor {
  static inject = ['subprocess']
  /** Set for every command, under what the caller asks for. */
  protected readonly env: Readonly<Record<string, string>> = {}
  /**
   * A command that reads the real one from descriptor 3 and runs it as if it stood in its place. With it no text of a
   * command is seen in a process list, and no limit on arguments applies. Without it the text stands in the arguments.
   */
  protected readonly carrier: string | undefined = undefined

  /**
   * A service sees `this` through a proxy that knows the caller, at some microseconds for each access. What runs for every
   * command goes round it.
   */
  private readonly plain = { executor: this }
  private readonly live: LiveConfig<Config>
  private subprocess: SubprocessRuntime | undefined

  constructor(ctx: Context, config: Config) {
    super(ctx)
    this.live = liveConfig(ctx, config)
  }

  /** What is in force now. */
  protected get config(): Config {
    return this.live.current
  }

  /** The program and its arguments for a text of the shell's language. */
  protected abstract argv(command: string): readonly string[]

  resolve(request: ShellExecRequest): ShellExecSpec {
    return resolveRequest(request, this.plain.executor.config)
  }

  async run(spec: ShellExecSpec): Promise<ShellRunResult> {
    return await retryWhileBusy(() => this.plain.executor.launch(spec).done, spec.signal)
  }

  start(spec: ShellExecSpec): ShellProcess {
    return this.plain.executor.launch(spec)
  }

  private launch(spec: ShellExecSpec): ShellProcess {
    if (spec.signal?.aborted) throw new ShellError('ABORTED', 'The caller gave up before the command was started.')
    const command = checkCommand(spec.command)
    assertWorkdir(spec.workdir)
    const startedAt = performance.now()
    try {
      return new SubprocessShellProcess(this.spawn(command, spec), spec, startedAt, this.carrier)
    } catch (error) {
      throw this.explain(error, spec)
    }
  }

  private spawn(command: string, spec: ShellExecSpec): SubprocessHandle {
    const subprocess = this.runtime()
    if (this.carrier === undefined || process.platform === 'win32') return subprocess.spawn(this.spec(command, spec))
    return subprocess.spawn({ ...this.spec(this.carrier, spec), input3: command })
  }

  /** The provider itself, without the proxy; it is another one only after this plugin was started anew. */
  private runtime(): SubprocessRuntime {
    this.subprocess ??= withoutProxy(this.ctx.subprocess)
    return this.subprocess
  }

  private spec(text: string, spec: ShellExecSpec): SubprocessSpawnSpec {
    const { maxSpillBytes, graceMs } = this.config
    const { onOutput } = spec
    const output = (stream: 'stdout' | 'stderr') => ({
      collect: {
        maxBytes: spec.stdoutMaxBytes,
        maxSpillBytes,
        ...(onOutput && { onOutput: (text: string, bytes: Uint8Array) => onOutput(stream, text, bytes) }),
      },
    })
    return {
      argv: this.argv(text),
      cwd: spec.workdir,
      stdio: {
        stdin: spec.stdin === undefined ? 'ignore' : { data: spec.stdin },
        stdout: output('stdout'),
        stderr: output('stderr'),
      },
      graceMs,
      env: { ...this.env, PWD: spec.workdir, ...spec.env, ...spec.dshEnv },
    }
  }

  /** What the spawn's failure means for a shell. */
  private explain(error: unknown, spec: ShellExecSpec): unknown {
    if (!ShellError.is(error, 'SPAWN_FAILED') || error.details['errno'] !== 'ENOENT') return error
    // The folder may have gone in the meantime; the system reports both with the same errno.
    assertWorkdir(spec.workdir)
    const [program = ''] = this.argv('')
    return new ShellError(
      'SHELL_NOT_FOUND',
      `Cannot find the shell "${path.basename(program)}": ${error.message} Install it or set its path in cordis.yml.`,
      { path: program },
      { cause: error },
    )
  }
}

function withoutProxy<Service extends object>(service: Service): Service {
  return (Reflect.get(service, symbols.original) as Service | undefined) ?? service
}
