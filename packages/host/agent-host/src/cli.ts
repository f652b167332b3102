import fs from 'node:fs'
import { Command, CommanderError } from 'commander'
import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import { boot } from './boot.ts'
import { check } from './commands/check.ts'
import { doctor } from './commands/doctor.ts'
import { exec, type Terminal } from './commands/exec.ts'
import { prompt } from './commands/prompt.ts'
import { tools } from './commands/tools.ts'
import { LOCAL_OPERATOR } from './principal.ts'

/** Exit code of this program when it could not do what it was asked; the message is on stderr. */
const FAILED = 1
/** Exit code for a command line that cannot be understood. */
const USAGE = 2

export interface CliProcess {
  readonly argv: readonly string[]
  readonly terminal: Terminal
  /** Aborts when the program is told to leave. */
  readonly leave: AbortSignal
}

/** Runs one command line. @returns the exit code; what was started has ended by then. */
export async function main({ argv, terminal, leave }: CliProcess): Promise<number> {
  let exitCode = 0
  const json = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : undefined).includes('--json')
  const program = createProgram(terminal, leave, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...argv], { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE
    report(error, json, terminal)
    return FAILED
  }
}

function createProgram(terminal: Terminal, leave: AbortSignal, finish: (code: number) => void): Command {
  const program = new Command('dsh-host')
    .description('Boots the plugins of a cordis.yml and runs their tools.')
    .version(version())
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.stdout(text), writeErr: (text) => terminal.stderr(text) })
  const withConfig = (command: Command) => command.option('--config <file>', 'the composition to boot', 'cordis.yml')
  const asSomebody = (command: Command) =>
    withConfig(command).option('--as <principal>', 'who calls: platform:user[@platform:group]', LOCAL_OPERATOR)

  asSomebody(program.command('exec <tool> [command...]'))
    .description('calls one tool; COMMAND stands after --')
    .option('--json', 'print one JSON object with the whole result', false)
    .option('--cwd <dir>', 'the folder to run in')
    .option('--timeout <ms>', 'the deadline in milliseconds')
    .option('--set <name=value>', 'a further argument of the tool', (value, all: string[]) => [...all, value], [])
    .action(async (tool: string, words: string[], options) => {
      const command = words.length > 0 ? words.join(' ') : undefined
      await withHost(options.config, leave, async (ctx) =>
        finish(await exec(ctx, { ...options, tool, command, endsWithCall: true }, terminal, leave)),
      )
    })
  asSomebody(program.command('tools'))
    .description('lists the tools that a principal may see, with their JSON Schemas')
    .option('--json', 'print one JSON object', false)
    .action((options) => withHost(options.config, leave, async (ctx) => finish(tools(ctx, options, terminal))))
  withConfig(program.command('prompt'))
    .description('reads commands from the terminal and runs each with bash')
    .action((options) => withHost(options.config, leave, async (ctx) => finish(await prompt(ctx, terminal, leave))))
  program
    .command('doctor')
    .description('shows what this machine offers, what is missing, and how to get it')
    .option('--json', 'print one JSON object', false)
    .action(async (options) => finish(await doctor(options, terminal)))
  program
    .command('check <file>')
    .description('validates a cordis.yml without running it')
    .action(async (file: string) => finish(await check(file, terminal)))
  return program
}

/** Boots, acts, and ends everything; at once when the program is told to leave. */
async function withHost(
  configFile: string,
  leave: AbortSignal,
  action: (ctx: Context) => Promise<void>,
): Promise<void> {
  const host = await boot(configFile)
  leave.addEventListener('abort', () => void host.dispose())
  try {
    await action(host.ctx)
  } catch (error) {
    // What fails because its plugins are being taken away is no news to whoever asked for that.
    if (!leave.aborted) throw error
  } finally {
    await host.dispose()
  }
}

function report(error: unknown, json: boolean, terminal: Terminal): void {
  const known = ShellError.is(error) ? error : undefined
  const code = known?.code ?? 'INTERNAL'
  const message = error instanceof Error ? error.message : String(error)
  if (json) terminal.stdout(`${JSON.stringify({ ok: false, error: { code, message } })}\n`)
  else terminal.stderr(`dsh-host: ${code}: ${message}\n`)
  if (!known && error instanceof Error) terminal.stderr(`${error.stack}\n`)
}

function version(): string {
  const manifest = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return manifest.version
}
