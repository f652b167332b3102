import { z } from 'zod'
import { defineTool } from './define-tool.ts'
import type { AnyTool, ToolExecution, ToolSchema } from './types.ts'

/** What the two tools need of the registry: the view of whoever calls. */
export interface ToolCatalogue {
  list(execution: ToolExecution): ToolSchema[]
  schema(name: string, execution: ToolExecution): ToolSchema
}

/** `list_tools` and `get_tool_schema`, by which a model finds the tools that it was not given from the start. */
export function discoveryTools(catalogue: ToolCatalogue): AnyTool[] {
  const shared = { minRole: 'guest', visibility: 'essential', mainAgentOnly: false } as const
  return [
    defineTool({
      ...shared,
      name: 'list_tools',
      description: 'Lists every tool that you may call, with what it does. get_tool_schema gives the arguments of one.',
      parameters: z.strictObject({}),
      execute: async (_args, execution) =>
        catalogue.list(execution).map(({ name, description, visibility }) => ({ name, description, visibility })),
      render: (tools) => tools.map(({ name, description }) => `${name}: ${firstLine(description)}`).join('\n'),
    }),
    defineTool({
      ...shared,
      name: 'get_tool_schema',
      description: 'Returns the description and the JSON Schema of the arguments of one tool.',
      parameters: z.strictObject({ name: z.string().min(1).describe('The tool, as list_tools names it.') }),
      execute: async ({ name }, execution) => catalogue.schema(name, execution),
      render: (schema) => JSON.stringify(schema),
    }),
  ]
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
