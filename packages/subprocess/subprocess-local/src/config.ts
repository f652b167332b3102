import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { LAUNCHERS } from './launch/choose.ts'

const names = (what: string) => z.array(z.string().min(1)).default([]).describe(what)

export const SubprocessLocalConfig = z.strictObject({
  launcher: z
    .enum(LAUNCHERS)
    .default('auto')
    .describe(
      'How processes are started: `posix-spawn` (Linux: at a cost that does not depend on the size of the host), `execa` (everywhere), or the first of them that works.',
    ),
  cgroup: z
    .enum(['auto', 'off'])
    .default('auto')
    .describe(
      'Whether each command gets a cgroup of its own where the host may make one (Linux, a writable or delegated cgroup v2): what is in it is found and ended whatever it does.',
    ),
  env: z
    .strictObject({
      keep: names('Variables that reach commands although a rule of the scrub would remove them.'),
      drop: names('Variables that never reach commands.'),
    })
    .prefault({})
    .describe('Exceptions from the rules by which the environment of commands is scrubbed.'),
  spillDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Folder for the full output of commands that printed much. Default: `dsh-spill-<uid>` in the temp folder.',
    ),
  keepSpillMs: z
    .number()
    .int()
    .min(0)
    .default(0)
    .describe('How long spill files outlive a host that ended in order, in milliseconds; 0: they go with it.'),
})
export type SubprocessLocalConfig = z.infer<typeof SubprocessLocalConfig>

export function defaultSpillDir(): string {
  return path.join(os.tmpdir(), `dsh-spill-${process.getuid?.() ?? 'user'}`)
}
