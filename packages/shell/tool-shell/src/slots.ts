import { ShellError } from 'dsh-errors'

/**
 * Lets a bounded number of commands run at once; the others wait in order. A waiter goes on in its own asynchronous
 * context, and so as the principal that it was called by.
 */
export class Slots {
  private taken = 0
  private readonly waiting = new Set<() => void>()
  private readonly limit: () => number

  constructor(limit: () => number) {
    this.limit = limit
  }

  /** Runs `action` when there is room. @throws ShellError ABORTED when the caller gives up before that. */
  async run<T>(action: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    if (this.taken >= this.limit()) await this.turn(signal)
    else this.taken++
    try {
      return await action()
    } finally {
      this.taken--
      this.fill()
    }
  }

  /** To be called when the limit may have become larger. */
  fill(): void {
    for (const go of this.waiting) {
      if (this.taken >= this.limit()) return
      this.taken++
      go()
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.delete(go)
        signal?.removeEventListener('abort', giveUp)
      }
      const go = (): void => {
        leave()
        resolve()
      }
      const giveUp = (): void => {
        leave()
        reject(new ShellError('ABORTED', 'The caller gave up while the command waited for its turn.'))
      }
      this.waiting.add(go)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  }
}
