import { type Context, Service } from 'cordis'
import { ShellError } from 'dsh-errors'
import { ownPrincipal, type Role, roleAtLeast } from 'dsh-permission'
import { z } from 'zod'
import { assertInScope, currentScope, isInScope, runInScope } from './agent-scope.ts'
import { parseArguments } from './arguments.ts'
import { discoveryTools } from './discovery.ts'
import { assertRole, type Gate } from './gate.ts'
import { SubagentTools, type SubagentToolsOptions } from './subagent-tools.ts'
import { RunningCall, type ToolCall, type ToolMiddleware } from './tool-call.ts'
import type { AnyTool, ToolExecution, ToolOutcome, ToolSchema } from './types.ts'

export { defineTool } from './define-tool.ts'
export { assertRole, type Gate, gateOf } from './gate.ts'
export type { SubagentTools, SubagentToolsOptions } from './subagent-tools.ts'
export type { ToolCall, ToolMiddleware } from './tool-call.ts'
export type {
  AgentKind,
  AnyTool,
  ToolDefinition,
  ToolExecution,
  ToolFacts,
  ToolOutcome,
  ToolOutputSink,
  ToolSchema,
  ToolVisibility,
} from './types.ts'

declare module 'cordis' {
  interface Context {
    tools: ToolRegistry
  }
}

/** Provider of `ctx.tools`: what there is to call, for whom, and the gates before each call. */
export class ToolRegistry extends Service {
  static inject = ['permission']
  static Config = z.strictObject({})
  private readonly entries = new Map<string, AnyTool>()
  private readonly middlewares = new Set<ToolMiddleware>()
  private readonly discovery: ReadonlyMap<string, AnyTool>

  constructor(ctx: Context) {
    super(ctx, 'tools')
    const roleOf = ({ principal }: ToolExecution): Role => ctx.permission.roleOf(principal)
    const tools = discoveryTools({
      list: (execution) => this.visible(roleOf(execution)).map(describe),
      schema: (name, execution) => this.schema(name, roleOf(execution)),
    })
    this.discovery = new Map(tools.map((tool) => [tool.name, tool]))
  }

  /**
   * Adds a tool for as long as the calling plugin lives; the returned function takes it away earlier.
   * @throws ShellError INVALID_REQUEST when the name is taken.
   */
  register(tool: AnyTool): () => void {
    const dispose = this.ctx.effect(() => {
      if (this.find(tool.name)) {
        throw new ShellError('INVALID_REQUEST', `Cannot register tool "${tool.name}": the name is taken.`)
      }
      this.entries.set(tool.name, tool)
      return () => {
        this.entries.delete(tool.name)
      }
    }, `tool ${tool.name}`)
    return () => void dispose()
  }

  /** Puts `middleware` around every call, inside those that are there, for as long as the calling plugin lives. */
  use(middleware: ToolMiddleware): () => void {
    const dispose = this.ctx.effect(() => {
      this.middlewares.add(middleware)
      return () => {
        this.middlewares.delete(middleware)
      }
    }, 'tool middleware')
    return () => void dispose()
  }

  /** The names that `role` may see, sorted; for a sub-agent, those of them that it is given. */
  names(role: Role): string[] {
    return this.visible(role).map((tool) => tool.name)
  }

  /** Tools to hand to the model with their schemas. */
  listEssential(role: Role): ToolSchema[] {
    return this.list(role, 'essential')
  }

  /** Tools to name to the model, which looks their schemas up when it needs them. */
  listDiscoverable(role: Role): ToolSchema[] {
    return this.list(role, 'discoverable')
  }

  /**
   * The schema of one tool.
   * @throws ShellError TOOL_NOT_FOUND, PERMISSION_DENIED.
   */
  schema(name: string, role: Role): ToolSchema {
    return describe(this.permitted(name, role, 'listing'))
  }

  /** The registry as a sub-agent sees it: without the tools that are for the main agent, whatever it is told to allow. */
  forSubagent({ allow }: SubagentToolsOptions = {}): SubagentTools {
    return new SubagentTools(this, { allow: allow && new Set(allow) })
  }

  /**
   * Runs a tool as the execution's principal, whose role is read at this moment.
   * @returns the tool's outcome; for a tool that has a form for it, also when the call was refused.
   * @throws ShellError TOOL_NOT_FOUND, PERMISSION_DENIED, INVALID_REQUEST (an argument), or what the tool throws.
   */
  async execute(name: string, args: unknown, execution: ToolExecution): Promise<ToolOutcome> {
    const isSubagent = currentScope() !== undefined || ownField(execution, 'agentKind') !== 'main'
    const principal = ownPrincipal(execution.principal)
    const role = this.ctx.permission.roleOf(principal)
    const call = new RunningCall(name, args, { ...execution, principal, agentKind: isSubagent ? 'sub' : 'main' }, role)
    const action = (): Promise<ToolOutcome> => this.around([...this.middlewares], call)
    try {
      return await (isSubagent ? runInScope({}, action) : action())
    } catch (error) {
      const tool = this.find(name)
      if (!tool?.refuse || !ShellError.is(error)) throw error
      const result = tool.refuse(error, args)
      return { tool: name, result, text: tool.render(result), refusal: error }
    }
  }

  private async around([first, ...rest]: readonly ToolMiddleware[], call: RunningCall): Promise<ToolOutcome> {
    return first ? await first(call, () => this.around(rest, call)) : await this.run(call)
  }

  private async run({ name, args, execution }: ToolCall): Promise<ToolOutcome> {
    const { permission } = this.ctx
    const tool = this.permitted(name, permission.roleOf(execution.principal), 'execution')
    const parsed = parseArguments(name, tool.parameters, args)
    const result = await permission.runAs(execution.principal, () => tool.execute(parsed, execution))
    return { tool: name, result, text: tool.render(result) }
  }

  private find(name: string): AnyTool | undefined {
    return this.entries.get(name) ?? this.discovery.get(name)
  }

  private permitted(name: string, role: Role, gate: Gate): AnyTool {
    const tool = this.find(name)
    if (!tool) {
      throw new ShellError(
        'TOOL_NOT_FOUND',
        `No tool is called "${name}". There are: ${this.names(role).join(', ') || 'none'}.`,
      )
    }
    assertInScope(tool, currentScope())
    assertRole(name, role, tool.minRole, gate)
    return tool
  }

  private visible(role: Role): AnyTool[] {
    const scope = currentScope()
    const mayUse = (tool: AnyTool): boolean => roleAtLeast(role, tool.minRole) && isInScope(tool, scope)
    const tools = [...this.entries.values()].filter(mayUse)
    // Where there is nothing to discover nobody needs the tools for it.
    const hidden = tools.some((tool) => tool.visibility === 'discoverable')
    const all = hidden ? [...tools, ...[...this.discovery.values()].filter(mayUse)] : tools
    return all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }

  private list(role: Role, visibility: AnyTool['visibility']): ToolSchema[] {
    return this.visible(role)
      .filter((tool) => tool.visibility === visibility)
      .map(describe)
  }
}

function describe(tool: AnyTool): ToolSchema {
  const { name, description, visibility, parameters } = tool
  return { name, description, visibility, parameters: z.toJSONSchema(parameters, { io: 'input' }) }
}

/** What an object was given, and not what somebody has put into the prototype of all objects. */
function ownField<T extends object, Field extends keyof T>(object: T, field: Field): T[Field] | undefined {
  return Object.hasOwn(object, field) ? object[field] : undefined
}

export default ToolRegistry
