import fs from 'node:fs'
import { readStat } from './tree/proc.ts'

/** This process, as a folder name: its number, when it began, and the namespace in which that number counts. */
export function hostId(): string {
  return `${process.pid}-${readStat('self')?.startTime ?? 0}-${pidNamespace()}`
}

/** Whether the process that {@link hostId} named may still run. Of one in another namespace nobody here can tell. */
export function isHostAlive(id: string): boolean {
  const [pid, start, namespace] = id.split('-')
  if (!/^\d+$/.test(pid ?? '')) return false
  if (namespace !== pidNamespace()) return true
  if (start !== '0') return String(readStat(Number(pid))?.startTime) === start
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The number of this process's pid namespace (namespaces(7)); 0 where there are none. */
function pidNamespace(): string {
  try {
    return /\d+/.exec(fs.readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
}
