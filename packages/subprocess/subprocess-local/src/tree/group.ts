import type { BackgroundProcess } from 'dsh-subprocess'
import type { ProcessTree, TreeSignal } from './tree.ts'

/** A tree on a POSIX system, as far as its process group shows it. */
export class ProcessGroup implements ProcessTree {
  private readonly leader: number

  constructor(leader: number) {
    this.leader = leader
  }

  signal(signal: TreeSignal): void {
    trySignal(-this.leader, signal)
  }

  onLeaderExit(): void {}

  members(): readonly BackgroundProcess[] {
    return this.alive() ? [{ pid: this.leader, command: '' }] : []
  }

  alive(): boolean {
    return trySignal(-this.leader, 0)
  }
}

/** @returns whether there was somebody to signal. Never reaches this process's own group or everybody. */
export function trySignal(target: number, signal: NodeJS.Signals | 0): boolean {
  if (Math.abs(target) <= 1) return false
  try {
    return process.kill(target, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
