import type { Role } from 'dsh-permission'
import { type AnyTool, defineTool, type ToolExecution } from 'dsh-tools'
import { z } from 'zod'
import { describeJob } from './describe.ts'
import type { JobService } from './index.ts'
import type { JobInfo } from './types.ts'

/** The session that a call belongs to owns the jobs that it starts. */
export function jobOwner(execution: ToolExecution): string {
  return execution.session ?? execution.principal.id
}

const id = z.string().min(1).describe('The job id, as the call that started it or job_list gave it.')

/** `job_list`, `job_output` and `job_kill`: the same for the jobs of every shell. */
export function jobTools(jobs: JobService, minRole: Role): AnyTool[] {
  const shared = { minRole, visibility: 'essential', mainAgentOnly: true } as const
  return [
    defineTool({
      ...shared,
      name: 'job_list',
      description: 'Lists your background jobs: id, status, exit code, running time and command.',
      parameters: z.strictObject({}),
      execute: async (_args, execution) => jobs.list(jobOwner(execution)),
      render: (list: JobInfo[]) => list.map(describeJob).join('\n') || '(no background jobs)',
    }),
    defineTool({
      ...shared,
      name: 'job_output',
      description: 'Returns what a background job printed since you last asked, and whether it still runs.',
      parameters: z.strictObject({ id }),
      execute: async (args, execution) => jobs.read(args.id, jobOwner(execution)),
      render: ({ job, stdout, stderr }) =>
        [stdout, stderr && `[stderr]\n${stderr}`, `[${describeJob(job)}]`].filter(Boolean).join('\n'),
    }),
    defineTool({
      ...shared,
      name: 'job_kill',
      description: 'Ends a background job and everything it started; returns when all of it is gone.',
      parameters: z.strictObject({ id }),
      execute: async (args, execution) => jobs.kill(args.id, jobOwner(execution)),
      render: (job: JobInfo) => `[${describeJob(job)}]`,
    }),
  ]
}
