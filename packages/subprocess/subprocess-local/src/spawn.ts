import { ShellError } from 'dsh-errors'
import type { ScrubOptions, SubprocessSpawnSpec } from 'dsh-subprocess'
import { platformEncoding } from './collect/platform-encoding.ts'
import type { SpillFolder } from './collect/spill.ts'
import { childEnv } from './env.ts'
import { LocalSubprocessHandle } from './handle.ts'
import type { Launched, Launcher } from './launch/launcher.ts'
import { ProcessOutput } from './output.ts'
import type { ExecutableCache } from './resolve.ts'
import { explainSpawnFailure } from './spawn-failure.ts'
import { SPAWN_ID, type TreeMarks } from './tree/linux.ts'
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
  readonly executables: ExecutableCache
  /** A new one at each call, unique on this machine. */
  readonly nextSpawnId: () => string
  readonly treeOf: (marks: Omit<TreeMarks, 'cgroup'>) => ProcessTree
  readonly windowsCodePage?: number | undefined
}

/**
 * Starts what the spec says, in a session of its own.
 * @throws ShellError INVALID_REQUEST, SPAWN_FAILED; then nothing runs and nothing is left open.
 */
export function spawnSubprocess(spec: SubprocessSpawnSpec, internals: SpawnInternals): LocalSubprocessHandle {
  const spawnId = internals.nextSpawnId()
  const env = childEnv({ ...spec.env, [SPAWN_ID]: spawnId }, internals.scrub)
  assertNoNul(spec)
  const launched = launchFound(spec, env, internals)
  const output = new ProcessOutput(spec.stdio, launched, {
    spills: internals.spills,
    platformEncoding: platformEncoding(process.platform, env, internals.windowsCodePage),
  })
  const tree = internals.treeOf({ leader: launched.pid, spawnId, pipes: () => pipesOf(launched) })
  const handle = new LocalSubprocessHandle(launched, tree, output, spec.graceMs)
  if (spec.signal) terminateOnAbort(handle, spec.signal)
  return handle
}

/** A program that was found before may have moved since. */
function launchFound(
  spec: SubprocessSpawnSpec,
  env: Readonly<Record<string, string>>,
  internals: SpawnInternals,
): Launched {
  const { executables, launcher } = internals
  const [command = ''] = spec.argv
  const file = executables.resolve(command, env)
  try {
    return launch(spec, file, env, launcher)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw explainSpawnFailure(error, env)
    executables.forget()
    if (executables.resolve(command, env) === file) throw explainSpawnFailure(error, env)
    return launchFound(spec, env, internals)
  }
}

function launch(
  spec: SubprocessSpawnSpec,
  file: string,
  env: Readonly<Record<string, string>>,
  launcher: Launcher,
): Launched {
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
  } finally {
    for (const fd of opened) launcher.closeInput(fd)
  }
}

/** The system would end a text at its first NUL, and run something else than what was asked for. */
function assertNoNul({ argv, env = {} }: SubprocessSpawnSpec): void {
  const argument = argv.findIndex((text) => text.includes('\0'))
  const [variable] = Object.entries(env).find(([name, value]) => name.includes('\0') || value.includes('\0')) ?? []
  if (argument < 0 && variable === undefined) return
  const what = argument < 0 ? `The variable ${JSON.stringify(variable)}` : `Argument ${argument}`
  throw new ShellError('INVALID_REQUEST', `${what} holds a NUL character; no process can be given one.`)
}

function pipesOf({ stdout, stderr }: Launched): string[] {
  return [stdout?.pipe(), stderr?.pipe()].filter((pipe) => pipe !== undefined)
}

function terminateOnAbort(handle: LocalSubprocessHandle, signal: AbortSignal): void {
  const abort = (): void => void handle.terminate()
  if (signal.aborted) abort()
  else {
    signal.addEventListener('abort', abort, { once: true })
    void handle.gone.catch(() => {}).finally(() => signal.removeEventListener('abort', abort))
  }
}
