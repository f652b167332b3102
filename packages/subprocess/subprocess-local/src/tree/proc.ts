import fs from 'node:fs'

/** One line of /proc/PID/stat, as far as trees need it (proc(5)). */
export interface ProcessStat {
  readonly pid: number
  readonly ppid: number
  readonly group: number
  readonly session: number
  /** Clock ticks since boot: with the pid it names a process for good, while a pid alone is given to others later. */
  readonly startTime: number
  /** `Z` and `X` are dead. */
  readonly state: string
}

export function readStat(pid: number | 'self'): ProcessStat | undefined {
  try {
    return parseStat(fs.readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return undefined
  }
}

export function parseStat(line: string): ProcessStat {
  // The program's name, in brackets, may itself hold spaces and brackets.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
  return {
    pid: Number.parseInt(line, 10),
    state: fields[0] ?? 'X',
    ppid: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: Number(fields[19]),
  }
}

export function isDead(stat: Pick<ProcessStat, 'state'>): boolean {
  return stat.state === 'Z' || stat.state === 'X'
}

/** Up to this many numbers are tried one by one rather than listing all of /proc. */
const MAX_RANGE = 256

/**
 * Stats of all processes that may have been started after `pid`: descendants have later numbers. A short run of numbers
 * is tried one by one, which costs microseconds; else, or when the numbers have begun anew, all of /proc is read.
 */
export function statsSince(pid: number): ProcessStat[] {
  const last = lastPid()
  const inRange = last !== undefined && last >= pid && last - pid <= MAX_RANGE
  const pids = inRange ? Array.from({ length: last - pid + 1 }, (_, index) => pid + index) : allPids()
  return pids.map(readStat).filter((stat) => stat !== undefined)
}

export function allPids(): number[] {
  return fs.readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** The number that was given last in this pid namespace: the fifth field of /proc/loadavg. */
function lastPid(): number | undefined {
  try {
    return Number(fs.readFileSync('/proc/loadavg', 'latin1').trim().split(' ')[4])
  } catch {
    return undefined
  }
}

/** The value of a variable in the environment that a process was started with. */
export function readVariable(pid: number, name: string): string | undefined {
  try {
    const environ = fs.readFileSync(`/proc/${pid}/environ`, 'latin1')
    const start = environ.startsWith(`${name}=`) ? 0 : environ.indexOf(`\0${name}=`) + 1
    if (start === 0 && !environ.startsWith(`${name}=`)) return undefined
    const end = environ.indexOf('\0', start)
    return environ.slice(start + name.length + 1, end < 0 ? undefined : end)
  } catch {
    return undefined
  }
}

/** How much of a command line is told. */
const MAX_COMMAND_LINE = 200

/** The arguments of a process, for people. */
export function commandLine(pid: number): string {
  try {
    const text = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0+$/, '').replaceAll('\0', ' ')
    return text.length > MAX_COMMAND_LINE ? `${text.slice(0, MAX_COMMAND_LINE)}…` : text
  } catch {
    return ''
  }
}
