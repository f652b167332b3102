import type { BackgroundProcess } from 'dsh-subprocess'

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
}
