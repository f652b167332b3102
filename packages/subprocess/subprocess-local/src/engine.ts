import { ShellError } from 'dsh-errors'
import type { SubprocessHandle, SubprocessSpawnSpec } from 'dsh-subprocess'
import { SpillFolder, sweepSpillFolders } from './collect/spill.ts'
import { windowsCodePage } from './collect/windows-code-page.ts'
import { defaultSpillDir, type SubprocessLocalConfig } from './config.ts'
import { Guardian } from './guardian/guardian.ts'
import type { LocalSubprocessHandle } from './handle.ts'
import { hostId, isHostAlive } from './host-id.ts'
import { type ChosenLauncher, chooseLauncher } from './launch/choose.ts'
import { RecentNumbers } from './recent-numbers.ts'
import { ExecutableCache } from './resolve.ts'
import { type SpawnInternals, spawnSubprocess } from './spawn.ts'
import { CgroupFolder } from './tree/cgroup.ts'
import { createTree } from './tree/create.ts'
import { SPAWN_ID } from './tree/linux.ts'
import { TreeSampler } from './tree/sampler.ts'
import { killStrays } from './tree/strays.ts'
import type { TreeServices } from './tree/tree.ts'

/** Whoever does not end on SIGTERM keeps a host that wants to leave waiting no longer than this. */
const FAREWELL_GRACE_MS = 300

/** Those of this process: a command of one is no stranger to the others. */
const engines = new Set<ProcessEngine>()
let opened = 0

/** Wires launcher, trees, guardian and spill files together, and owns what is alive. */
export class ProcessEngine {
  private readonly live = new Set<LocalSubprocessHandle>()
  private readonly leaders = new RecentNumbers()
  private readonly sampler = new TreeSampler()
  private readonly config: SubprocessLocalConfig
  private readonly chosen: ChosenLauncher
  private readonly guardian: Guardian
  private readonly internals: SpawnInternals
  private readonly cgroups: CgroupFolder | undefined
  private spawned = 0
  private disposed = false

  static async open(config: SubprocessLocalConfig, warn: (message: string) => void): Promise<ProcessEngine> {
    const [launcher, codePage] = await Promise.all([chooseLauncher(config.launcher), windowsCodePage()])
    return new ProcessEngine(config, launcher, codePage, warn)
  }

  private constructor(
    config: SubprocessLocalConfig,
    chosen: ChosenLauncher,
    codePage: number | undefined,
    warn: (message: string) => void,
  ) {
    this.config = config
    this.chosen = chosen
    if (this.chosen.limitation !== undefined) {
      warn(`commands are started by execa, which is slower in a large host: ${this.chosen.limitation}`)
    }
    const host = `${hostId()}-${++opened}`
    const spillDir = config.spillDir ?? defaultSpillDir()
    const { launcher } = this.chosen
    this.cgroups = config.cgroup === 'auto' && process.platform === 'linux' ? CgroupFolder.open(host) : undefined
    this.guardian = new Guardian(launcher, `${SPAWN_ID}=${host}.`, this.cgroups?.path)
    const services: TreeServices = {
      guardian: this.guardian,
      sampler: this.sampler,
      isLeader: (pid) => [...engines].some((engine) => engine.leaders.has(pid)),
      isOnly: (tree) => [...engines].every((engine) => [...engine.live].every((handle) => handle.isOf(tree))),
      adopted: (pid) => launcher.adopt(pid),
    }
    this.internals = {
      launcher,
      spills: new SpillFolder(spillDir, host),
      scrub: config.env,
      executables: new ExecutableCache(),
      windowsCodePage: codePage,
      nextSpawnId: () => `${host}.${++this.spawned}`,
      treeOf: (marks) => {
        this.leaders.add(marks.leader)
        return createTree(process.platform, { ...marks, cgroup: this.cgroups?.take() }, services)
      },
    }
    engines.add(this)
    sweepSpillFolders(spillDir, isHostAlive)
    if (process.platform === 'linux') killStrays()
  }

  spawn(spec: SubprocessSpawnSpec): SubprocessHandle {
    if (this.disposed) throw new ShellError('SPAWN_FAILED', 'The runtime has ended; it starts nothing any more.')
    const handle = spawnSubprocess(spec, this.internals)
    this.live.add(handle)
    void handle.gone.catch(() => {}).finally(() => this.live.delete(handle))
    return handle
  }

  /** Ends every tree; resolves when nothing is left of them, nor of the engine. */
  async dispose(): Promise<void> {
    this.disposed = true
    await Promise.all([...this.live].map((handle) => handle.hurry(FAREWELL_GRACE_MS)))
    this.sampler.dispose()
    engines.delete(this)
    this.cgroups?.dispose()
    await this.guardian.dispose()
    await this.chosen.dispose()
    this.internals.spills.dispose(this.config.keepSpillMs)
  }

  /** The same without waiting, for a process that is about to exit. */
  killNow(): void {
    for (const handle of this.live) handle.killNow()
    this.internals.spills.dispose(this.config.keepSpillMs)
  }
}
