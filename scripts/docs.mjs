/**
 * Writes the generated parts of the documentation: config tables from the zod schemas, the error table, and code that is
 * shown from files which CI runs. With --check it changes nothing and fails when something is stale.
 *
 * A generated part stands between `<!-- generated: NAME -->` and `<!-- /generated -->`; NAME is `config PACKAGE`,
 * `errors` or `file PATH`.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { ERROR_CODES } from '../packages/core/errors/lib/index.js'
import { root, workspacePackages } from './workspace-packages.mjs'

const BLOCK = /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- \/generated -->)/g
const LANGUAGES = { '.ts': 'ts', '.mjs': 'js', '.yml': 'yaml', '.json': 'json' }

const packages = workspacePackages()
const schemas = await loadSchemas()
const stale = []
const documented = new Set()
for (const file of markdownFiles()) await refresh(file)
for (const name of schemas.keys()) {
  if (!documented.has(name)) stale.push(`docs/configuration.md does not show the config of ${name}`)
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`${stale.join('\n')}\nRun \`npm run docs\` and commit the result.\n`)
  process.exit(1)
}

async function refresh(file) {
  const text = readFileSync(path.join(root, file), 'utf8')
  const fresh = text.replace(BLOCK, (_match, open, name, close) => `${open}${generate(name, file)}${close}`)
  if (fresh === text) return
  stale.push(`${file} is not up to date`)
  if (!process.argv.includes('--check')) writeFileSync(path.join(root, file), fresh)
}

function generate(name, file) {
  const [kind, argument] = name.split(' ')
  if (kind === 'config') {
    if (file === 'docs/configuration.md') documented.add(argument)
    return configTable(argument)
  }
  if (kind === 'errors') return errorTable()
  if (kind === 'file') return codeFence(argument)
  throw new Error(`${file}: cannot generate "${name}"`)
}

/** Schemas of every plugin, by package name: its default export's, or its own, `Config`. */
async function loadSchemas() {
  const found = new Map()
  for (const { folder, manifest } of packages) {
    if (!folder.startsWith('packages') || !manifest.exports['.']) continue
    const module = await import(pathToFileURL(path.join(root, folder, 'lib/index.js')).href)
    const schema = module.default?.Config ?? module.Config
    if (schema) found.set(manifest.name, schema)
  }
  return found
}

function errorTable() {
  const rows = Object.entries(ERROR_CODES).map(
    ([code, { meaning, remedy }]) => `| \`${code}\` | ${meaning} | ${remedy} |`,
  )
  return ['', '| code | meaning | what to do |', '| --- | --- | --- |', ...rows, '', ''].join('\n')
}

function configTable(name) {
  const schema = schemas.get(name)
  if (!schema) throw new Error(`${name} has no config`)
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const rows = fields(json, '').map(
    ({ field, type, fallback, bounds, text }) =>
      `| \`${field}\` | ${type} | ${fallback} | ${[text, bounds].filter(Boolean).join(' ')} |`,
  )
  if (rows.length === 0) return '\nIt has no fields.\n\n'
  return ['', '| field | type | default | meaning |', '| --- | --- | --- | --- |', ...rows, '', ''].join('\n')
}

function fields(schema, prefix) {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const field = `${prefix}${key}`
    if (!property.description) throw new Error(`the config field ${field} has no description`)
    if (property.properties) return fields(property, `${field}.`)
    return [
      {
        field,
        type: typeName(property),
        fallback: property.default === undefined ? '' : `\`${JSON.stringify(property.default)}\``,
        bounds: bounds(property),
        text: property.description,
      },
    ]
  })
}

function typeName(property) {
  if (property.enum) return property.enum.map((value) => `\`${value}\``).join(', ')
  if (property.type === 'array') return `list of ${typeName(property.items)}s`
  if (property.type === 'object') return 'map'
  return property.type
}

function bounds({ minimum, exclusiveMinimum, maximum }) {
  const parts = []
  if (exclusiveMinimum !== undefined) parts.push(`more than ${exclusiveMinimum}`)
  if (minimum !== undefined && minimum > Number.MIN_SAFE_INTEGER) parts.push(`at least ${minimum}`)
  if (maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) parts.push(`at most ${maximum}`)
  return parts.length > 0 ? `(${parts.join(', ')})` : ''
}

function codeFence(file) {
  return `\n\`\`\`${LANGUAGES[path.extname(file)] ?? ''}\n${readFileSync(path.join(root, file), 'utf8').trimEnd()}\n\`\`\`\n\n`
}

function markdownFiles() {
  const docs = readdirSync(path.join(root, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join('docs', name))
  const readmes = packages.map(({ folder }) => path.join(folder, 'README.md'))
  return ['README.md', 'README.zh.md', ...docs, ...readmes].filter((file) => existsSync(path.join(root, file)))
}
