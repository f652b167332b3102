import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'cordis'

/** The config of a plugin, followed through every change. */
export interface LiveConfig<Config> {
  /** What is in force now. A reader that must not see a change half way keeps the object that it read. */
  readonly current: Config
}

export interface LiveConfigOptions<Config> {
  /** Fields whose change starts the plugin anew. */
  readonly restartFor?: readonly (keyof Config)[]
  /** Called after each change that did not start the plugin anew. */
  readonly onChange?: (next: Config, before: Config) => void
}

/**
 * Takes changes of the config in place, for the plugin that calls this: what runs goes on, and the next call finds the
 * new values. Cordis has validated them by then.
 */
export function liveConfig<Config extends object>(
  ctx: Context,
  config: Config,
  { restartFor = [], onChange }: LiveConfigOptions<Config> = {},
): LiveConfig<Config> {
  const live = { current: config }
  ctx.on('internal/update', (next: Config, _noSave, proceed) => {
    const before = live.current
    if (restartFor.some((field) => !isDeepStrictEqual(before[field], next[field]))) return proceed()
    live.current = next
    // Without it a restart for another reason, such as a new provider of a service, would bring the old values back.
    ctx.fiber.config = next
    onChange?.(next, before)
    return undefined
  })
  return live
}
