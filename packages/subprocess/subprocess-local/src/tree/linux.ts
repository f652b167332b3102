import type { BackgroundProcess } from 'dsh-subprocess'
import type { TreeCgroup } from './cgroup.ts'
import { trySignal } from './group.ts'
import {
  adoptedChildren,
  childrenOf,
  commandLine,
  hasClearedEnvironment,
  holdsPipe,
  isDead,
  isProcess,
  livingSince,
  type ProcessStat,
  readStat,
  readVariable,
} from './proc.ts'
import type { ProcessTree, TreeServices, TreeSignal } from './tree.ts'

/** The variable that every process of a tree inherits, unless it clears its environment. */
export const SPAWN_ID = 'DSH_SPAWN_ID'

/** A tree with more members than this is stopped before it is looked through. */
const MANY = 64

/** What the engine knows of a tree when it begins. */
export interface TreeMarks {
  readonly leader: number
  readonly spawnId: string
  /** The pipes that its output goes to, as /proc names them; only while they are open. */
  pipes(): readonly string[]
  /** Where there is one; the leader has not been put into it yet. */
  readonly cgroup?: TreeCgroup | undefined
}

/**
 * A tree on Linux, found by every mark that its members carry: the leader's session and group, their parents, the spawn id
 * in their environment, the pipe that their output goes to, and the cgroup where there is one. Members are remembered with their start time, so that one
 * whose parents have died since is still known, and a number that was given to somebody else is never signalled.
 */
export class LinuxTree implements ProcessTree {
  private readonly marks: TreeMarks
  private readonly services: TreeServices
  /** pid → start time. */
  private readonly known = new Map<number, number>()
  private readonly tokens: string[]
  private leaderExited = false
  /** Whether somebody may still be in the leader's session or group; the kernel keeps its number from reuse until then. */
  private hasSession = true

  constructor(marks: TreeMarks, services: TreeServices) {
    this.marks = marks
    this.services = services
    this.tokens = [`${marks.leader}:0`]
    if (marks.leader <= 1) return
    marks.cgroup?.add(marks.leader)
    services.guardian.watch(`${marks.leader}:0`)
    services.sampler.add(this)
  }

  onLeaderExit(): void {
    this.leaderExited = true
    this.marks.cgroup?.onLeaderExit()
  }

  release(): void {
    this.services.sampler.delete(this)
    this.marks.cgroup?.release()
    for (const token of this.tokens) this.services.guardian.forget(token)
  }

  signal(signal: TreeSignal): void {
    // One call reaches the whole group, however fast it forks; whoever has left it is looked for one by one.
    const { leader } = this.marks
    const hasGroup = this.isGroupOurs()
    // Members that fork without end take all the time there is: they are looked for while they stand still.
    if (hasGroup && signal === 'SIGTERM' && this.known.size > MANY) trySignal(-leader, 'SIGSTOP')
    if (hasGroup && signal !== 'SIGCONT') trySignal(-leader, signal)
    if (signal === 'SIGKILL') this.marks.cgroup?.kill()
    for (const { pid, startTime, group } of this.scan()) {
      if (hasGroup && group === leader) continue
      if (readStat(pid)?.startTime === startTime) trySignal(pid, signal)
    }
    if (hasGroup && signal === 'SIGCONT') trySignal(-leader, signal)
  }

  members(): readonly BackgroundProcess[] {
    return this.scan().map(({ pid }) => ({ pid, command: commandLine(pid) }))
  }

  alive(): boolean {
    if (this.marks.leader <= 1) return false
    return !this.leaderExited || this.aKnownMember(() => true) !== undefined || this.scan().length > 0
  }

  sample(until: number): boolean {
    const { leader } = this.marks
    const queue = this.leaderExited ? [] : [leader]
    for (const [pid, startTime] of this.known) {
      if (pid !== leader && readStat(pid)?.startTime === startTime) queue.push(pid)
    }
    queue.push(...this.waifs())
    // The queue grows while it is walked: children of children are looked at, too.
    for (const parent of queue) {
      if (performance.now() > until) return true
      for (const child of childrenOf(parent)) {
        if (this.known.has(child)) continue
        const stat = readStat(child)
        if (stat) this.remember(stat)
        queue.push(child)
      }
    }
    return queue.length > 0
  }

