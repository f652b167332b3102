import { type Context, Service } from 'cordis'
import type { SandboxMode, ShellExecRequest, ShellExecSpec, ShellProcess, ShellRunResult } from './types.ts'

export { hasMixedLineEnds } from './command.ts'
export type {
  DshEnvironment,
  SandboxExecutionPolicy,
  SandboxMode,
  ShellExecRequest,
  ShellExecSpec,
  ShellOutputListener,
  ShellProcess,
  ShellRunResult,
  ShellSandboxInfo,
} from './types.ts'

declare module 'cordis' {
  interface Context {
    shell: ShellExecutor
  }
}

/**
 * Runs commands in a shell. A consumer always calls `run(resolve(request))`: defaults and caps are applied in `resolve`,
 * in the open, and nowhere else.
 */
export abstract class ShellExecutor extends Service {
  constructor(ctx: Context) {
    super(ctx, 'shell')
  }

  /** The mode in which commands are confined unless they ask otherwise; undefined for a provider that confines nothing. */
  get sandboxMode(): SandboxMode | undefined {
    return undefined
  }

  /**
   * Fills every field that the request leaves out, and caps the rest.
   * @throws ShellError INVALID_REQUEST that names the field, the value and the rule.
   */
  abstract resolve(request: ShellExecRequest): ShellExecSpec

  /**
   * Runs a command to its end. Rejects only when nothing ran.
   * @throws ShellError INVALID_REQUEST, WORKDIR_UNUSABLE, SHELL_NOT_FOUND, SPAWN_FAILED, SANDBOX_UNAVAILABLE, or ABORTED
   * when the signal had already aborted.
   */
  abstract run(spec: ShellExecSpec): Promise<ShellRunResult>

  /** Starts a command and returns at once. @throws as {@link run}, at once. */
  abstract start(spec: ShellExecSpec): ShellProcess
}
