import fs from 'node:fs'
import path from 'node:path'
import { ShellError } from 'dsh-errors'
import { type Document, isMap, isNode, isPair, isSeq, LineCounter, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import type { ConfigEntry } from './entry.ts'
import { interpolateEnv } from './interpolate.ts'

const EntryFields = {
  config: z.unknown().optional(),
  disabled: z.boolean().nullish(),
  isolate: z.record(z.string(), z.union([z.literal(true), z.string().min(1)])).nullish(),
}
const ListEntry = z.strictObject({ id: z.string().min(1).optional(), name: z.string().min(1), ...EntryFields })
const MapEntry = z.strictObject({ id: z.string().min(1).optional(), ...EntryFields }).nullish()

type Where = (path: readonly PropertyKey[]) => string
interface RawEntry {
  readonly name: string
  readonly value: z.infer<typeof ListEntry>
  /** Where the entry stands in its document. */
  readonly path: readonly PropertyKey[]
  readonly where: Where
}

/**
 * The entries of a cordis.yml: the loader's list (`- id, name, config`), the map `plugins: {name: {config}}`, or several
 * YAML documents of either form one after the other.
 * @throws ShellError CONFIG_INVALID with every problem on a line of its own, as `file:line: what is wrong`.
 */
export function readConfig(
  file: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ConfigEntry[] {
  return parseConfig(readText(file), file, env)
}

export function parseConfig(
  text: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): ConfigEntry[] {
  const problems: string[] = []
  const lines = new LineCounter()
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false })
  const documents = 'empty' in parsed ? [] : parsed
  const raw: RawEntry[] = []
  for (const document of documents) {
    const [error] = document.errors
    if (error) {
      // The errors after the first one of a document are mostly its consequences.
      const { line } = lines.linePos(error.pos[0])
      problems.push(`${position(file, lines, error.pos[0])}: ${explainSyntax(text, line, error.message)}`)
      continue
    }
    for (const { node, message } of interpolateEnv(document, env)) {
      problems.push(`${position(file, lines, node.range?.[0] ?? 0)}: ${message}`)
    }
    raw.push(...readDocument(document, whereIn(document, file, lines), problems))
  }
  const entries = raw.map(toEntry)
  problems.push(...duplicates(entries))
  if (problems.length === 0 && entries.length === 0) problems.push(`${file}:1: no plugin is listed`)
  if (problems.length > 0) throw configInvalid(problems)
  return entries
}

export function configInvalid(problems: readonly string[]): ShellError {
  return new ShellError('CONFIG_INVALID', problems.join('\n'), { problems: [...problems] })
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw configInvalid([`${file}: cannot be read: ${(error as Error).message}`])
  }
}

function readDocument(document: Document, where: Where, problems: string[]): RawEntry[] {
  const value: unknown = document.toJS()
  if (value === null || value === undefined) return []
  if (isSeq(document.contents)) {
    return (value as unknown[]).flatMap((entry, index) => check(ListEntry, entry, [index], where, problems))
  }
  if (isMap(document.contents)) return readMap(value as Record<string, unknown>, where, problems)
  problems.push(`${where([])}: must be a list of entries, or a map with the key "plugins"`)
  return []
}

function readMap(value: Record<string, unknown>, where: Where, problems: string[]): RawEntry[] {
  for (const key of Object.keys(value)) {
    if (key !== 'plugins') problems.push(`${where([key])}: no such key "${key}"; a map has the one key "plugins"`)
  }
  const { plugins } = value
  if (typeof plugins !== 'object' || plugins === null || Array.isArray(plugins)) {
    problems.push(`${where(['plugins'])}: "plugins" must be a map from plugin names to {config}`)
    return []
  }
  return Object.entries(plugins).flatMap(([name, entry]) => {
    const parsed = check(MapEntry, entry, ['plugins', name], where, problems)
    return parsed.map((one) => ({ ...one, name, value: { ...one.value, name } }))
  })
}

function check(
  schema: z.ZodType,
  value: unknown,
  path: readonly PropertyKey[],
  where: Where,
  problems: string[],
): RawEntry[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) {
    const entry = (parsed.data ?? {}) as z.infer<typeof ListEntry>
    return [{ name: entry.name, value: entry, path, where }]
  }
  for (const issue of parsed.error.issues)
    problems.push(`${where([...path, ...issue.path])}: entry: ${describeIssue(issue)}`)
  return []
}

/** A zod issue as one clause, led by the field. */
export function describeIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.')
  return field ? `${field}: ${issue.message}` : issue.message
}

function toEntry({ name, value, path: entryPath, where }: RawEntry): ConfigEntry {
  return {
    id: value.id ?? name,
    name,
    config: value.config ?? {},
    disabled: value.disabled ?? false,
    ...(value.isolate && { isolate: value.isolate }),
    where: (inner = []) => where([...entryPath, ...inner]),
  }
}

function duplicates(entries: readonly ConfigEntry[]): string[] {
  const first = new Map<string, ConfigEntry>()
  return entries.flatMap((entry) => {
    const earlier = first.get(entry.id)
    if (!earlier) first.set(entry.id, entry)
    return earlier
      ? [
          `${entry.where()}: the id "${entry.id}" is taken by the entry at ${earlier.where()}; give one of them another id`,
        ]
      : []
  })
}

/** A parser may trip over a tab long before it would call it one. */
function explainSyntax(text: string, line: number, message: string): string {
  const isTabbed = /^ *\t/.test(text.split('\n')[line - 1] ?? '')
  return isTabbed ? 'a tab indents this line; YAML wants spaces' : message
}

function position(file: string, lines: LineCounter, offset: number): string {
  return `${path.normalize(file)}:${lines.linePos(offset).line}`
}

/** Looks up where a path stands in the text; for one that is not there, where its nearest parent does. */
function whereIn(document: Document, file: string, lines: LineCounter): Where {
  return (wanted) => {
    let offset = 0
    let node: unknown = document.contents
    for (const key of [undefined, ...wanted]) {
      if (key !== undefined) node = child(node, key)
      const place = isPair(node) ? node.key : node
      if (!isNode(place) || !place.range) break
      offset = place.range[0]
      if (isPair(node)) node = node.value
    }
    return position(file, lines, offset)
  }
}

function child(node: unknown, key: PropertyKey): unknown {
  if (isSeq(node)) return node.items[Number(key)]
  if (isMap(node)) return node.items.find((pair) => String(pair.key) === String(key))
  return undefined
}
