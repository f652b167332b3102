import type { Role } from 'dsh-permission'
import { runInScope, type SubagentScope } from './agent-scope.ts'
import type { ToolExecution, ToolOutcome, ToolSchema } from './types.ts'

export interface SubagentToolsOptions {
  /** The tools to give to it, by name. One that is for the main agent is not given, also when it is named. */
  readonly allow?: readonly string[]
}

/** What a sub-agent's view stands on. */
export interface ToolView {
  names(role: Role): string[]
  listEssential(role: Role): ToolSchema[]
  listDiscoverable(role: Role): ToolSchema[]
  schema(name: string, role: Role): ToolSchema
  execute(name: string, args: unknown, execution: ToolExecution): Promise<ToolOutcome>
}

/** The registry within the bounds of one sub-agent: the same methods, with what it may not have left out. */
export class SubagentTools implements ToolView {
  private readonly registry: ToolView
  private readonly scope: SubagentScope

  constructor(registry: ToolView, scope: SubagentScope) {
    this.registry = registry
    this.scope = scope
  }

  /** Runs the sub-agent itself: whatever it reaches from inside `action`, it stays a sub-agent. */
  run<T>(action: () => T): T {
    return runInScope(this.scope, action)
  }

  names(role: Role): string[] {
    return this.run(() => this.registry.names(role))
  }

  listEssential(role: Role): ToolSchema[] {
    return this.run(() => this.registry.listEssential(role))
  }

  listDiscoverable(role: Role): ToolSchema[] {
    return this.run(() => this.registry.listDiscoverable(role))
  }

  schema(name: string, role: Role): ToolSchema {
    return this.run(() => this.registry.schema(name, role))
  }

  execute(name: string, args: unknown, execution: ToolExecution): Promise<ToolOutcome> {
    return this.run(() => this.registry.execute(name, args, execution))
  }

  /** A sub-agent of this one has at most what this one has. */
  forSubagent({ allow }: SubagentToolsOptions = {}): SubagentTools {
    return new SubagentTools(this, { allow: allow && new Set(allow) })
  }
}
