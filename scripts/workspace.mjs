/**
 * The commands of this workspace: they install and build what is missing first, so that a fresh clone needs Node.js and
 * npm alone. Usage: node scripts/workspace.mjs start|test|dsh|build|check|docs|bench [ARGS]
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const state = path.join(root, 'node_modules', '.dsh')
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

const COMMANDS = {
  start: (args) => host(startArguments(args)),
  dsh: (args) => host(args),
  build: () => {},
  test: (args) => test(args),
  check: () => check(),
  docs: (args) => runScript('docs.mjs', args),
  bench: (args) =>
    run('the benchmark', process.execPath, [path.join(root, 'bench/run.mjs'), ...args], { stdio: ['ignore', 1, 2] }),
}

const [command = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(COMMANDS, command))
  fail(`no such command "${command}"`, `use one of ${Object.keys(COMMANDS).join(', ')}`)
checkNode()
install()
build()
await COMMANDS[command](args)

function startArguments(words) {
  return words.length === 0
    ? ['prompt', '--config', configFile()]
    : ['exec', 'bash', '--config', configFile(), '--', ...words]
}

function configFile() {
  return path.join(root, 'cordis.yml')
}

/** Runs the host in this process: a second one would cost its start-up time again. */
async function host(argv) {
  process.argv = [process.argv[0], 'dsh-host', ...argv]
  if (process.env.INIT_CWD) process.chdir(process.env.INIT_CWD)
  await import(pathToFileURL(path.join(root, 'packages/host/agent-host/lib/main.js')).href)
}

function test(argv) {
  check()
  step('Running the tests', ['vitest', 'run', ...argv])
}

function check() {
  step('Checking the types of tests and scripts', ['tsc', '-p', 'tsconfig.tests.json'])
  step('Linting', ['oxlint', '--type-aware', '--deny-warnings'])
  step('Checking the format', ['biome', 'check', '.'])
  step('Looking for unused code and dependencies', ['knip', '--no-config-hints'])
  runScript('check-packages.mjs', [])
  runScript('docs.mjs', ['--check'])
}

function runScript(name, argv) {
  run(`scripts/${name}`, process.execPath, [path.join(root, 'scripts', name), ...argv])
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Node.js ${process.versions.node} is too old`, 'install Node.js 20.19 or newer: https://nodejs.org')
}

/** Installs when the lockfile or a manifest has changed since the last time. */
function install() {
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', ...manifests()]
  const stamp = digest(files.map((file) => readFileSync(path.join(root, file))))
  if (isCurrent('install', stamp)) return
  const pnpm = manifest.packageManager
  say(`Installing the dependencies with ${pnpm} (once)`)
  // npm runs pnpm from its cache; nothing is installed outside of this folder and the caches.
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  run('the installation', npx, ['-y', pnpm, 'install', '--frozen-lockfile', '--reporter=append-only'], {
    hint: 'check that the npm registry can be reached (npm ping), then run this again',
    shell: process.platform === 'win32',
    env: { ...process.env, CI: 'true', npm_config_yes: 'true' },
  })
  record('install', stamp)
}

/** Builds when a source has changed since the last time. */
function build() {
  const stamp = digest(sources().map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`))
  const built = existsSync(path.join(root, 'packages/host/agent-host/lib/main.js'))
  if (built && isCurrent('build', stamp)) return
  step('Building', ['tsc', '-b'])
  record('build', stamp)
}

function manifests() {
  return packageFolders().map((folder) => path.join(folder, 'package.json'))
}

function packageFolders() {
  const families = readdirSync(path.join(root, 'packages')).map((family) => path.join('packages', family))
  return [...families, 'examples']
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) => readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)))
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
}

function sources() {
  return ['tsconfig.base.json', ...packageFolders().map((folder) => path.join(folder, 'src'))]
    .map((file) => path.join(root, file))
    .flatMap((file) => {
      if (!existsSync(file)) return []
      if (!statSync(file).isDirectory()) return [file]
      return readdirSync(file, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    })
}

function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

function isCurrent(name, stamp) {
  const file = path.join(state, name)
  return existsSync(file) && readFileSync(file, 'utf8') === stamp
}

function record(name, stamp) {
  mkdirSync(state, { recursive: true })
  writeFileSync(path.join(state, name), stamp)
}

/** Runs a development tool from node_modules/.bin. */
function step(title, [tool, ...argv]) {
  say(title)
  const bin = path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${tool}.cmd` : tool)
  run(title.toLowerCase(), bin, argv, { shell: process.platform === 'win32' })
}

function run(what, file, argv, { hint, ...options } = {}) {
  // Standard output belongs to what the user has asked for; progress goes to standard error.
  const { status, error, signal } = spawnSync(file, argv, { cwd: root, stdio: ['ignore', 2, 2], ...options })
  if (status === 0) return
  const why = error ? error.message : signal ? `ended by ${signal}` : `exit code ${status}`
  fail(`${what} failed (${why})`, hint ?? 'the lines above say what is wrong', status ?? 1)
}

function say(text) {
  process.stderr.write(`• ${text}\n`)
}

function fail(what, cure, status = 1) {
  process.stderr.write(`✗ ${what}: ${cure}\n`)
  process.exit(status)
}
