import type { ShellError } from 'dsh-errors'
import type { Principal, Role } from 'dsh-permission'
import type { z } from 'zod'

/** `essential` tools are given to the model with their schema; `discoverable` ones by name, to be looked up. */
export type ToolVisibility = 'essential' | 'discoverable'

/** Which kind of agent calls: a sub-agent never reaches a tool that is `mainAgentOnly`. */
export type AgentKind = 'main' | 'sub'

/** Takes a command's output while it runs. */
export interface ToolOutputSink {
  /** `text` never holds half a character; `bytes` is what arrived, valid only during the call. */
  write(stream: 'stdout' | 'stderr', text: string, bytes: Uint8Array): void
}

/** What a tool has to tell about a call beside its result: for an audit trail. */
export interface ToolFacts {
  /** Where a command ran. */
  readonly cwd?: string
  readonly exitCode?: number
  readonly signal?: string
  readonly timedOut?: boolean
  readonly aborted?: boolean
  readonly stdoutBytes?: number
  readonly stderrBytes?: number
  /** How many processes a command left running. */
  readonly background?: number
  /** The background job that the call has started. */
  readonly job?: string
  /** Who allowed what the policy alone would not. */
  readonly approvedBy?: string
}

/** What the host says about one call. Made by the host, never from a model's arguments. */
export interface ToolExecution {
  readonly callId: string
  readonly principal: Principal
  readonly agentKind: AgentKind
  /** The conversation that owns what the call leaves behind, such as background jobs. Default: the principal. */
  readonly session?: string
  /** The session's current directory; relative paths in arguments start here. */
  readonly cwd?: string
  readonly signal?: AbortSignal
  readonly output?: ToolOutputSink
  /** Takes what the tool has to tell, as it learns it. Set by the registry. */
  readonly record?: (facts: ToolFacts) => void
}

export interface ToolDefinition<Parameters extends z.ZodObject = z.ZodObject, Result = unknown> {
  readonly name: string
  readonly description: string
  /** A strict object: an argument that it does not name is refused. */
  readonly parameters: Parameters
  readonly minRole: Role
  readonly visibility: ToolVisibility
  readonly mainAgentOnly: boolean
  execute(args: z.output<Parameters>, execution: ToolExecution): Promise<Result>
  /** What the model reads. */
  render(result: Result): string
  /**
   * A refused call in the form of this tool's results; without it the error is thrown. `args` are as they came.
   */
  refuse?(error: ShellError, args: unknown): Result
}

/** A tool as the registry keeps it: its types are checked where it is defined. */
export type AnyTool = ToolDefinition

export interface ToolSchema {
  readonly name: string
  readonly description: string
  readonly visibility: ToolVisibility
  /** JSON Schema, draft 2020-12, of the arguments. */
  readonly parameters: Record<string, unknown>
}

export interface ToolOutcome {
  readonly tool: string
  readonly result: unknown
  /** What the model sees. */
  readonly text: string
  /** Why the call was refused, or could not run; `result` says the same in the tool's own form. */
  readonly refusal?: ShellError
}
