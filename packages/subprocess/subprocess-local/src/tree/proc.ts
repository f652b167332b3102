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
  const line = readProc(`${pid}/stat`)
  return line === undefined ? undefined : parseStat(line)
}

export function parseStat(line: string): ProcessStat {
  // The program's name, in brackets, may itself hold spaces and brackets.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ', 20)
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
const MAX_RANGE = 512

/**
 * Living processes that may have been started after `pid`: descendants have later numbers. A short run of numbers is tried
 * one by one, which costs microseconds; else, or when the numbers have begun anew, all of /proc is read.
 * @param isStranger tells numbers that need not be looked at; asked only while numbers have not begun anew.
 */
export function livingSince(pid: number, isStranger: (pid: number) => boolean): ProcessStat[] {
  const last = lastPid()
  const inRange = last !== undefined && last >= pid - 1 && last - pid <= MAX_RANGE
  const pids = inRange
    ? Array.from({ length: last - pid + 1 }, (_, index) => pid + index).filter((other) => !isStranger(other))
    : allPids()
  return pids.flatMap((other) => readStat(other) ?? []).filter((stat) => !isDead(stat))
}

/** Threads have numbers of the same kind, and a stat of their own; only the first thread's number is the process's. */
export function isProcess(pid: number): boolean {
  return readProc(`${pid}/status`)?.includes(`\nTgid:\t${pid}\n`) ?? false
}

export function allPids(): number[] {
  return fs.readdirSync('/proc').map(Number).filter(Number.isInteger)
}

/** The number that was given last in this pid namespace: the fifth field of /proc/loadavg. */
function lastPid(): number | undefined {
  const line = readProc('loadavg')
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ') + 1))
}

/** Numbers of the children that a process has, its adopted ones among them; empty where the kernel does not list them. */
export function childrenOf(pid: number): number[] {
  let tasks: string[]
  try {
    tasks = fs.readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  return tasks.flatMap((task) => childrenOfTask(pid, task))
}

/** Children of this process's main thread, where orphans of its descendants end up. */
export function adoptedChildren(): number[] {
  return childrenOfTask(process.pid, process.pid)
}

function childrenOfTask(pid: number, task: number | string): number[] {
  return readProc(`${pid}/task/${task}/children`)?.trim().split(' ').filter(Boolean).map(Number) ?? []
}

/** The value of a variable in the environment that a process was started with. */
export function readVariable(pid: number, name: string): string | undefined {
  const environ = `\0${readProc(`${pid}/environ`) ?? ''}`
  const start = environ.indexOf(`\0${name}=`)
  if (start < 0) return undefined
  const end = environ.indexOf('\0', start + 1)
  return environ.slice(start + name.length + 2, end < 0 ? undefined : end)
}

/** Whether a process was started with next to no environment, as by `env -i`. */
export function hasClearedEnvironment(pid: number): boolean {
  return readVariable(pid, 'PATH') === undefined && readVariable(pid, 'HOME') === undefined
}

/** Whether one of these pipes is a process's standard output or error. */
export function holdsPipe(pid: number, pipes: readonly string[]): boolean {
  if (pipes.length === 0) return false
  return [1, 2].some((fd) => {
    try {
      return pipes.includes(fs.readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  })
}

/** How much of a command line is told. */
const MAX_COMMAND_LINE = 200

/** The arguments of a process, for people. */
export function commandLine(pid: number): string {
  const text = Buffer.from(readProc(`${pid}/cmdline`) ?? '', 'latin1')
    .toString('utf8')
    .replace(/\0+$/, '')
    .replaceAll('\0', ' ')
  return text.length > MAX_COMMAND_LINE ? `${text.slice(0, MAX_COMMAND_LINE)}…` : text
}

const readBuffer = Buffer.allocUnsafeSlow(64 * 1024)
/** Kernel files have no size, and are given out by records of up to a page: a shorter piece than this is the last one. */
const SHORT_PIECE = 2048

/** A file below /proc; undefined when it is not there, or not ours to read. */
export function readProc(name: string): string | undefined {
  let fd: number
  try {
    fd = fs.openSync(`/proc/${name}`, 'r')
  } catch {
    return undefined
  }
  try {
    let text = ''
    for (;;) {
      const length = fs.readSync(fd, readBuffer)
      text += readBuffer.toString('latin1', 0, length)
      if (length < SHORT_PIECE) return text
    }
  } catch {
    return undefined
  } finally {
    fs.closeSync(fd)
  }
}
