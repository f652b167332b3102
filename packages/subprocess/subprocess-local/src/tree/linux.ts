import type { BackgroundProcess } from 'dsh-subprocess'
import { trySignal } from './group.ts'
import { commandLine, isDead, type ProcessStat, readStat, readVariable, statsSince } from './proc.ts'
import type { ProcessTree, TreeSignal } from './tree.ts'

/** The variable that every process of a tree inherits, unless it clears its environment. */
export const SPAWN_ID = 'DSH_SPAWN_ID'

/**
 * A tree on Linux, found by every mark that its members carry: the leader's session and group, their parents, and the
 * spawn id in their environment. Members are remembered with their start time, so that one whose parents have died since
 * is still known, and a number that was given to somebody else is never signalled.
 */
export class LinuxTree implements ProcessTree {
  private readonly leader: number
  private readonly spawnId: string
  /** pid → start time. */
  private readonly known = new Map<number, number>()

  constructor(leader: number, spawnId: string) {
    this.leader = leader
    this.spawnId = spawnId
    const stat = readStat(leader)
    if (stat) this.known.set(leader, stat.startTime)
  }

  signal(signal: TreeSignal): void {
    for (const { pid, startTime } of this.scan()) {
      if (readStat(pid)?.startTime === startTime) trySignal(pid, signal)
    }
  }

  members(): readonly BackgroundProcess[] {
    return this.scan().map(({ pid }) => ({ pid, command: commandLine(pid) }))
  }

  alive(): boolean {
    const leader = readStat(this.leader)
    if (leader && !isDead(leader) && this.isKnown(leader)) return true
    return this.scan().length > 0
  }

  /** Living members. */
  private scan(): ProcessStat[] {
    if (this.leader <= 1) return []
    const candidates = statsSince(this.leader).filter((stat) => !isDead(stat))
    const members = new Map<number, ProcessStat>()
    for (let found = true; found; ) {
      found = false
      for (const stat of candidates) {
        if (members.has(stat.pid) || !this.belongs(stat, members)) continue
        members.set(stat.pid, stat)
        found = true
      }
    }
    this.known.clear()
    for (const { pid, startTime } of members.values()) this.known.set(pid, startTime)
    return [...members.values()]
  }

  private belongs(stat: ProcessStat, members: ReadonlyMap<number, ProcessStat>): boolean {
    if (this.isKnown(stat) || members.has(stat.ppid)) return true
    if (stat.session === this.leader || stat.group === this.leader) return true
    return readVariable(stat.pid, SPAWN_ID) === this.spawnId
  }

  private isKnown({ pid, startTime }: ProcessStat): boolean {
    return this.known.get(pid) === startTime
  }
}
