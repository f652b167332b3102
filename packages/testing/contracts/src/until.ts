import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 10
const DEFAULT_LIMIT_MS = 10_000

/** Waits until `fact` returns a value that is true, and returns it. Fails with `what` when that takes too long. */
export async function until<T>(what: string, fact: () => T | Promise<T>, limitMs = DEFAULT_LIMIT_MS): Promise<T> {
  const end = performance.now() + limitMs
  for (;;) {
    const value = await fact()
    if (value) return value
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${what}`)
    await sleep(PAUSE_MS)
  }
}
