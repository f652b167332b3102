export type EndCause = 'timeout' | 'abort'

/** Why a command was ended from outside: whichever of deadline and caller came first, and only that. */
export class Deadline {
  cause: EndCause | undefined
  private readonly timer: NodeJS.Timeout
  private readonly signal: AbortSignal | undefined
  private readonly onAbort = (): void => this.fire('abort')
  private readonly onEnd: () => void

  /** `onEnd` is called at most once, when the first cause arises. */
  constructor(timeoutMs: number, signal: AbortSignal | undefined, onEnd: () => void) {
    this.onEnd = onEnd
    this.signal = signal
    this.timer = setTimeout(() => this.fire('timeout'), timeoutMs)
    signal?.addEventListener('abort', this.onAbort, { once: true })
    if (signal?.aborted) this.fire('abort')
  }

  /** To be called when the command has ended: what comes later is not its cause. */
  settle(): void {
    clearTimeout(this.timer)
    this.signal?.removeEventListener('abort', this.onAbort)
  }

  /** Ends the command for its caller. */
  abort(): void {
    this.fire('abort')
  }

  private fire(cause: EndCause): void {
    if (this.cause) return
    this.cause = cause
    this.settle()
    this.onEnd()
  }
}
