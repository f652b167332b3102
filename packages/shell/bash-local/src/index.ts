import { ShellConfig, SubprocessShellExecutor } from 'dsh-shell/provider'
import { z } from 'zod'
import { ENV_OVERRIDES } from './env.ts'

export { ENV_OVERRIDES } from './env.ts'

export const BashLocalConfig = ShellConfig.extend({
  bashPath: z
    .string()
    .min(1)
    .default('bash')
    .describe('The bash to run: an absolute path, or a name to look up on PATH.'),
})
export type BashLocalConfig = z.infer<typeof BashLocalConfig>

/**
 * Takes the command from descriptor 3 without a fork, and leaves nothing of itself behind: no variable, no descriptor,
 * the same `$0`, `$-`, `$#`, line numbers and exit status as `bash -c command`.
 */
const CARRIER = 'IFS= read -r -d "" -u 3 DSH_COMMAND; exec 3<&-; eval "unset DSH_COMMAND;$DSH_COMMAND"'

/** Provider of `ctx.shell`: one fresh, non-interactive bash for each command. */
export class LocalBashExecutor extends SubprocessShellExecutor<BashLocalConfig> {
  static Config = BashLocalConfig
  protected override readonly env = ENV_OVERRIDES
  protected override readonly carrier = CARRIER

  protected override argv(command: string): readonly string[] {
    return [this.config.bashPath, '-c', command]
  }
}

export default LocalBashExecutor
