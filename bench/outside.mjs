/** What the operating system says, without asking the code under test. */
import { readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'

export function processes() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
        const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
        return [{ pid: Number(pid), parent: Number(parent), state, command }]
      } catch {
        return []
      }
    })
}

/** Living sleepers of this many seconds. */
export function sleepers(seconds) {
  const pattern = new RegExp(`^(/bin/)?sleep ${seconds}$`)
  return processes().filter(({ state, command }) => state !== 'Z' && pattern.test(command)).length
}

export function zombies() {
  return processes().filter(({ state, parent }) => state === 'Z' && parent === process.pid).length
}

export function descriptors() {
  return readdirSync('/proc/self/fd').length
}

export const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Milliseconds until `fact` holds; undefined when it does not within the limit. */
export async function until(fact, limit) {
  const start = performance.now()
  while (performance.now() - start < limit) {
    if (fact()) return performance.now() - start
    await wait(10)
  }
  return undefined
}
