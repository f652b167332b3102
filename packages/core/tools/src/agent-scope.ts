import { AsyncLocalStorage } from 'node:async_hooks'
import { ShellError } from 'dsh-errors'
import type { AnyTool } from './types.ts'

/** What a sub-agent may see and call, beside what its role allows. */
export interface SubagentScope {
  /** Names that it is given; undefined for all. */
  readonly allow?: ReadonlySet<string> | undefined
}

/** Travels with everything that a sub-agent does, also into a call that reaches the registry by another way. */
const scopes = new AsyncLocalStorage<SubagentScope>()

/** The sub-agent that acts in the current asynchronous context; undefined for the main agent. */
export function currentScope(): SubagentScope | undefined {
  return scopes.getStore()
}

/** Runs `action` as a sub-agent within the one that acts now: it has at most what both are given. */
export function runInScope<T>({ allow }: SubagentScope, action: () => T): T {
  const outer = currentScope()?.allow
  const names = allow && outer ? new Set([...allow].filter((name) => outer.has(name))) : (allow ?? outer)
  return scopes.run({ allow: names }, action)
}

export function isInScope(tool: AnyTool, scope: SubagentScope | undefined): boolean {
  return scope === undefined || (!tool.mainAgentOnly && (scope.allow?.has(tool.name) ?? true))
}

/** @throws ShellError PERMISSION_DENIED, gate `sub-agent`. */
export function assertInScope(tool: AnyTool, scope: SubagentScope | undefined): void {
  if (isInScope(tool, scope)) return
  const why = tool.mainAgentOnly
    ? 'is for the main agent; a sub-agent may not use it'
    : 'was not given to this sub-agent'
  throw new ShellError('PERMISSION_DENIED', `Tool "${tool.name}" ${why}.`, { gate: 'sub-agent', tool: tool.name })
}
