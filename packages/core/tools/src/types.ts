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
}
