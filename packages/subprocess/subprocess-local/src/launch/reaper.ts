import { setTimeout as sleep } from 'node:timers/promises'
import type { SubprocessOutcome } from 'dsh-subprocess'
import { childrenOf, isDead, readStat } from '../tree/proc.ts'
import { type LibC, signalName } from './posix-ffi.ts'

const WNOHANG = 1
const PR_SET_CHILD_SUBREAPER = 36
/** A lost signal costs no more than this. It also keeps the event loop alive, which a SIGCHLD handler does not. */
const POLL_MS = 1000

type OnExit = (outcome: SubprocessOutcome) => void

/** How many reapers of this process want orphans to come to it; the kernel has one switch for all. */
let adopters = 0

/**
 * Learns how our own children end, and never takes the exit status of anybody else's: libuv waits for its own by number,
 * and so do we.
 *
 * Orphans of commands are made to come to this process (PR_SET_CHILD_SUBREAPER, prctl(2)): they can be found among its
 * children whatever marks they have shed, and leave no zombies where the host is a container's first process.
 */
export class Reaper {
  private readonly children = new Map<number, OnExit>()
  /** Children that do not keep the event loop alive. */
  private readonly unrefs = new Set<number>()
  /** Zombies that nobody here waits for, as of the last look. */
  private strangers: ReadonlySet<number> = new Set()
  private orphanCheck: NodeJS.Timeout | undefined
  private readonly libc: LibC
  private poll: NodeJS.Timeout | undefined
  private readonly onChildSignal = (): void => this.reap()

  constructor(libc: LibC) {
    this.libc = libc
    process.on('SIGCHLD', this.onChildSignal)
    if (adopters++ === 0) libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
  }

  /** Takes over a member of a tree that has become a child of this process, so that it leaves no zombie. */
  adopt(pid: number): void {
    if (this.children.has(pid)) return
    this.children.set(pid, () => {})
    this.unref(pid)
  }

  /** The end of this child is not waited for by the event loop. */
  unref(pid: number): void {
    this.unrefs.add(pid)
    this.keepAlive()
  }

  /** Calls `onExit` once, never before this returns. */
  watch(pid: number, onExit: OnExit): void {
    this.children.set(pid, onExit)
    this.keepAlive()
  }

  /** Leaves no zombie behind: waits, for a bounded time, for whoever has ended but is not waited for yet. */
  async dispose(): Promise<void> {
    const end = performance.now() + DISPOSE_LIMIT_MS
    for (this.reap(); this.hasZombies() && performance.now() < end; this.reap()) await sleep(DISPOSE_PAUSE_MS)
    process.removeListener('SIGCHLD', this.onChildSignal)
    clearInterval(this.poll)
    clearTimeout(this.orphanCheck)
    if (--adopters === 0) this.libc.prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
  }

  private reap(): void {
    for (const [pid, onExit] of this.children) {
      const status = this.wait(pid)
      if (status === undefined) continue
      this.children.delete(pid)
      this.unrefs.delete(pid)
      onExit(outcomeOf(status))
    }
    this.keepAlive()
    this.orphanCheck ??= setTimeout(() => this.reapOrphans(), ORPHAN_PATIENCE_MS).unref()
  }

  /**
   * Collects zombies that nobody waits for. A child of libuv is one only until libuv's own handler has run, so whoever is
   * a zombie in two looks in a row was an orphan.
   */
  private reapOrphans(): void {
    this.orphanCheck = undefined
    const zombies = childrenOf(process.pid).filter((pid) => !this.children.has(pid) && isZombie(pid))
    const seenBefore = this.strangers
    this.strangers = new Set(zombies.filter((pid) => !seenBefore.has(pid) || this.wait(pid) === undefined))
    if (this.strangers.size > 0) this.orphanCheck ??= setTimeout(() => this.reapOrphans(), ORPHAN_PATIENCE_MS).unref()
  }

  /** Polls, and keeps the loop alive, exactly while somebody is waited for. */
  private keepAlive(): void {
    if (this.children.size > this.unrefs.size) this.poll ??= setInterval(this.onChildSignal, POLL_MS)
    else {
      clearInterval(this.poll)
      this.poll = undefined
    }
  }

  private hasZombies(): boolean {
    return childrenOf(process.pid).some(isZombie)
  }

  private wait(pid: number): number | undefined {
    const status = [0]
    return this.libc.waitpid(pid, status, WNOHANG) === pid ? status[0] : undefined
  }
}

const DISPOSE_PAUSE_MS = 5
const DISPOSE_LIMIT_MS = 2000

/** libuv needs one turn of the event loop; a host that is busy for longer than this has other worries. */
const ORPHAN_PATIENCE_MS = 400

function isZombie(pid: number): boolean {
  const stat = readStat(pid)
  return stat !== undefined && isDead(stat)
}

/** A status as wait(2) encodes it. */
export function outcomeOf(status: number): SubprocessOutcome {
  const signal = status & 0x7f
  return signal === 0 ? { exitCode: (status >> 8) & 0xff } : { exitCode: 128 + signal, signal: signalName(signal) }
}
