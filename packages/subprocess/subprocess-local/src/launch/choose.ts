import { isMainThread } from 'node:worker_threads'
import { ShellError } from 'dsh-errors'
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
export async function chooseLauncher(
  choice: LauncherChoice,
  platform: NodeJS.Platform = process.platform,
  load: () => LibC = loadLibC,
): Promise<ChosenLauncher> {
  if (choice === 'execa') return await withExeca()
  const obstacle = obstacleToPosixSpawn(platform)
  if (obstacle === undefined) {
    try {
      return withPosixSpawn(load())
    } catch (error) {
      return await fallBack(choice, `koffi cannot be used: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // Where it is not made for there is nothing to be warned of.
  return await (choice === 'auto' ? withExeca() : fallBack(choice, obstacle))
}

export interface LauncherReport {
  readonly name: Launcher['name']
  readonly limitation?: string
}

/** Which launcher `auto` would take in this process; for a report on what the machine offers. */
export async function probeLauncher(): Promise<LauncherReport> {
  const { launcher, limitation, dispose } = await chooseLauncher('auto')
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

/** Loaded only where it is used: it takes longer to load than a command to run. */
async function withExeca(limitation?: string): Promise<ChosenLauncher> {
  const { ExecaLauncher } = await import('./execa.ts')
  return { launcher: new ExecaLauncher(), dispose: async () => {}, ...(limitation !== undefined && { limitation }) }
}

async function fallBack(choice: LauncherChoice, limitation: string): Promise<ChosenLauncher> {
  if (choice === 'auto') return await withExeca(limitation)
  throw new ShellError('NOT_SUPPORTED', `The launcher "${choice}" does not work here: ${limitation}.`)
}
