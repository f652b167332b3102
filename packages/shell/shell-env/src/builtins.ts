/** What one tool call is, as far as its command may know. */
export interface ShellEnvCall {
  readonly callId: string
  readonly tool: string
  readonly session?: string
}

export type DshVariables = Record<`DSH_${string}`, string>

/** Variables that every command of a tool is given. */
export function builtinVariables(call: ShellEnvCall): DshVariables {
  return {
    DSH_AGENT: '1',
    DSH_TOOL: call.tool,
    DSH_CALL_ID: call.callId,
    ...(call.session !== undefined && { DSH_SESSION: call.session }),
  }
}
