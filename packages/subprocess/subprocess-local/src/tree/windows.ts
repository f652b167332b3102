import type { BackgroundProcess } from 'dsh-subprocess'
import kill from 'tree-kill'
import { trySignal } from './group.ts'
import type { ProcessTree, TreeSignal } from './tree.ts'

/** A tree on Windows, where `taskkill /T /F` follows the parents and there is no gentle signal to a console program. */
export class WindowsTree implements ProcessTree {
  private readonly leader: number

  constructor(leader: number) {
    this.leader = leader
  }

  signal(signal: TreeSignal): Promise<void> {
    if (this.leader <= 1 || signal === 'SIGSTOP' || signal === 'SIGCONT') return Promise.resolve()
    return new Promise((resolve) => {
      kill(this.leader, signal, () => resolve())
    })
  }

  onLeaderExit(): void {}

  members(): readonly BackgroundProcess[] {
    return this.alive() ? [{ pid: this.leader, command: '' }] : []
  }

  release(): void {}

  alive(): boolean {
    return trySignal(this.leader, 0)
  }
}
