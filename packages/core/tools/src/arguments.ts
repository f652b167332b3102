import { inspect } from 'node:util'
import { ShellError } from 'dsh-errors'
import type { z } from 'zod'

/** How much of a refused value an error repeats. */
const VALUE_PREVIEW = 80

/**
 * The arguments as the schema gives them back.
 * @throws ShellError INVALID_REQUEST that names the field, the value and the rule, for the first thing wrong.
 */
export function parseArguments<Schema extends z.ZodObject>(
  tool: string,
  schema: Schema,
  args: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(args)
  if (parsed.success) return parsed.data
  const { path, rule, value } = describeIssue(parsed.error, args)
  const allowed = Object.keys(schema.shape).join(', ')
  throw new ShellError(
    'INVALID_REQUEST',
    `Tool "${tool}", argument ${path ? `"${path}"` : 'object'}: ${rule}; got ${preview(value)}. Arguments: ${allowed}.`,
    { tool, field: path, rule },
  )
}

function describeIssue(error: z.ZodError, args: unknown): { path: string; rule: string; value: unknown } {
  const issue = error.issues[0]
  if (!issue) return { path: '', rule: error.message, value: args }
  const keys = issue.code === 'unrecognized_keys' ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path
  const rule = issue.code === 'unrecognized_keys' ? 'no such argument' : issue.message
  return { path: keys.map(String).join('.'), rule, value: valueAt(args, keys) }
}

function valueAt(root: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  )
}

function preview(value: unknown): string {
  const text = value === undefined ? 'nothing' : inspect(value, { depth: 1, breakLength: Infinity })
  return text.length > VALUE_PREVIEW ? `${text.slice(0, VALUE_PREVIEW)}…` : text
}
