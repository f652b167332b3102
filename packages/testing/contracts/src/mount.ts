import { Context } from 'cordis'
import type { z } from 'zod'

export interface Mounted {
  readonly ctx: Context
  /** Ends every plugin. May be called more than once. */
  readonly dispose: () => Promise<void>
}

/** cordis declares its states as a const enum, which a module on its own cannot read. */
const ACTIVE = 2

/** A context with plugins that are all active; `await ctx.plugin(P)` alone resolves although a service is missing. */
export async function mount(load: (ctx: Context) => Promise<void>): Promise<Mounted> {
  const ctx = new Context()
  let disposed: Promise<void> | undefined
  const mounted: Mounted = {
    ctx,
    dispose: () => (disposed ??= Promise.resolve(ctx.fiber.dispose())),
  }
  try {
    await load(ctx)
    for (const runtime of ctx.registry.values()) {
      for (const fiber of runtime.fibers) {
        await fiber.await()
        const missing = Object.keys(fiber.inject).filter((service) => fiber.ctx.get(service) === undefined)
        if ((fiber.state as number) !== ACTIVE) throw new Error(`${fiber.name} waits for ${missing.join(', ')}`)
      }
    }
    return mounted
  } catch (error) {
    await mounted.dispose()
    throw error
  }
}

interface PluginWithConfig<Schema extends z.ZodType> {
  new (ctx: Context, config: z.output<Schema>): unknown
  readonly Config: Schema
}

/** Loads a plugin with the defaults of its schema filled in. */
export async function plug<Schema extends z.ZodType>(
  ctx: Context,
  plugin: PluginWithConfig<Schema>,
  config: z.input<Schema>,
): Promise<void> {
  await ctx.plugin(plugin as never, plugin.Config.parse(config) as never)
}
