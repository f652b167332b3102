import type { BackgroundProcess } from 'dsh-subprocess'
import type { ProcessTree, TreeServices, TreeSignal } from './tree.ts'

/** A tree on a POSIX system, as far as its process group shows it. */
export class ProcessGroup implements ProcessTree {
  private readonly leader: number
  private readonly guardian: TreeServices['guardian']

  constructor(leader: number, { guardian }: Pick<TreeServices, 'guardian'>) {
    this.leader = leader
    this.guardian = guardian
    if (leader > 1) guardian.watch(`${leader}:0`)
  }

  signal(signal: TreeSignal): void {
    trySignal(-this.leader, signal)
  }

  members(): readonly BackgroundProcess[] {
    return this.alive() ? [{ pid: this.leader, command: '' }] : []
  }

  onLeaderExit(): void {}

  alive(): boolean {
    return trySignal(-this.leader, 0)
  }

  release(): void {
    this.guardian.forget(`${this.leader}:0`)
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
