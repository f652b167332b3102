import { describe, expect, it } from 'vitest'
import { terminateTree } from '../../src/tree/terminate.ts'
import type { ProcessTree, TreeSignal } from '../../src/tree/tree.ts'

/** A tree and a clock in which time passes only while somebody sleeps. */
class FakeTree implements ProcessTree {
  readonly log: string[] = []
  time = 0
  dead = false
  readonly clock = {
    now: () => this.time,
    sleep: async (ms: number) => {
      this.time += ms
    },
  }
  private readonly react: (signal: TreeSignal, tree: FakeTree) => void

  constructor(react: (signal: TreeSignal, tree: FakeTree) => void) {
    this.react = react
  }

  signal(signal: TreeSignal): void {
    this.log.push(`${signal} at ${this.time}`)
    this.react(signal, this)
  }

  onLeaderExit(): void {}

  release(): void {}

  members(): [] {
    return []
  }

  alive(): boolean {
    return !this.dead
  }
}

const kinds = (tree: FakeTree): string[] => [...new Set(tree.log.map((line) => line.split(' ')[0] ?? ''))]

describe('terminateTree', () => {
  it('sends nothing to a tree that is gone', async () => {
    const tree = new FakeTree(() => {})
    tree.dead = true
    expect(await terminateTree(tree, () => 1000, tree.clock)).toBe(true)
    expect(tree.log).toEqual([])
  })

  it('asks first, and kills nobody who ends in time', async () => {
    const tree = new FakeTree((signal, self) => {
      if (signal === 'SIGTERM') self.dead = true
    })
    expect(await terminateTree(tree, () => 1000, tree.clock)).toBe(true)
    expect(kinds(tree)).toEqual(['SIGTERM', 'SIGCONT'])
    expect(tree.time).toBe(0)
  })

  it('freezes and kills who has not ended after the grace, not earlier', async () => {
    const tree = new FakeTree((signal, self) => {
      if (signal === 'SIGKILL') self.dead = true
    })
    expect(await terminateTree(tree, () => 1000, tree.clock)).toBe(true)
    expect(kinds(tree)).toEqual(['SIGTERM', 'SIGCONT', 'SIGSTOP', 'SIGKILL'])
    expect(tree.log.at(-1)).toBe('SIGKILL at 1000')
  })

  it('hurries when the grace is cut short meanwhile', async () => {
    const tree = new FakeTree((signal, self) => {
      if (signal === 'SIGKILL') self.dead = true
    })
    await terminateTree(tree, () => (tree.time < 200 ? 60_000 : 300), tree.clock)
    expect(tree.time).toBe(300)
  })

  it('kills again and again while members go on forking', async () => {
    let rounds = 0
    const tree = new FakeTree((signal, self) => {
      if (signal === 'SIGKILL') self.dead = ++rounds === 20
    })
    expect(await terminateTree(tree, () => 0, tree.clock)).toBe(true)
    expect(rounds).toBe(20)
  })

  it('gives up at last on what cannot be killed, and says so', async () => {
    const tree = new FakeTree(() => {})
    expect(await terminateTree(tree, () => 500, tree.clock)).toBe(false)
    expect(tree.time).toBeGreaterThanOrEqual(10_500)
    expect(tree.time).toBeLessThan(11_000)
  })
})
