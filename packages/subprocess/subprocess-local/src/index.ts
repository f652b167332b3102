import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import {
  type SubprocessHandle,
  SubprocessRuntime,
  type SubprocessSpawnSpec,
  type SubprocessTerminalHandle,
  type SubprocessTerminalSpawnSpec,
} from 'dsh-subprocess'
import { SpillFolder, sweepSpillFolders } from './collect/spill.ts'
import { defaultSpillDir, SubprocessLocalConfig } from './config.ts'
import { childEnv } from './env.ts'
import type { LocalSubprocessHandle } from './handle.ts'
import { hostId, isHostAlive } from './host-id.ts'
import { chooseLauncher } from './launch/choose.ts'
import { RecentNumbers } from './recent-numbers.ts'
import { ExecutableCache, resolveExecutable } from './resolve.ts'
import { type SpawnInternals, spawnSubprocess } from './spawn.ts'
import { createTree } from './tree/create.ts'

export { SubprocessLocalConfig } from './config.ts'

/** Provider of `ctx.subprocess` on this machine. */
export class LocalSubprocessRuntime extends SubprocessRuntime {
  static Config = SubprocessLocalConfig
  private readonly live = new Set<LocalSubprocessHandle>()
  /** A service sees `this` through a proxy, at some microseconds for each access; a spawn goes round it. */
  private readonly plain = { runtime: this }
  private disposed = false
  private readonly leaders = new RecentNumbers()
  private readonly config: SubprocessLocalConfig
  private readonly internals: SpawnInternals

  constructor(ctx: Context, config: SubprocessLocalConfig) {
    super(ctx)
    this.config = config
    const chosen = chooseLauncher(config.launcher)
    if (chosen.limitation !== undefined) {
      ctx.logger.warn('commands are started by execa, which is slower in a large host: %s', chosen.limitation)
    }
    const neighbours = {
      isLeader: (pid: number) => this.leaders.has(pid),
      adopted: (pid: number) => chosen.launcher.adopt(pid),
    }
    const host = hostId()
    const spillDir = config.spillDir ?? defaultSpillDir()
    let spawned = 0
    this.internals = {
      launcher: chosen.launcher,
      spills: new SpillFolder(spillDir, host),
      scrub: config.env,
      executables: new ExecutableCache(),
      nextSpawnId: () => `${host}.${++spawned}`,
      treeOf: (pid, spawnId) => {
        this.leaders.add(pid)
        return createTree(process.platform, pid, spawnId, neighbours)
      },
    }
    sweepSpillFolders(spillDir, isHostAlive)
    const onHostExit = (): void => this.killNow()
    ctx.effect(() => {
      process.prependListener('exit', onHostExit)
      return async () => {
        await this.terminateAll()
        process.removeListener('exit', onHostExit)
        await chosen.dispose()
      }
    }, 'process trees')
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
    return this.plain.runtime.start(spec)
  }

  private start(spec: SubprocessSpawnSpec): SubprocessHandle {
    if (this.disposed) throw new ShellError('SPAWN_FAILED', 'The runtime has ended; it starts nothing any more.')
    const handle = spawnSubprocess(spec, this.internals)
    this.live.add(handle)
    void handle.gone.catch(() => {}).finally(() => this.live.delete(handle))
    return handle
  }

  async spawnTerminal(_spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle> {
    throw new ShellError('NOT_SUPPORTED', 'This provider opens no terminals yet.')
  }

  private async terminateAll(): Promise<void> {
    this.disposed = true
    await Promise.all([...this.live].map((handle) => handle.terminate()))
    this.internals.spills.dispose(this.config.keepSpillMs)
  }

  private killNow(): void {
    for (const handle of this.live) handle.killNow()
    this.internals.spills.dispose(this.config.keepSpillMs)
  }
}

export default LocalSubprocessRuntime
