/** Every package has the same frame; this says which one has not, and what to change. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { root, workspacePackages } from './workspace-packages.mjs'

const packages = workspacePackages()
const folders = new Map(packages.map(({ folder, manifest }) => [manifest.name, folder]))
const problems = packages.flatMap(({ folder, manifest }) =>
  check(folder, manifest).map((problem) => `${folder}: ${problem}`),
)
for (const { folder } of packages) {
  if (!references('.').includes(folder)) problems.push(`tsconfig.json: add a reference to ${folder}`)
}
if (problems.length > 0) {
  process.stderr.write(`${problems.join('\n')}\n`)
  process.exit(1)
}

function check(folder, manifest) {
  const found = []
  const name = `dsh-${path.basename(folder)}`
  if (manifest.name !== name) found.push(`package.json: name must be ${name}`)
  for (const field of ['version', 'description', 'license', 'type', 'engines', 'exports', 'files']) {
    if (manifest[field] === undefined) found.push(`package.json: ${field} is missing`)
  }
  for (const [door, target] of Object.entries(manifest.exports ?? {})) {
    if (typeof target === 'string') continue
    const source = target['@dsh/source']
    const built = source?.replace('./src/', './lib/').replace(/\.ts$/, '')
    if (!source || !existsSync(path.join(root, folder, source)))
      found.push(`exports["${door}"]: @dsh/source must be a file`)
    else if (target.types !== `${built}.d.ts` || target.default !== `${built}.js`)
      found.push(`exports["${door}"]: types and default must be ${built}.d.ts and .js`)
  }
  for (const file of ['README.md', 'tsconfig.json']) {
    if (!existsSync(path.join(root, folder, file))) found.push(`${file} is missing`)
  }
  const wanted = Object.keys(manifest.dependencies ?? {})
    .filter((dependency) => folders.has(dependency))
    .map((dependency) => folders.get(dependency))
  const listed = references(folder)
  for (const other of wanted) if (!listed.includes(other)) found.push(`tsconfig.json: add a reference to ${other}`)
  for (const other of listed)
    if (!wanted.includes(other)) found.push(`tsconfig.json: the reference to ${other} is no dependency`)
  return found
}

function references(folder) {
  const { references: list = [] } = JSON.parse(readFileSync(path.join(root, folder, 'tsconfig.json'), 'utf8'))
  return list.map((reference) => path.join(folder, reference.path))
}
