import path from 'node:path'
import type { Context } from 'cordis'
import { jobOwner } from 'dsh-jobs'
import { hasMixedLineEnds, type ShellExecRequest } from 'dsh-shell'
import type {} from 'dsh-system-prompt'
import { defineTool, type ToolExecution } from 'dsh-tools'
import type { ToolCommands } from './commands.ts'
import type { ShellToolConfig } from './config.ts'
import { registerLiveTool } from './live-tool.ts'
import { type ShellToolArguments, ShellToolParameters } from './parameters.ts'
import { renderShellResult, type ShellToolResult } from './render.ts'

const MIXED_LINE_ENDS =
  'some lines of the command end in CRLF, others in LF: the shell took the carriage returns for text'

/** The services that a shell tool needs. */
export const inject = ['tools', 'shell', 'systemPrompt', 'shellEnv', 'jobs', 'permission']

/** What tells one shell tool from another. */
export interface ShellToolDialect {
  readonly name: string
  /** What the model reads about the tool. */
  readonly description: string
  /** What the model should know before it ever calls it. */
  readonly prompt: string
}

/** Registers a tool that runs commands through `ctx.shell`, for as long as the calling plugin lives. */
export function registerShellTool(ctx: Context, dialect: ShellToolDialect, config: ShellToolConfig): void {
  ctx.systemPrompt.add({ id: `tool-${dialect.name}`, order: 100, text: dialect.prompt })
  registerLiveTool(ctx, dialect.name, config, ['minRole', 'visibility'], ({ config: face, commands }) =>
    defineTool({
      name: dialect.name,
      description: dialect.description,
      parameters: ShellToolParameters,
      minRole: face.minRole,
      visibility: face.visibility,
      mainAgentOnly: true,
      async execute(args, execution) {
        const result = await runOrStart(ctx, commands, args, execution)
        const finishedJobs = ctx.jobs.takeNotices(jobOwner(execution))
        return finishedJobs.length > 0 ? { ...result, finishedJobs } : result
      },
      render: renderShellResult,
    }),
  )
}

async function runOrStart(
  ctx: Context,
  commands: ToolCommands,
  args: ShellToolArguments,
  execution: ToolExecution,
): Promise<ShellToolResult> {
  const request = toRequest(args, execution)
  if (args.run_in_background) {
    const job = ctx.jobs.add(jobOwner(execution), args.command, commands.start(request, execution))
    execution.record?.({ job: job.id })
    return { job }
  }
  const result = await commands.run(request, execution)
  return result.exitCode !== 0 && hasMixedLineEnds(args.command) ? { ...result, hints: [MIXED_LINE_ENDS] } : result
}

function toRequest(args: ShellToolArguments, { cwd }: ToolExecution): ShellExecRequest {
  const workdir = args.workdir === undefined ? cwd : path.resolve(cwd ?? '.', args.workdir)
  return {
    command: args.command,
    ...(workdir !== undefined && { workdir }),
    ...(args.timeout_ms !== undefined && { timeoutMs: args.timeout_ms }),
    ...(args.stdin !== undefined && { stdin: args.stdin }),
  }
}
