import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import fs from 'node:fs'

/** What the operating system says, without asking the code under test. */

export interface SeenProcess {
  readonly pid: number
  readonly command: string
}

/** Living processes, zombies left out, whose command line holds `text`. */
export function processesWith(text: string): SeenProcess[] {
  const all = process.platform === 'linux' ? fromProc() : fromPs()
  return all.filter(({ pid, command }) => pid !== process.pid && command.includes(text))
}

/** The sleepers of so many seconds themselves, without shells that hold their command's text. */
export function sleepers(seconds: string): SeenProcess[] {
  const commands = [`sleep ${seconds}`, `/bin/sleep ${seconds}`]
  return processesWith(seconds).filter(({ command }) => commands.includes(command.trim()))
}

export function isAlive(pid: number): boolean {
  return processesWith('').some((seen) => seen.pid === pid)
}

/** Numbers of the descriptors that this process has open; empty where the system does not tell. */
export function openDescriptors(): string[] {
  if (process.platform !== 'linux') return []
  return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [`${fd} ${fs.readlinkSync(`/proc/self/fd/${fd}`)}`]
    } catch {
      return []
    }
  })
}

/** Zombies whose parent is this process. */
export function zombies(): number[] {
  if (process.platform !== 'linux') return []
  return stats()
    .filter(({ state, ppid }) => state === 'Z' && ppid === process.pid)
    .map(({ pid }) => pid)
}

/** A number of seconds to sleep that no other test uses: it finds the sleeper again. */
export function uniqueSeconds(): string {
  return `${randomInt(5000, 9000)}.${randomInt(1_000_000, 9_999_999)}`
}

function stats(): { pid: number; ppid: number; state: string }[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
        const [state = '', ppid] = line.slice(line.lastIndexOf(')') + 2).split(' ')
        return [{ pid: Number(pid), ppid: Number(ppid), state }]
      } catch {
        return []
      }
    })
}

function fromProc(): SeenProcess[] {
  return stats()
    .filter(({ state }) => state !== 'Z' && state !== 'X')
    .flatMap(({ pid }) => {
      try {
        return [{ pid, command: fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }]
      } catch {
        return []
      }
    })
}

function fromPs(): SeenProcess[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, state = '', command = ''] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return pid === undefined || state.startsWith('Z') ? [] : [{ pid: Number(pid), command }]
  })
}
