import { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import { type CheckedEntry, checkEntries } from './check.ts'
import { describeEntry } from './config/entry.ts'
import { configInvalid, readConfig } from './config/read.ts'
import { createLoader } from './loader.ts'
import { type ImportModule, importModule as importFromDisk } from './modules.ts'

export interface BootOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly importModule?: ImportModule
}

export interface Host {
  readonly ctx: Context
  /** Ends every plugin, and with them all that they started; resolves when nothing is left. May be called again. */
  dispose(): Promise<void>
}

/** cordis declares its states as a const enum, which a module on its own cannot read. */
const ACTIVE = 2

/** What is needed of a loader's entry; its own types disagree with this version of cordis. */
interface LoaderEntry {
  readonly fiber?: {
    readonly ctx: Context
    readonly state: number
    readonly inject: Record<string, unknown>
    await(): Promise<unknown>
  }
}

/**
 * Boots a cordis.yml. Either every entry is active afterwards, or nothing runs.
 * @throws ShellError CONFIG_INVALID, BOOT_FAILED with every problem on a line of its own.
 */
export async function boot(configFile: string, options: BootOptions = {}): Promise<Host> {
  const entries = readConfig(configFile, options.env)
  const { checked, problems } = await checkEntries(entries, configFile, options.importModule ?? importFromDisk)
  if (problems.length > 0) throw configInvalid(problems)
  const ctx = new Context()
  let disposed: Promise<void> | undefined
  const host: Host = { ctx, dispose: () => (disposed ??= Promise.resolve(ctx.fiber.dispose())) }
  try {
    await start(ctx, checked, configFile)
    return host
  } catch (error) {
    await host.dispose()
    throw error
  }
}

async function start(ctx: Context, checked: readonly CheckedEntry[], configFile: string): Promise<void> {
  const plugins = new Map(checked.map(({ entry, plugin }) => [entry.name, plugin]))
  const loader = await createLoader(ctx, plugins, configFile)
  const active = checked.filter(({ entry }) => !entry.disabled)
  for (const { entry } of active) {
    const options = { id: entry.id, name: entry.name, config: entry.config, isolate: entry.isolate ?? null }
    await loader.create(options)
  }
  await loader.await()
  const problems: string[] = []
  for (const { entry } of active) {
    const problem = await diagnose(loader.store[entry.id], (name) => nameEntry(checked, name))
    if (problem !== undefined) problems.push(`${entry.where()}: ${describeEntry(entry)}: ${problem}`)
  }
  if (problems.length > 0) throw new ShellError('BOOT_FAILED', problems.join('\n'), { problems })
}

/** Why an entry is not active; undefined when it is. */
async function diagnose(
  entry: LoaderEntry | undefined,
  nameOf: (plugin: string) => string,
): Promise<string | undefined> {
  const fiber = entry?.fiber
  if (!fiber) return 'the loader did not start it'
  try {
    await fiber.await()
  } catch (error) {
    return explainFailure(error, nameOf)
  }
  if (fiber.state === ACTIVE) return undefined
  const missing = Object.keys(fiber.inject).filter((service) => fiber.ctx.get(service) === undefined)
  return `waits for ${missing.map((service) => `"${service}"`).join(', ')}, which no entry provides${hint(missing)}`
}

/** Packages of this project that provide a service. */
const PROVIDERS: Readonly<Record<string, string>> = {
  jobs: 'dsh-jobs',
  permission: 'dsh-permission',
  shell: 'dsh-bash-local',
  shellEnv: 'dsh-shell-env',
  subprocess: 'dsh-subprocess-local',
  systemPrompt: 'dsh-system-prompt',
  tools: 'dsh-tools',
}

function hint(services: readonly string[]): string {
  const packages = services.map((service) => PROVIDERS[service]).filter((name) => name !== undefined)
  return packages.length > 0 ? `; add ${packages.join(', ')}` : ''
}

/** Cordis knows plugins by the names of their classes; the operator by those of the entries. */
function nameEntry(checked: readonly CheckedEntry[], plugin: string): string {
  const found = checked.find((one) => one.plugin.name === plugin)
  return found ? describeEntry(found.entry) : plugin
}

function explainFailure(error: unknown, nameOf: (plugin: string) => string): string {
  const message = error instanceof Error ? error.message : String(error)
  const taken = /^service "(.+)" has been registered at <(.+)>$/.exec(message)
  const [, service, plugin = ''] = taken ?? []
  if (!taken) return message
  return `provides "${service}", which ${nameOf(plugin)} provides already; remove or disable one, or isolate it`
}
