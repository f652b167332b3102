import { ShellConfig, SubprocessShellExecutor } from 'dsh-shell/provider'
import { z } from 'zod'

export const Config = ShellConfig.extend({
  shPath: z.string().default('sh').describe('The program to run; a bare name is looked up on PATH.'),
})
export type Config = z.infer<typeof Config>

/** Provider of `ctx.shell`: one fresh POSIX `sh -c` per call. */
export class ShLocalExecutor extends SubprocessShellExecutor<Config> {
  static Config = Config
  protected override readonly env = { TERM: 'dumb', NO_COLOR: '1' }
  /** Runs the text that it finds on descriptor 3; the dot keeps the line ends that `$(...)` would drop. */
  protected override readonly carrier = 'c=$(cat <&3; echo .); exec 3<&-; eval "unset c;${c%.}"'

  protected override argv(command: string): readonly string[] {
    return [this.config.shPath, '-c', command]
  }
}

export default ShLocalExecutor
