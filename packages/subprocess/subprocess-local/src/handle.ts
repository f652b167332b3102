import type { Readable, Writable } from 'node:stream'
import type { BackgroundProcess, SubprocessHandle, SubprocessOutcome } from 'dsh-subprocess'
import type { Launched } from './launch/launcher.ts'
import type { ProcessOutput } from './output.ts'
import { explainSpawnFailure } from './spawn-failure.ts'
import { killTreeNow, terminateTree } from './tree/terminate.ts'
import type { ProcessTree } from './tree/tree.ts'

/** How often a tree whose leader is gone is looked at, in milliseconds: soon, then rarely. */
const FIRST_LOOK_MS = 20
const LAST_LOOK_MS = 1000

export class LocalSubprocessHandle implements SubprocessHandle {
  readonly pid: number
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly done: Promise<SubprocessOutcome>
  /** Resolves when no member of the tree is left. */
  readonly gone: Promise<SubprocessOutcome>
  private readonly tree: ProcessTree
  private readonly output: ProcessOutput
  private readonly exited: Promise<SubprocessOutcome>
  private graceMs: number
  private terminatedAt = 0
  private hasExited = false
  private isGone = false
  private terminating: Promise<void> | undefined
  private stopPause: (() => void) | undefined

  constructor(launched: Launched, tree: ProcessTree, output: ProcessOutput, graceMs: number) {
    this.pid = launched.pid
    this.stdin = launched.stdin
    this.stdout = output.streams.stdout
    this.stderr = output.streams.stderr
    this.tree = tree
    this.output = output
    this.graceMs = graceMs
    this.exited = launched.exited.finally(() => {
      this.hasExited = true
      tree.onLeaderExit()
    })
    this.done = this.finish()
    this.gone = this.watchTree()
    // Nobody needs to ask; whoever asks is told.
    this.done.catch(() => {})
    this.gone.catch(() => {})
  }

  get collected(): ProcessOutput['collected'] {
    return this.output.collected
  }

  readFrom(stream: 'stdout' | 'stderr', offset: number): { text: string; nextOffset: number; omittedBytes: number } {
    return this.output.readFrom(stream, offset)
  }

  background(): readonly BackgroundProcess[] {
    if (!this.hasExited || this.isGone) return []
    return this.tree.members()
  }

  terminate(): Promise<void> {
    if (!this.terminating) {
      this.terminatedAt = performance.now()
      this.terminating = this.end()
    }
    return this.terminating
  }

  /** {@link terminate} for a host that is about to leave: from now on at most `graceMs`, also when it had begun before. */
  hurry(graceMs: number): Promise<void> {
    const elapsed = this.terminating ? performance.now() - this.terminatedAt : 0
    this.graceMs = Math.min(this.graceMs, elapsed + graceMs)
    return this.terminate()
  }

  async waitForExit(signal?: AbortSignal): Promise<SubprocessOutcome> {
    if (!signal) return await this.gone
    signal.throwIfAborted()
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    })
    return await Promise.race([this.gone, aborted])
  }

  isOf(tree: ProcessTree): boolean {
    return this.tree === tree
  }

  /** SIGKILL to all that is known, without waiting: the host is about to die. */
  killNow(): void {
    killTreeNow(this.tree)
  }

  private async end(): Promise<void> {
    const gone = await terminateTree(this.tree, () => this.graceMs)
    if (gone) await this.exited.catch(() => {})
    this.output.destroy()
    this.stopPause?.()
  }

  /** An unhurried wait that ends early when the tree was terminated. */
  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms).unref()
      this.stopPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  private async finish(): Promise<SubprocessOutcome> {
    try {
      const outcome = await this.exited
      await this.output.settle()
      return outcome
    } catch (error) {
      this.output.destroy()
      throw explainSpawnFailure(error)
    }
  }

  private async watchTree(): Promise<SubprocessOutcome> {
    try {
      const outcome = await this.exited
      for (let pause = FIRST_LOOK_MS; this.tree.alive(); pause = Math.min(pause * 2, LAST_LOOK_MS)) {
        await this.pause(pause)
      }
      this.isGone = true
      return outcome
    } finally {
      this.tree.release()
    }
  }
}
