import type { BackgroundProcess } from 'dsh-subprocess'
import { trySignal } from './group.ts'
import { commandLine, isProcess, livingSince, type ProcessStat, readStat, readVariable } from './proc.ts'
import type { ProcessTree, TreeSignal } from './tree.ts'

/** The variable that every process of a tree inherits, unless it clears its environment. */
export const SPAWN_ID = 'DSH_SPAWN_ID'

/** What a tree has to know of its runtime. */
export interface TreeNeighbours {
  /** Whether a number is that of another tree's leader. */
  isLeader(pid: number): boolean
  /** Told of members whose parents have died, and which have come to this process as its children. */
  adopted(pid: number): void
}

/**
 * A tree on Linux, found by every mark that its members carry: the leader's session and group, their parents, and the
 * spawn id in their environment. Members are remembered with their start time, so that one whose parents have died since
 * is still known, and a number that was given to somebody else is never signalled.
 */
export class LinuxTree implements ProcessTree {
  private readonly leader: number
  private readonly spawnId: string
  private readonly neighbours: TreeNeighbours
  /** pid → start time. */
  private readonly known = new Map<number, number>()
  private leaderExited = false
  /** Whether somebody may still be in the leader's session or group; the kernel keeps its number from reuse until then. */
  private hasSession = true

  constructor(leader: number, spawnId: string, neighbours: TreeNeighbours) {
    this.leader = leader
    this.spawnId = spawnId
    this.neighbours = neighbours
  }

  onLeaderExit(): void {
    this.leaderExited = true
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
    return this.leader > 1 && (!this.leaderExited || this.scan().length > 0)
  }

  /** Living members. */
  private scan(): ProcessStat[] {
    if (this.leader <= 1) return []
    const isStranger = (pid: number): boolean => pid !== this.leader && this.neighbours.isLeader(pid)
    const candidates = livingSince(this.leaderExited ? this.leader + 1 : this.leader, isStranger)
    const members = this.closure(candidates).filter(({ pid }) => pid === this.leader || isProcess(pid))
    this.known.clear()
    for (const { pid, startTime, ppid } of members) {
      this.known.set(pid, startTime)
      if (ppid === process.pid && pid !== this.leader) this.neighbours.adopted(pid)
    }
    if (this.leaderExited) {
      this.hasSession = members.some(({ session, group }) => session === this.leader || group === this.leader)
    }
    return members
  }

  /** Those that carry a mark, and whoever has one of them as parent. */
  private closure(candidates: readonly ProcessStat[]): ProcessStat[] {
    const members = new Map<number, ProcessStat>()
    for (let found = true; found; ) {
      found = false
      for (const stat of candidates) {
        if (members.has(stat.pid) || !(members.has(stat.ppid) || this.isMarked(stat))) continue
        members.set(stat.pid, stat)
        found = true
      }
    }
    return [...members.values()]
  }

  private isMarked({ pid, startTime, session, group }: ProcessStat): boolean {
    if (pid === this.leader) return !this.leaderExited
    if (this.known.get(pid) === startTime) return true
    if (this.hasSession && (session === this.leader || group === this.leader)) return true
    return readVariable(pid, SPAWN_ID) === this.spawnId
  }
}
