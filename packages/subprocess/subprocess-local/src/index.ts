import { type Context, Service } from 'cordis'
import { ShellError } from 'dsh-errors'
import {
  type SubprocessHandle,
  SubprocessRuntime,
  type SubprocessSpawnSpec,
  type SubprocessTerminalHandle,
  type SubprocessTerminalSpawnSpec,
} from 'dsh-subprocess'
import { SubprocessLocalConfig } from './config.ts'
import { ProcessEngine } from './engine.ts'
import { childEnv } from './env.ts'
import { resolveExecutable } from './resolve.ts'

export { SubprocessLocalConfig } from './config.ts'
export { type LauncherReport, probeLauncher } from './launch/choose.ts'
export { probeCgroup } from './tree/cgroup.ts'

/** Provider of `ctx.subprocess` on this machine. */
export class LocalSubprocessRuntime extends SubprocessRuntime {
  static Config = SubprocessLocalConfig
  /** A service sees `this` through a proxy, at some microseconds for each access; the engine does not. */
  private engine: ProcessEngine | undefined
  private readonly config: SubprocessLocalConfig

  constructor(ctx: Context, config: SubprocessLocalConfig) {
    super(ctx)
    this.config = config
  }

  /** Called by Cordis before anybody is given this service; the returned function when it ends. */
  async [Service.init](): Promise<() => Promise<void>> {
    const engine = await ProcessEngine.open(this.config, (message) => this.ctx.logger.warn(message))
    this.engine = engine
    const onHostExit = (): void => engine.killNow()
    process.prependListener('exit', onHostExit)
    return async () => {
      await engine.dispose()
      process.removeListener('exit', onHostExit)
    }
  }

  async resolveExecutable(
    command: string,
    env?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<string> {
    signal?.throwIfAborted()
    return resolveExecutable(command, childEnv(env, this.config.env))
  }

  spawn(spec: SubprocessSpawnSpec): SubprocessHandle {
    if (!this.engine) throw new ShellError('SPAWN_FAILED', 'The runtime has not begun yet.')
    return this.engine.spawn(spec)
  }

  async spawnTerminal(_spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle> {
    throw new ShellError('NOT_SUPPORTED', 'This provider opens no terminals yet.')
  }
}

export default LocalSubprocessRuntime
