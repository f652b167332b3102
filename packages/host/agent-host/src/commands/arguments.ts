import { ShellError } from 'dsh-errors'
import type { ToolSchema } from 'dsh-tools'

export interface ExecArguments {
  readonly command: string | undefined
  /** Milliseconds. */
  readonly timeout: string | undefined
  /** `NAME=VALUE` each. */
  readonly set: readonly string[]
}

type Properties = Readonly<Record<string, { readonly type?: string } | undefined>>

/**
 * A tool's arguments from the command line. COMMAND is the argument `command`; `--timeout` the one that the tool has for
 * a deadline; a VALUE is read as JSON where the schema wants no string.
 * @throws ShellError INVALID_REQUEST.
 */
export function toolArguments(schema: ToolSchema, { command, timeout, set }: ExecArguments): Record<string, unknown> {
  const properties = (schema.parameters['properties'] ?? {}) as Properties
  const args: Record<string, unknown> = {}
  for (const pair of set) {
    const at = pair.indexOf('=')
    if (at <= 0) throw invalid(`--set "${pair}": write NAME=VALUE`)
    const name = pair.slice(0, at)
    args[name] = readValue(pair.slice(at + 1), properties[name]?.type)
  }
  if (command !== undefined) {
    if (!properties['command']) throw invalid(`tool "${schema.name}" takes no COMMAND; use --set NAME=VALUE`)
    args['command'] = command
  }
  if (timeout !== undefined) Object.assign(args, deadline(schema.name, properties, timeout))
  return args
}

function deadline(tool: string, properties: Properties, timeout: string): Record<string, unknown> {
  const milliseconds = timeout.trim() === '' ? Number.NaN : Number(timeout)
  if (!(milliseconds > 0) || !Number.isFinite(milliseconds)) {
    throw invalid(`--timeout "${timeout}": must be a positive, finite number of milliseconds`)
  }
  if (properties['timeout_ms']) return { timeout_ms: milliseconds }
  if (properties['timeout_seconds']) return { timeout_seconds: milliseconds / 1000 }
  throw invalid(`tool "${tool}" has no deadline to set with --timeout`)
}

function readValue(text: string, type: string | undefined): unknown {
  if (type === 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function invalid(message: string): ShellError {
  return new ShellError('INVALID_REQUEST', `${message}.`)
}
