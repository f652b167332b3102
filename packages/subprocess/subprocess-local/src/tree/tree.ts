import type { BackgroundProcess } from 'dsh-subprocess'
import type { TreeSampler } from './sampler.ts'

/** SIGCONT lets a stopped member act on the SIGTERM before it; SIGSTOP keeps members from forking while others are killed. */
export type TreeSignal = 'SIGTERM' | 'SIGCONT' | 'SIGSTOP' | 'SIGKILL'

/** The processes that one spawn has brought about, however the platform tells them from others. */
export interface ProcessTree {
  /** Sends a signal to every member. A member that is gone is no error. */
  signal(signal: TreeSignal): void | Promise<void>
  /** Members that run; zombies do not. */
  members(): readonly BackgroundProcess[]
  /** To be called when the leader has been waited for: from then on its number may be somebody else's. */
  onLeaderExit(): void
  /** Whether a member runs; cheaper than {@link members}. */
  alive(): boolean
  /** To be called when nobody is left. */
  release(): void
}

/** What trees share within one runtime. */
export interface TreeServices {
  readonly guardian: { watch(token: string): void; forget(token: string): void }
  readonly sampler: Pick<TreeSampler, 'add' | 'delete'>
  /** Whether a number is that of another tree's leader. */
  isLeader(pid: number): boolean
  /** Whether no other tree lives. */
  isOnly(tree: ProcessTree): boolean
  /** Told of members whose parents have died, and which have come to this process as its children. */
  adopted(pid: number): void
}
