/** Ages at which a tree is looked at, in milliseconds: soon, when it is likely to fork, then rarely. */
const FIRST_AGE_MS = 10
const LONGEST_PAUSE_MS = 1000
/** A tree with thousands of members is looked at in part; and the looks take no more than one part in {@link SHARE}. */
const LONGEST_LOOK_MS = 5
const SHARE = 100

export interface Sampled {
  /** Notes who belongs to the tree now, no longer than to a time. @returns false when there is nothing more to note. */
  sample(until: number): boolean
}

/**
 * Looks at running trees now and then, so that a process which sheds all its marks is known before its parents die. A
 * command that ends sooner than the first look costs nothing; a long one a look each second.
 */
export class TreeSampler {
  private readonly due = new Map<Sampled, { at: number; pause: number }>()
  private timer: NodeJS.Timeout | undefined
  private timerAt = Number.POSITIVE_INFINITY

  add(tree: Sampled): void {
    const at = performance.now() + FIRST_AGE_MS
    this.due.set(tree, { at, pause: FIRST_AGE_MS })
    this.schedule(at)
  }

  delete(tree: Sampled): void {
    this.due.delete(tree)
  }

  dispose(): void {
    this.due.clear()
    clearTimeout(this.timer)
  }

  private schedule(at: number): void {
    if (at >= this.timerAt) return
    clearTimeout(this.timer)
    this.timerAt = at
    this.timer = setTimeout(() => this.tick(), Math.max(1, at - performance.now())).unref()
  }

  private tick(): void {
    this.timerAt = Number.POSITIVE_INFINITY
    const now = performance.now()
    let next = Number.POSITIVE_INFINITY
    for (const [tree, look] of this.due) {
      if (look.at <= now) {
        const start = performance.now()
        if (!tree.sample(start + LONGEST_LOOK_MS)) {
          this.due.delete(tree)
          continue
        }
        const cost = performance.now() - start
        look.pause = Math.max(Math.min(look.pause * 2, LONGEST_PAUSE_MS), cost * SHARE)
        look.at = now + look.pause
      }
      next = Math.min(next, look.at)
    }
    if (this.due.size > 0) this.schedule(next)
  }
}
