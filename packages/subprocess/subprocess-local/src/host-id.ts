import { readStat } from './tree/proc.ts'

/** This process, as a folder name. */
export function hostId(): string {
  return `${process.pid}-${readStat('self')?.startTime ?? 0}`
}

/** Whether the process that {@link hostId} named still runs. */
export function isHostAlive(id: string): boolean {
  const [pid, start] = id.split('-')
  if (!/^\d+$/.test(pid ?? '')) return false
  if (start !== '0') return String(readStat(Number(pid))?.startTime) === start
  try {
    return process.kill(Number(pid), 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
