import fs from 'node:fs'
import path from 'node:path'
import { hostId, isHostAlive } from '../host-id.ts'

/** Folders of hosts begin so; the host's id follows. */
const PREFIX = 'dsh-'
/** How many empty cgroups wait for the next command. */
const SPARE = 16

/** What a tree needs of its cgroup. All of it is harmless after {@link release}. */
export interface TreeCgroup {
  /**
   * Takes a process in, in the background: 0.2 ms, or up to 25 ms when nobody was moved lately, as the kernel then waits for
   * all readers first. What it forks until then stays outside.
   */
  add(leader: number): void
  /** To be called when the leader has been waited for: from then on its number may be somebody else's. */
  onLeaderExit(): void
  /** Numbers of its living members, and of those in cgroups below it. */
  pids(): number[]
  /** SIGKILL to all of them at once, however fast they fork. */
  kill(): void
  /** To be called when nobody is left. */
  release(): void
}

/**
 * One cgroup for each command, below the host's own: a member cannot leave it by anything that it does to its session, its
 * parents or its environment (cgroups(7)). Only where a cgroup v2 may be written.
 */
export class CgroupFolder {
  readonly path: string
  private readonly base: string
  private readonly spare: Cgroup[] = []
  private count = 0
  private usable = true

  /** @returns undefined where no cgroup can be made or killed. */
  static open(host: string, base: string | undefined = ownCgroup()): CgroupFolder | undefined {
    if (base === undefined) return undefined
    sweepCgroups(base)
    const folder = new CgroupFolder(path.join(base, PREFIX + host), base)
    try {
      fs.accessSync(`${base}/cgroup.procs`, fs.constants.W_OK)
      fs.mkdirSync(folder.path)
      fs.accessSync(`${folder.path}/cgroup.kill`, fs.constants.W_OK)
      return folder
    } catch {
      folder.dispose()
      return undefined
    }
  }

  private constructor(folder: string, base: string) {
    this.path = folder
    this.base = base
  }

  /** An empty cgroup; undefined when the system gives none, which costs one mark among others. */
  take(): TreeCgroup | undefined {
    if (!this.usable) return undefined
    try {
      return this.spare.pop()?.again() ?? this.make()
    } catch {
      return undefined
    }
  }

  dispose(): void {
    this.usable = false
    removeTree(this.path)
  }

  private make(): Cgroup {
    const folder = `${this.path}/${++this.count}`
    fs.mkdirSync(folder)
    return new Cgroup(folder, {
      base: this.base,
      refused: () => {
        this.usable = false
      },
      giveBack: (cgroup) => {
        if (this.usable && this.spare.length < SPARE) this.spare.push(cgroup)
        else removeTree(folder)
      },
    })
  }
}

interface CgroupOwner {
  /** Where strangers are put back to. */
  readonly base: string
  /** The system moves nobody into such a cgroup. */
  refused(): void
  giveBack(cgroup: Cgroup): void
}

class Cgroup implements TreeCgroup {
  private readonly folder: string
  private readonly owner: CgroupOwner
  /** Whether the leader, and nobody else, was put here. */
  private state: 'empty' | 'moving' | 'ours' | 'mistaken' = 'empty'
  private leaderExited = false
  private released = false

  constructor(folder: string, owner: CgroupOwner) {
    this.folder = folder
    this.owner = owner
  }

  again(): this {
    this.state = 'empty'
    this.leaderExited = false
    this.released = false
    return this
  }

  add(leader: number): void {
    let fd: number
    try {
      fd = fs.openSync(`${this.folder}/cgroup.procs`, 'w')
    } catch {
      return
    }
    this.state = 'moving'
    fs.write(fd, String(leader), (error) => {
      fs.closeSync(fd)
      this.settle(error)
    })
  }

  onLeaderExit(): void {
    this.leaderExited = true
  }

  pids(): number[] {
    return this.state === 'ours' && isPopulated(this.folder) ? membersOf(this.folder) : []
  }

  kill(): void {
    if (this.state === 'ours') write(`${this.folder}/cgroup.kill`, '1')
  }

  release(): void {
    this.released = true
    if (this.state !== 'moving') this.owner.giveBack(this)
  }

  private settle(error: NodeJS.ErrnoException | null): void {
    // A leader that is gone already is no defect of the cgroup.
    if (error && error.code !== 'ESRCH') this.owner.refused()
    // The number may have been another process's by the time it was moved: nobody in here may be signalled.
    this.state = error ? 'empty' : this.leaderExited ? 'mistaken' : 'ours'
    if (this.state === 'mistaken')
      for (const pid of membersOf(this.folder)) write(`${this.owner.base}/cgroup.procs`, String(pid))
    if (this.released) this.owner.giveBack(this)
  }
}

/** Ends what dead hosts have left in cgroups of theirs, and removes those. */
function sweepCgroups(base: string): void {
  for (const name of subfolders(base)) {
    if (!name.startsWith(PREFIX) || isHostAlive(name.slice(PREFIX.length))) continue
    write(`${base}/${name}/cgroup.kill`, '1')
    removeTree(`${base}/${name}`)
  }
}

/** The folder of the cgroup below which commands get theirs; undefined where none can be made. */
export function probeCgroup(): string | undefined {
  const base = ownCgroup()
  const folder = CgroupFolder.open(`${hostId()}-probe`, base)
  folder?.dispose()
  return folder && base
}

/** The cgroup v2 of this process, as a folder; undefined when it has none or cannot see it. */
export function ownCgroup(): string | undefined {
  return findCgroup(read('/proc/self/cgroup'), read('/proc/self/mountinfo'))
}

/** The same from the text of the two files (cgroups(7), proc(5)). */
export function findCgroup(membership: string, mounts: string): string | undefined {
  const own = /^0::(\/.*)$/m.exec(membership)?.[1]
  if (own === undefined || own.split('/').includes('..')) return undefined
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ', 2)
    const [, , , root = '', mountPoint = ''] = before.split(' ')
    if (!after.startsWith('cgroup2 ')) continue
    const below = root === '/' ? own : own === root || own.startsWith(`${root}/`) ? own.slice(root.length) : undefined
    if (below !== undefined) return path.resolve(unescapeMount(mountPoint), `.${below}`)
  }
  return undefined
}

/** Spaces and the like stand in octal there. */
function unescapeMount(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_match, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

function isPopulated(folder: string): boolean {
  return read(`${folder}/cgroup.events`).includes('populated 1')
}

function membersOf(folder: string): number[] {
  const own = read(`${folder}/cgroup.procs`)
    .split('\n')
    .map(Number)
    .filter((pid) => pid > 0)
  return [...own, ...subfolders(folder).flatMap((name) => membersOf(`${folder}/${name}`))]
}

/** Removes a cgroup and those below it; one that is not empty yet stays for the next host to sweep. */
function removeTree(folder: string): void {
  for (const name of subfolders(folder)) removeTree(`${folder}/${name}`)
  try {
    fs.rmdirSync(folder)
  } catch {
    // Not empty, or never made.
  }
}

function subfolders(folder: string): string[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  } catch {
    return []
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function write(file: string, text: string): void {
  try {
    fs.writeFileSync(file, text)
  } catch {
    // It is gone, and with it what was to be done.
  }
}
