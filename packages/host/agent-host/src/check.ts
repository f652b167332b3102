import { type ConfigEntry, describeEntry } from './config/entry.ts'
import { describeIssue } from './config/read.ts'
import { type ImportModule, isMissing, type PluginModule, pluginOf } from './modules.ts'

export interface CheckedEntry {
  readonly entry: ConfigEntry
  readonly plugin: PluginModule
}

/**
 * Imports every entry's module and tries its config against its schema; runs none of them. Disabled entries too: an error
 * should not wait until somebody enables it.
 * @returns what can be started, and every problem as `file:line: entry: what is wrong`.
 */
export async function checkEntries(
  entries: readonly ConfigEntry[],
  configFile: string,
  importModule: ImportModule,
): Promise<{ checked: CheckedEntry[]; problems: string[] }> {
  const checked: CheckedEntry[] = []
  const problems: string[] = []
  for (const entry of entries) {
    const at = (message: string, path?: readonly PropertyKey[]) =>
      problems.push(`${entry.where(path)}: ${describeEntry(entry)}: ${message}`)
    try {
      const plugin = pluginOf(await importModule(entry.name, configFile))
      if (!plugin) {
        at(`the module exports no plugin (a class, a function, or an object with apply)`)
        continue
      }
      const issues = plugin.Config?.safeParse(entry.config).error?.issues ?? []
      for (const issue of issues) at(`config ${describeIssue(issue)}`, ['config', ...issue.path, ...unknownKeys(issue)])
      if (issues.length === 0) checked.push({ entry, plugin })
    } catch (error) {
      at(explainImport(error, entry.name), ['name'])
    }
  }
  return { checked, problems }
}

/** The line of a misspelt field is its own, not that of the object around it. */
function unknownKeys(issue: { code?: string; keys?: readonly string[] } | object): string[] {
  return 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.slice(0, 1) : []
}

function explainImport(error: unknown, name: string): string {
  if (isMissing(error, name))
    return `there is no module "${name}"; install it beside the config file, or correct the name`
  return `the module cannot be loaded: ${error instanceof Error ? error.message : String(error)}`
}
