import { isDeepStrictEqual } from 'node:util'
import type { Context } from 'cordis'
import { type LiveConfig, liveConfig } from 'dsh-live-config'
import type { AnyTool } from 'dsh-tools'
import { ToolCommands } from './commands.ts'
import type { ShellToolConfig } from './config.ts'

/** What a tool is made of: its config at this moment, and the one that is in force whenever it is read. */
export interface LiveTool<Config> {
  readonly config: Config
  readonly live: LiveConfig<Config>
  readonly commands: ToolCommands
}

/**
 * Registers the tool that `make` gives, for as long as the calling plugin lives, and follows its config: what runs goes
 * on as it began, the next call finds the new values. Only a change of `face`, the fields that the registry shows,
 * registers it anew; `undefined` takes it away.
 */
export function registerLiveTool<Config extends Pick<ShellToolConfig, 'minRole' | 'maxConcurrent'>>(
  ctx: Context,
  name: string,
  config: Config,
  face: readonly (keyof Config)[],
  make: (tool: LiveTool<Config>) => AnyTool | undefined,
): void {
  let remove: (() => void) | undefined
  const register = (): void => {
    remove?.()
    const tool = make({ config: live.current, live, commands })
    remove = tool && ctx.tools.register(tool)
  }
  const live = liveConfig(ctx, config, {
    onChange: (next, before) => {
      if (face.some((field) => !isDeepStrictEqual(next[field], before[field]))) register()
      commands.configChanged()
    },
  })
  const commands = new ToolCommands(ctx, name, live)
  register()
}