  /** Orphans of this tree that have come to this process and were not known before. */
  private waifs(): number[] {
    const isNew = (pid: number): boolean => !this.known.has(pid) && !this.services.isLeader(pid)
    const found = adoptedChildren()
      .filter(isNew)
      .flatMap((pid) => readStat(pid) ?? [])
    const ours = found.filter((stat) => !isDead(stat) && this.isMarked(stat))
    for (const stat of ours) this.remember(stat)
    return ours.map(({ pid }) => pid)
  }

  /** Living members. */
  private scan(): ProcessStat[] {
    const { leader } = this.marks
    if (leader <= 1) return []
    const isStranger = (pid: number): boolean => pid !== leader && this.services.isLeader(pid)
    const candidates = livingSince(this.leaderExited ? leader + 1 : leader, isStranger)
    const held = new Set(this.marks.cgroup?.pids())
    const unseen = [...held].filter((pid) => candidates.every((stat) => stat.pid !== pid))
    candidates.push(...unseen.flatMap((pid) => readStat(pid) ?? []).filter((stat) => !isDead(stat)))
    const members = this.closure(candidates, held).filter(({ pid }) => pid === leader || isProcess(pid))
    this.known.clear()
    for (const stat of members) {
      this.remember(stat)
      if (stat.ppid === process.pid && stat.pid !== leader) this.services.adopted(stat.pid)
    }
    if (this.leaderExited) {
      this.hasSession = members.some(({ session, group }) => session === leader || group === leader)
    }
    return members
  }

  /** Until the leader is waited for, and then while one of its group is left, the number is nobody else's. */
  private isGroupOurs(): boolean {
    const { leader } = this.marks
    if (leader <= 1) return false
    return !this.leaderExited || this.aKnownMember(({ group }) => group === leader) !== undefined
  }

  /** A remembered member that lives and for which `test` holds. */
  private aKnownMember(test: (stat: ProcessStat) => boolean): ProcessStat | undefined {
    for (const [pid, startTime] of this.known) {
      const stat = readStat(pid)
      if (stat && stat.startTime === startTime && !isDead(stat) && test(stat)) return stat
    }
    return undefined
  }

  private remember({ pid, startTime, session, group }: ProcessStat): void {
    const { leader } = this.marks
    this.known.set(pid, startTime)
    if (session === leader || group === leader) return
    const token = `${pid}:${startTime}`
    if (this.tokens.includes(token)) return
    this.tokens.push(token)
    this.services.guardian.watch(token)
  }

  /** Those that carry a mark or are in the cgroup, and whoever has one of them as parent. */
  private closure(candidates: readonly ProcessStat[], held: ReadonlySet<number>): ProcessStat[] {
    const members = new Map<number, ProcessStat>()
    for (let found = true; found; ) {
      found = false
      for (const stat of candidates) {
        if (members.has(stat.pid) || !(members.has(stat.ppid) || held.has(stat.pid) || this.isMarked(stat))) continue
        members.set(stat.pid, stat)
        found = true
      }
    }
    return [...members.values()]
  }

  private isMarked(stat: ProcessStat): boolean {
    const { leader, spawnId } = this.marks
    const { pid, startTime, session, group } = stat
    if (pid === leader) return !this.leaderExited
    if (this.known.get(pid) === startTime) return true
    if (this.hasSession && (session === leader || group === leader)) return true
    return readVariable(pid, SPAWN_ID) === spawnId || this.isWaif(stat)
  }

  /**
   * An orphan that has come to this process without session or spawn id. It is ours when it still writes to our pipe; or
   * when no other command runs, and it has cleared its environment in a session that somebody else has made: no child of
   * another part of this host looks so.
   */
  private isWaif({ pid, ppid, session }: ProcessStat): boolean {
    if (ppid !== process.pid) return false
    if (holdsPipe(pid, this.marks.pipes())) return true
    return this.services.isOnly(this) && session !== pid && hasClearedEnvironment(pid)
  }
}
