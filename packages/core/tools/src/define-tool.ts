import type { z } from 'zod'
import type { AnyTool, ToolDefinition } from './types.ts'

/** Checks a tool's types where it is written and hands it on in the form that {@link ToolRegistry.register} takes. */
export function defineTool<Parameters extends z.ZodObject, Result>(tool: ToolDefinition<Parameters, Result>): AnyTool {
  return tool
}
