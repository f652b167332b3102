import type { Context } from 'cordis'
import { registerShellTool, ShellToolConfig } from 'dsh-tool-shell'
import { DESCRIPTION, PROMPT } from './prompt.ts'

export const name = 'dsh-tool-bash'
export { inject } from 'dsh-tool-shell'
export const Config = ShellToolConfig

/** Consumer: the tool `bash`. */
export function apply(ctx: Context, config: ShellToolConfig): void {
  registerShellTool(ctx, { name: 'bash', description: DESCRIPTION, prompt: PROMPT }, config)
}
