export { ShellToolConfig } from './config.ts'
export { ShellToolParameters } from './parameters.ts'
export { inject, registerShellTool, type ShellToolDialect } from './register.ts'
export { markers, renderShellResult, type ShellToolResult } from './render.ts'
