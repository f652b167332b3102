import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { resolve } from 'import-meta-resolve'
import type { z } from 'zod'

/** A plugin as its module exports it. */
export interface PluginModule {
  readonly name?: string
  readonly inject?: readonly string[] | Readonly<Record<string, unknown>>
  readonly Config?: z.ZodType
}

export type ImportModule = (name: string, configFile: string) => Promise<unknown>

/** Scope under which the requirement documents list the packages of this project. */
const DOCUMENTED_SCOPE = '@deepseek-ai/'

/**
 * Imports a plugin's module: a path from the folder of the config file; a package from there, else from where this host
 * is installed.
 * @throws what the import throws; code ERR_MODULE_NOT_FOUND when there is no such module.
 */
export const importModule: ImportModule = async (name, configFile) => await import(locate(name, configFile))

function locate(name: string, configFile: string): string {
  const base = pathToFileURL(path.resolve(configFile)).href
  if (name.startsWith('.') || path.isAbsolute(name)) return new URL(name, base).href
  const names = name.startsWith(`${DOCUMENTED_SCOPE}dsh-`) ? [name, name.slice(DOCUMENTED_SCOPE.length)] : [name]
  let failure: unknown
  for (const candidate of names) {
    for (const from of [base, import.meta.url]) {
      try {
        return resolve(candidate, from)
      } catch (error) {
        failure ??= error
      }
    }
  }
  throw failure
}

/** Whether an import failed because this very module is not there, and not because of something inside it. */
export function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  if (code !== 'ERR_MODULE_NOT_FOUND') return false
  return message.includes(`'${name}'`) || message.includes(name.replace(/^\.\//, ''))
}

/** The plugin in a module, as the loader unwraps it; undefined when there is none. */
export function pluginOf(module: unknown): PluginModule | undefined {
  const exported = (module as { default?: unknown }).default ?? module
  const isPlugin = typeof exported === 'function' || typeof (exported as { apply?: unknown }).apply === 'function'
  return isPlugin ? (exported as PluginModule) : undefined
}
