import { setTimeout as sleep } from 'node:timers/promises'
import { ShellError } from 'dsh-errors'

/** What a machine says that has no process or descriptor left at this moment. */
const BUSY = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])
/** Waits between the attempts, in milliseconds: other commands end meanwhile. */
const PAUSES_MS = [20, 50, 100, 200, 400]

/** Tries again, for less than a second, while the machine has no room for one more process. */
export async function retryWhileBusy<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await attempt()
    } catch (error) {
      if (!isBusy(error) || signal?.aborted) throw error
      await sleep(pause)
    }
  }
  return await attempt()
}

function isBusy(error: unknown): boolean {
  return ShellError.is(error, 'SPAWN_FAILED') && BUSY.has(String(error.details['errno']))
}
