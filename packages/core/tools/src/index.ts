import { type Context, Service } from 'cordis'
import { ShellError } from 'dsh-errors'
import { type Role, roleAtLeast } from 'dsh-permission'
import { z } from 'zod'
import { parseArguments } from './arguments.ts'
import { assertRole } from './assert-role.ts'
import type { AnyTool, ToolExecution, ToolOutcome, ToolSchema } from './types.ts'

export { assertRole } from './assert-role.ts'
export { defineTool } from './define-tool.ts'
export type {
  AgentKind,
  AnyTool,
  ToolDefinition,
  ToolExecution,
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

  constructor(ctx: Context) {
    super(ctx, 'tools')
  }

  /**
   * Adds a tool for as long as the calling plugin lives; the returned function takes it away earlier.
   * @throws ShellError INVALID_REQUEST when the name is taken.
   */
  register(tool: AnyTool): () => void {
    const dispose = this.ctx.effect(() => {
      if (this.entries.has(tool.name)) {
        throw new ShellError('INVALID_REQUEST', `Cannot register tool "${tool.name}": the name is taken.`)
      }
      this.entries.set(tool.name, tool)
      return () => {
        this.entries.delete(tool.name)
      }
    }, `tool ${tool.name}`)
    return () => void dispose()
  }

  /** The names that `role` may see, sorted. */
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
    return describe(this.permitted(name, role))
  }

  /**
   * Runs a tool as the execution's principal, whose role is read at this moment.
   * @throws ShellError TOOL_NOT_FOUND, PERMISSION_DENIED, INVALID_REQUEST (an argument), or what the tool throws.
   */
  async execute(name: string, args: unknown, execution: ToolExecution): Promise<ToolOutcome> {
    const { permission } = this.ctx
    const tool = this.permitted(name, permission.roleOf(execution.principal))
    if (tool.mainAgentOnly && execution.agentKind !== 'main') {
      throw new ShellError('PERMISSION_DENIED', `Tool "${name}" is for the main agent; a sub-agent may not use it.`)
    }
    const parsed = parseArguments(name, tool.parameters, args)
    const result = await permission.runAs(execution.principal, () => tool.execute(parsed, execution))
    return { tool: name, result, text: tool.render(result) }
  }

  private permitted(name: string, role: Role): AnyTool {
    const tool = this.entries.get(name)
    if (!tool) {
      throw new ShellError(
        'TOOL_NOT_FOUND',
        `No tool is called "${name}". There are: ${this.names(role).join(', ') || 'none'}.`,
      )
    }
    assertRole(name, role, tool.minRole)
    return tool
  }

  private visible(role: Role): AnyTool[] {
    return [...this.entries.values()]
      .filter((tool) => roleAtLeast(role, tool.minRole))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
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

export default ToolRegistry
