import { type Context, Service } from 'cordis'
import type {
  SubprocessHandle,
  SubprocessSpawnSpec,
  SubprocessTerminalHandle,
  SubprocessTerminalSpawnSpec,
} from './types.ts'

export { type ScrubbedEnv, type ScrubOptions, SENSITIVE_ENV_PATTERN, scrubbedParentEnv, scrubEnv } from './env.ts'
export type {
  BackgroundProcess,
  CollectedOutput,
  SubprocessCollect,
  SubprocessHandle,
  SubprocessOutcome,
  SubprocessOutputMode,
  SubprocessSpawnSpec,
  SubprocessStdinMode,
  SubprocessStdio,
  SubprocessTerminalHandle,
  SubprocessTerminalSpawnSpec,
} from './types.ts'

declare module 'cordis' {
  interface Context {
    subprocess: SubprocessRuntime
  }
}

/**
 * Owner of live process trees. It applies no defaults and classifies nothing: whoever spawns owns the deadline.
 *
 * A provider ends every tree that it started, and waits for that, when its plugin is disposed; and does what the machine
 * allows to end them when the host process dies.
 */
export abstract class SubprocessRuntime extends Service {
  constructor(ctx: Context) {
    super(ctx, 'subprocess')
  }

  /**
   * The absolute path of a program: an absolute path is checked, a bare name is looked up on the PATH of `env` (default:
   * of this process). A relative path with a separator is refused, since what it means depends on a folder.
   * @throws ShellError INVALID_REQUEST; SPAWN_FAILED with `details.errno` when there is no such program.
   */
  abstract resolveExecutable(
    command: string,
    env?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<string>

  /**
   * Starts a process in a session of its own.
   * @throws ShellError SPAWN_FAILED with `details.errno`; then nothing runs and nothing is left open.
   */
  abstract spawn(spec: SubprocessSpawnSpec): SubprocessHandle

  /**
   * Starts a process on a terminal of its own.
   * @throws ShellError NOT_SUPPORTED, SPAWN_FAILED.
   */
  abstract spawnTerminal(spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle>
}
