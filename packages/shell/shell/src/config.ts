import { z } from 'zod'

/** A timer of 2^31 ms or more fires at once (setTimeout in the Node.js documentation). */
export const MAX_TIMER_MS = 2 ** 31 - 1

export const DEFAULT_MAX_SPILL_BYTES = 64 * 1024 * 1024
export const DEFAULT_GRACE_MS = 3000

const milliseconds = (what: string) => z.number().positive().max(MAX_TIMER_MS).describe(what)

/** What every shell provider can be told. A provider extends it by its own fields. */
export const ShellConfig = z.strictObject({
  cwd: z
    .string()
    .min(1)
    .optional()
    .describe('Absolute path of the folder in which commands run that name none. Default: where the host was started.'),
  timeoutMs: milliseconds('Deadline of a command that names none, in milliseconds.').default(120_000),
  maxTimeoutMs: milliseconds('Longest deadline that a command may ask for, in milliseconds.').default(600_000),
  maxOutputBytes: z
    .number()
    .int()
    .min(16)
    .max(256 * 1024 * 1024)
    .default(64_000)
    .describe('How much of each output stream is kept in memory and given back, head and tail together, in bytes.'),
  maxSpillBytes: z
    .number()
    .int()
    .min(0)
    .default(DEFAULT_MAX_SPILL_BYTES)
    .describe('Largest file that holds the whole of an output stream which memory does not, in bytes; 0 for no file.'),
  graceMs: z
    .number()
    .min(0)
    .max(MAX_TIMER_MS)
    .default(DEFAULT_GRACE_MS)
    .describe('Time between SIGTERM and SIGKILL when a command is ended, in milliseconds.'),
})
export type ShellConfig = z.infer<typeof ShellConfig>
