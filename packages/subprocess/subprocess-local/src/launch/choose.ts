import { isMainThread } from 'node:worker_threads'
import { ShellError } from 'dsh-errors'
import { ExecaLauncher } from './execa.ts'
import type { Launcher } from './launcher.ts'
import { PosixSpawnLauncher } from './posix.ts'
import { type LibC, loadLibC } from './posix-ffi.ts'
import { Reaper } from './reaper.ts'

export const LAUNCHERS = ['auto', 'posix-spawn', 'execa'] as const
export type LauncherChoice = (typeof LAUNCHERS)[number]

export interface ChosenLauncher {
  readonly launcher: Launcher
  /** Why it is not the preferred one. */
  readonly limitation?: string
  readonly dispose: () => Promise<void>
}

/**
 * The launcher for this process. `auto` takes posix-spawn where it works, and execa with a reason elsewhere.
 * @throws ShellError NOT_SUPPORTED when posix-spawn is asked for by name and does not work.
 */
export function chooseLauncher(
  choice: LauncherChoice,
  platform: NodeJS.Platform = process.platform,
  load: () => LibC = loadLibC,
): ChosenLauncher {
  if (choice === 'execa') return withExeca()
  const obstacle = obstacleToPosixSpawn(platform)
  if (obstacle === undefined) {
    try {
      return withPosixSpawn(load())
    } catch (error) {
      return fallBack(choice, `koffi cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // Where it is not made for there is nothing to be warned of.
  return choice === 'auto' ? withExeca() : fallBack(choice, obstacle)
}

export interface LauncherReport {
  readonly name: Launcher['name']
  readonly limitation?: string
}

/** Which launcher `auto` would take in this process; for a report on what the machine offers. */
export async function probeLauncher(): Promise<LauncherReport> {
  const { launcher, limitation, dispose } = chooseLauncher('auto')
  await dispose()
  return { name: launcher.name, ...(limitation !== undefined && { limitation }) }
}

function obstacleToPosixSpawn(platform: NodeJS.Platform): string | undefined {
  if (platform !== 'linux') return `it is for Linux, not for ${platform}`
  if (!isMainThread) return 'signals reach the main thread alone, and this is a worker'
  return undefined
}

function withPosixSpawn(libc: LibC): ChosenLauncher {
  const reaper = new Reaper(libc)
  return { launcher: new PosixSpawnLauncher(libc, reaper), dispose: () => reaper.dispose() }
}

function withExeca(limitation?: string): ChosenLauncher {
  return { launcher: new ExecaLauncher(), dispose: async () => {}, ...(limitation !== undefined && { limitation }) }
}

function fallBack(choice: LauncherChoice, limitation: string): ChosenLauncher {
  if (choice === 'auto') return withExeca(limitation)
  throw new ShellError('NOT_SUPPORTED', `The launcher "${choice}" does not work here: ${limitation}.`)
}
