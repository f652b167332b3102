import path from 'node:path'
import type { Context } from 'cordis'
import { jobOwner } from 'dsh-jobs'
import type {} from 'dsh-permission'
import { hasMixedLineEnds, type ShellExecRequest } from 'dsh-shell'
import type {} from 'dsh-shell-env'
import type {} from 'dsh-system-prompt'
import { assertRole, defineTool, type ToolExecution } from 'dsh-tools'
import type { ShellToolConfig } from './config.ts'
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
  let current = config
  ctx.on('internal/update', (next: ShellToolConfig, _noSave, proceed) => {
    // The gate at the handler follows at once; what the registry shows needs a new registration.
    const sameFace = next.minRole === current.minRole && next.visibility === current.visibility
    current = next
    return sameFace ? undefined : proceed()
  })
  ctx.systemPrompt.add({ id: `tool-${dialect.name}`, order: 100, text: dialect.prompt })
  ctx.tools.register(
    defineTool({
      name: dialect.name,
      description: dialect.description,
      parameters: ShellToolParameters,
      minRole: config.minRole,
      visibility: config.visibility,
      mainAgentOnly: true,
      async execute(args, execution) {
        // The third gate: whoever gets here by whatever way still needs the role, as it is at this moment.
        assertRole(dialect.name, ctx.permission.role(), current.minRole)
        const result = await runOrStart(ctx, dialect, args, execution)
        const finishedJobs = ctx.jobs.takeNotices(jobOwner(execution))
        return finishedJobs.length > 0 ? { ...result, finishedJobs } : result
      },
      render: renderShellResult,
    }),
  )
}

async function runOrStart(
  ctx: Context,
  dialect: ShellToolDialect,
  args: ShellToolArguments,
  execution: ToolExecution,
): Promise<ShellToolResult> {
  const request = toRequest(ctx, dialect, args, execution)
  if (args.run_in_background) {
    const process = ctx.shell.start(ctx.shell.resolve(request))
    return { job: ctx.jobs.add(jobOwner(execution), args.command, process) }
  }
  const { signal, output } = execution
  const live: Partial<ShellExecRequest> = {
    ...(signal && { signal }),
    ...(output && { onOutput: (stream, text, bytes) => output.write(stream, text, bytes) }),
  }
  const result = await ctx.shell.run(ctx.shell.resolve({ ...request, ...live }))
  return result.exitCode !== 0 && hasMixedLineEnds(args.command) ? { ...result, hints: [MIXED_LINE_ENDS] } : result
}

function toRequest(
  ctx: Context,
  dialect: ShellToolDialect,
  args: ShellToolArguments,
  { callId, session, cwd }: ToolExecution,
): ShellExecRequest {
  const workdir = args.workdir === undefined ? cwd : path.resolve(cwd ?? '.', args.workdir)
  return {
    command: args.command,
    dshEnv: ctx.shellEnv.variables({
      callId,
      tool: dialect.name,
      ...(session !== undefined && { session }),
    }),
    ...(workdir !== undefined && { workdir }),
    ...(args.timeout_ms !== undefined && { timeoutMs: args.timeout_ms }),
    ...(args.stdin !== undefined && { stdin: args.stdin }),
  }
}
