import { type Context, Service } from 'cordis'
import { type LiveConfig, liveConfig } from 'dsh-live-config'
import { z } from 'zod'
import { builtinVariables, type DshVariables, type ShellEnvCall } from './builtins.ts'

export type { DshVariables, ShellEnvCall } from './builtins.ts'

declare module 'cordis' {
  interface Context {
    shellEnv: ShellEnvService
  }
}

const value = z.string().refine((text) => !text.includes('\0'), 'must not hold a NUL character')

export const ShellEnvConfig = z.strictObject({
  variables: z
    .record(z.string().regex(/^DSH_[A-Z0-9_]+$/, 'must be a name like DSH_PROJECT'), value)
    .default({})
    .describe('Further DSH_* variables for every command.'),
})
export type ShellEnvConfig = z.infer<typeof ShellEnvConfig>

/** Provider of `ctx.shellEnv`: the `DSH_*` variables by which a command can tell that, and for whom, it runs. */
export class ShellEnvService extends Service {
  static Config = ShellEnvConfig
  private readonly config: LiveConfig<ShellEnvConfig>
  private readonly providers = new Set<(call: ShellEnvCall) => DshVariables>()

  constructor(ctx: Context, config: ShellEnvConfig) {
    super(ctx, 'shellEnv')
    this.config = liveConfig(ctx, config)
  }

  /** Adds variables for as long as the calling plugin lives; the returned function takes them away earlier. */
  provide(provider: (call: ShellEnvCall) => DshVariables): () => void {
    const dispose = this.ctx.effect(() => {
      this.providers.add(provider)
      return () => {
        this.providers.delete(provider)
      }
    }, 'shell environment')
    return () => void dispose()
  }

  /** All managed variables for one call; the built-in ones win, then the config's. */
  variables(call: ShellEnvCall): DshVariables {
    const provided = [...this.providers].map((provider) => provider(call))
    return Object.assign({}, ...provided, this.config.current.variables, builtinVariables(call)) as DshVariables
  }
}

export default ShellEnvService
