import { isHostAlive } from '../host-id.ts'
import { trySignal } from './group.ts'
import { SPAWN_ID } from './linux.ts'
import { allPids, readStat, readVariable } from './proc.ts'

/**
 * Ends what hosts have left that died together with their guardian: processes that carry the mark of a host which is no
 * more.
 */
export function killStrays(): void {
  for (const pid of allPids()) {
    const host = readVariable(pid, SPAWN_ID)?.replace(/\.\d+$/, '')
    if (host === undefined || isHostAlive(host)) continue
    const before = readStat(pid)
    // The number may have been given to somebody else since its environment was read.
    if (before && readVariable(pid, SPAWN_ID)?.startsWith(`${host}.`)) trySignal(pid, 'SIGKILL')
  }
}
