import fs from 'node:fs'
import { ShellError } from 'dsh-errors'
import type { ScrubOptions, SubprocessSpawnSpec } from 'dsh-subprocess'
import { platformEncoding } from './collect/platform-encoding.ts'
import type { SpillFolder } from './collect/spill.ts'
import { childEnv } from './env.ts'
import { LocalSubprocessHandle, spawnFailed } from './handle.ts'
import type { Launched, Launcher } from './launch/launcher.ts'
import { ProcessOutput } from './output.ts'
import { resolveExecutable } from './resolve.ts'
import { SPAWN_ID } from './tree/linux.ts'
import type { ProcessTree } from './tree/tree.ts'

/** @public The requirement document names these as of this file. */
export { OutputCollector } from './collect/collector.ts'
/** @public */
export { childEnv } from './env.ts'

/** What a spawn needs of its runtime. */
export interface SpawnInternals {
  readonly launcher: Launcher
  readonly spills: SpillFolder
  readonly scrub: ScrubOptions
  /** A new one at each call, unique on this machine. */
  readonly nextSpawnId: () => string
  readonly treeOf: (pid: number, spawnId: string) => ProcessTree
  readonly windowsCodePage?: number | undefined
}

/**
 * Starts what the spec says, in a session of its own.
 * @throws ShellError INVALID_REQUEST, SPAWN_FAILED; then nothing runs and nothing is left open.
 */
export function spawnSubprocess(spec: SubprocessSpawnSpec, internals: SpawnInternals): LocalSubprocessHandle {
  const [command] = spec.argv
  if (command === undefined) throw new ShellError('INVALID_REQUEST', 'Cannot spawn an empty argv.')
  const spawnId = internals.nextSpawnId()
  const env = childEnv({ ...spec.env, [SPAWN_ID]: spawnId }, internals.scrub)
  const file = resolveExecutable(command, env)
  const launched = launch(spec, file, env, internals.launcher)
  const output = new ProcessOutput(spec.stdio, launched, {
    spills: internals.spills,
    platformEncoding: platformEncoding(process.platform, env, internals.windowsCodePage),
  })
  const handle = new LocalSubprocessHandle(launched, internals.treeOf(launched.pid, spawnId), output, spec.graceMs)
  if (spec.signal) terminateOnAbort(handle, spec.signal)
  return handle
}

function launch(spec: SubprocessSpawnSpec, file: string, env: Record<string, string>, launcher: Launcher): Launched {
  const { stdin, stdout, stderr } = spec.stdio
  const opened: number[] = []
  const open = (data: string | Uint8Array): number => {
    const fd = launcher.openInput(data)
    opened.push(fd)
    return fd
  }
  try {
    return launcher.launch({
      file,
      argv: spec.argv,
      cwd: spec.cwd,
      env,
      stdin: typeof stdin === 'string' ? stdin : open(stdin.data),
      stdout: stdout === 'ignore' ? 'ignore' : 'pipe',
      stderr: stderr === 'ignore' ? 'ignore' : 'pipe',
      fd3: spec.input3 === undefined ? undefined : open(spec.input3),
    })
  } catch (error) {
    throw spawnFailed(error)
  } finally {
    for (const fd of opened) fs.closeSync(fd)
  }
}

function terminateOnAbort(handle: LocalSubprocessHandle, signal: AbortSignal): void {
  const abort = (): void => void handle.terminate()
  if (signal.aborted) abort()
  else {
    signal.addEventListener('abort', abort, { once: true })
    void handle.gone.catch(() => {}).finally(() => signal.removeEventListener('abort', abort))
  }
}
