import { setTimeout as sleep } from 'node:timers/promises'
import type { ProcessTree } from './tree.ts'

/** Time between two looks while waiting for a tree to end: short at first, then longer. */
const FIRST_LOOK_MS = 2
const LAST_LOOK_MS = 50
/** After this time of SIGKILL rounds what still lives cannot be killed (it waits for the kernel, or is another user's). */
const KILL_LIMIT_MS = 10_000

/** Rounds of {@link killTreeNow}. */
const ROUNDS_NOW = 50

export interface TerminateClock {
  now(): number
  sleep(ms: number): Promise<unknown>
}

const realClock: TerminateClock = { now: () => performance.now(), sleep }

/**
 * SIGTERM, up to `graceMs` (asked for anew at each look) for the tree to end, then freeze and SIGKILL in rounds until a look finds nobody: a member may
 * fork while the others are being killed.
 * @returns whether the tree is gone.
 */
export async function terminateTree(tree: ProcessTree, graceMs: () => number, clock = realClock): Promise<boolean> {
  if (!tree.alive()) return true
  await tree.signal('SIGTERM')
  await tree.signal('SIGCONT')
  if (await waitUntilGone(tree, graceMs, clock)) return true
  return await waitUntilGone(
    tree,
    () => KILL_LIMIT_MS,
    clock,
    () => freezeAndKill(tree),
  )
}

/**
 * Stopped members cannot fork, so the second stop finds only what was forked before the first. Runs without a pause where
 * signals are sent at once.
 */
function freezeAndKill(tree: ProcessTree): void | Promise<void> {
  const steps = ['SIGSTOP', 'SIGSTOP', 'SIGKILL'] as const
  let pending: Promise<void> | undefined
  for (const step of steps) {
    if (pending) pending = pending.then(() => tree.signal(step))
    else pending = tree.signal(step) ?? undefined
  }
  return pending
}

/** SIGKILL rounds without a pause, for a host that has no time left. Only for trees that signal at once. */
export function killTreeNow(tree: ProcessTree): void {
  for (let round = 0; round < ROUNDS_NOW && tree.alive(); round++) void freezeAndKill(tree)
}

/** Looks until the tree is gone or `limitMs` are over, asked for anew at each look; `each` acts before every look. */
export async function waitUntilGone(
  tree: Pick<ProcessTree, 'alive'>,
  limitMs: () => number,
  clock = realClock,
  each: () => void | Promise<void> = () => {},
): Promise<boolean> {
  const start = clock.now()
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LAST_LOOK_MS)) {
    await each()
    if (!tree.alive()) return true
    const left = start + limitMs() - clock.now()
    if (left <= 0) return false
    await clock.sleep(Math.min(pause, left))
  }
}
