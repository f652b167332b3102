import { ROLES } from 'dsh-permission'
import { z } from 'zod'

export const ShellToolConfig = z.strictObject({
  minRole: z.enum(ROLES).default('admin').describe('The least role that may see and run this tool.'),
  visibility: z
    .enum(['essential', 'discoverable'])
    .default('essential')
    .describe('Whether the model is given the schema from the start, or the name to look it up by.'),
  maxConcurrent: z
    .number()
    .int()
    .min(1)
    .default(32)
    .describe(
      'How many commands of this tool run at once; further ones wait for their turn. Background jobs do not count.',
    ),
})
export type ShellToolConfig = z.infer<typeof ShellToolConfig>
