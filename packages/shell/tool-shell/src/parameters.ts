import { z } from 'zod'

/** What a model may say about a command. There is no argument about roles, owners or the sandbox's bounds. */
export const ShellToolParameters = z.strictObject({
  command: z.string().min(1).describe('The command text, of any length, in the language of this shell.'),
  workdir: z
    .string()
    .min(1)
    .optional()
    .describe('Folder to run in. A relative path starts at the current folder of the session. Default: that folder.'),
  timeout_ms: z
    .number()
    .positive()
    .optional()
    .describe('Deadline in milliseconds; then the command and all that it started is killed.'),
  stdin: z.string().optional().describe('Text for the standard input. Without it the command finds the end at once.'),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Return at once with a job id; see job_output and job_kill. The job ends with the session.'),
})
export type ShellToolArguments = z.output<typeof ShellToolParameters>
