import path from 'node:path'
import { pathToFileURL } from 'node:url'
import Loader from '@cordisjs/plugin-loader'
import type { Context } from 'cordis'
import type { PluginModule } from './modules.ts'

/** A loader that takes modules which are imported and checked already. */
export async function createLoader(
  ctx: Context,
  plugins: ReadonlyMap<string, PluginModule>,
  configFile: string,
): Promise<Loader> {
  class HostLoader extends Loader {
    override async import(name: string): Promise<unknown> {
      return { default: plugins.get(name) }
    }
  }
  const baseUrl = `${pathToFileURL(path.dirname(path.resolve(configFile))).href}/`
  ctx.on('loader/entry-init', (entry) => settleQuietly(entry as unknown as Startable))
  await ctx.plugin(HostLoader as never, { baseUrl } as never)
  return ctx.get('loader') as Loader
}

/** What is replaced in a loader's entry; its own types disagree with this version of cordis. */
interface Startable {
  _initTask: Promise<void> | undefined
  _init(): Promise<void>
  init: () => Promise<void>
}

/**
 * The loader waits for each plugin without taking its failure, which Node.js then calls unhandled and ends the process
 * for. Whether a plugin is active is this host's to look at.
 */
function settleQuietly(entry: Startable): void {
  entry.init = async () => {
    try {
      await (entry._initTask ??= entry._init())
    } finally {
      entry._initTask = undefined
    }
  }
}
