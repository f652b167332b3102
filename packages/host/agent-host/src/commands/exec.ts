import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { Context } from 'cordis'
import type { ShellRunResult } from 'dsh-shell'
import { markers } from 'dsh-tool-shell'
import type { ToolExecution, ToolOutcome } from 'dsh-tools'
import { parsePrincipal } from '../principal.ts'
import { need } from '../services.ts'
import { type ExecArguments, toolArguments } from './arguments.ts'
import { exitCodeOf, isRunResult } from './exit-code.ts'

export interface ExecOptions extends ExecArguments {
  readonly tool: string
  readonly json: boolean
  readonly as: string
  readonly cwd: string | undefined
  /** Whether the host ends after this call, and with it what the command has left running. */
  readonly endsWithCall: boolean
}

/** Where a command of this program writes. */
export interface Terminal {
  stdout(data: string | Uint8Array): void
  stderr(data: string | Uint8Array): void
}

/** Calls one tool. @returns this program's exit code. @throws ShellError what the tool throws. */
export async function exec(
  ctx: Context,
  options: ExecOptions,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const outcome = await callTool(ctx, options, signal, options.json ? undefined : terminal)
  if (options.json) {
    terminal.stdout(`${JSON.stringify({ ok: true, ...outcome })}\n`)
    return 0
  }
  return report(outcome, terminal, options.endsWithCall)
}

/** Runs the tool; with a terminal, the command's output goes there as it comes. */
async function callTool(
  ctx: Context,
  options: ExecOptions,
  signal: AbortSignal,
  terminal: Terminal | undefined,
): Promise<ToolOutcome> {
  const tools = need(ctx, 'tools', 'dsh-tools')
  const permission = need(ctx, 'permission', 'dsh-permission')
  const principal = parsePrincipal(options.as)
  const schema = tools.schema(options.tool, permission.roleOf(principal))
  const execution: ToolExecution = {
    callId: randomUUID(),
    principal,
    agentKind: 'main',
    signal,
    ...(options.cwd !== undefined && { cwd: path.resolve(options.cwd) }),
    ...(terminal && { output: { write: (stream, _text, bytes) => terminal[stream](bytes) } }),
  }
  return await tools.execute(options.tool, toolArguments(schema, options), execution)
}

/** What is left to say when the output has been shown already. */
function report({ result, text }: ToolOutcome, terminal: Terminal, endsWithCall: boolean): number {
  if (!isRunResult(result)) {
    terminal.stdout(`${text}\n`)
    return 0
  }
  for (const marker of notable(result)) terminal.stderr(`${marker}\n`)
  if (result.background && endsWithCall) terminal.stderr('[the background processes end with this call]\n')
  return exitCodeOf(result)
}

/** An exit code is no news to whoever reads the exit code of this program. */
function notable(result: ShellRunResult): string[] {
  return markers(result).filter((marker) => !marker.startsWith('[exit code '))
}
