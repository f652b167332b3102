import { createInterface } from 'node:readline'
import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import { LOCAL_OPERATOR } from '../principal.ts'
import { exec, type Terminal } from './exec.ts'

const PROMPT = 'dsh> '

/**
 * Reads commands line by line and runs each through the tool `bash` as the local operator. Ctrl-C cancels the command that
 * runs, or empties the line; Ctrl-D leaves.
 * @returns the exit code of the last command.
 */
export async function prompt(ctx: Context, terminal: Terminal, leave: AbortSignal): Promise<number> {
  const { stdin, stdout } = process
  const lines = createInterface({
    input: stdin,
    output: stdout,
    prompt: PROMPT,
    historySize: 1000,
    terminal: stdin.isTTY,
  })
  let running: AbortController | undefined
  lines.on('SIGINT', () => {
    if (running) running.abort()
    else {
      stdout.write('^C\n')
      lines.write(null, { ctrl: true, name: 'u' })
      lines.prompt()
    }
  })
  leave.addEventListener('abort', () => {
    running?.abort()
    lines.close()
  })
  const show = (): void => {
    if (stdin.isTTY && !leave.aborted) lines.prompt()
  }
  let exitCode = 0
  show()
  for await (const line of lines) {
    if (line.trim() !== '') {
      running = new AbortController()
      exitCode = await runLine(ctx, line, terminal, running.signal)
      running = undefined
    }
    show()
  }
  if (stdin.isTTY) stdout.write('\n')
  return exitCode
}

async function runLine(ctx: Context, command: string, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const options = {
    tool: 'bash',
    json: false,
    as: LOCAL_OPERATOR,
    cwd: undefined,
    command,
    timeout: undefined,
    set: [],
    endsWithCall: false,
  }
  try {
    return await exec(ctx, options, terminal, signal)
  } catch (error) {
    if (!ShellError.is(error)) throw error
    terminal.stderr(`${error.code}: ${error.message}\n`)
    return 1
  }
}
