import { type Context, Service } from 'cordis'
import { ShellError } from 'dsh-errors'
import { type LiveConfig, liveConfig } from 'dsh-live-config'
import { ROLES, type Role } from 'dsh-permission'
import { z } from 'zod'
import { Job } from './job.ts'
import { jobTools } from './tools.ts'
import type { JobInfo, JobProcess } from './types.ts'

export { describeJob } from './describe.ts'
export { jobOwner } from './tools.ts'
export type { JobInfo, JobOutcome, JobProcess, JobStatus } from './types.ts'

declare module 'cordis' {
  interface Context {
    jobs: JobService
  }
  interface Events {
    /** A background job ended by itself, by its timeout or by a kill. */
    'job/settled'(job: JobInfo): void
  }
}

export const JobsConfig = z.strictObject({
  minRole: z.enum(ROLES).default('admin').describe('The least role that may use job_list, job_output and job_kill.'),
  keepEnded: z.number().int().min(0).max(10_000).default(100).describe('How many ended jobs are remembered.'),
})
export type JobsConfig = z.infer<typeof JobsConfig>

/** Provider of `ctx.jobs`: background commands, each owned by one session, all ended when the plugin is. */
export class JobService extends Service {
  static inject = ['tools']
  static Config = JobsConfig
  private readonly jobs = new Map<string, Job>()
  private readonly notices = new Map<string, JobInfo[]>()
  private readonly config: LiveConfig<JobsConfig>
  private counter = 0
  private readonly offered: (() => void)[] = []

  constructor(ctx: Context, config: JobsConfig) {
    super(ctx, 'jobs')
    this.config = liveConfig(ctx, config, {
      onChange: (next, before) => {
        if (next.minRole !== before.minRole) this.offerTools(ctx, next.minRole)
      },
    })
    ctx.effect(() => () => this.killAll(), 'background jobs')
    this.offerTools(ctx, config.minRole)
  }

  private offerTools(ctx: Context, minRole: Role): void {
    for (const remove of this.offered.splice(0)) remove()
    this.offered.push(...jobTools(this, minRole).map((tool) => ctx.tools.register(tool)))
  }

  /** Takes over a started process. Its id is unique within this host. */
  add(owner: string, command: string, process: JobProcess): JobInfo {
    const job = new Job(`job-${++this.counter}`, owner, command, process)
    this.jobs.set(job.id, job)
    void job.settled.then(() => this.settle(job))
    return job.info()
  }

  /** The jobs of one owner, oldest first. */
  list(owner: string): JobInfo[] {
    return [...this.jobs.values()].filter((job) => job.owner === owner).map((job) => job.info())
  }

  /** @throws ShellError JOB_NOT_FOUND, for another owner's job too. */
  read(id: string, owner: string): { job: JobInfo; stdout: string; stderr: string } {
    const job = this.owned(id, owner)
    return { job: job.info(), ...job.readOutput() }
  }

  /**
   * Ends a job and its whole tree.
   * @throws ShellError JOB_NOT_FOUND, for another owner's job too.
   */
  async kill(id: string, owner: string): Promise<JobInfo> {
    const job = this.owned(id, owner)
    await job.kill()
    await job.settled
    this.dropNotice(job)
    return job.info()
  }

  /** Jobs of this owner that ended since the last call: each is told once. */
  takeNotices(owner: string): JobInfo[] {
    const notices = this.notices.get(owner) ?? []
    this.notices.delete(owner)
    return notices
  }

  /** Whoever ended a job knows that it ended. */
  private dropNotice(job: Job): void {
    const left = this.notices.get(job.owner)?.filter((info) => info.id !== job.id)
    if (left) this.notices.set(job.owner, left)
  }

  private owned(id: string, owner: string): Job {
    const job = this.jobs.get(id)
    if (job?.owner === owner) return job
    const known = this.list(owner).map((info) => info.id)
    throw new ShellError('JOB_NOT_FOUND', `You have no job "${id}". Your jobs: ${known.join(', ') || 'none'}.`)
  }

  private settle(job: Job): void {
    const info = job.info()
    const notices = [...(this.notices.get(job.owner) ?? []), info]
    this.notices.set(job.owner, notices.slice(-this.config.current.keepEnded))
    const ended = [...this.jobs.values()].filter((other) => !other.running)
    for (const old of ended.slice(0, Math.max(0, ended.length - this.config.current.keepEnded)))
      this.jobs.delete(old.id)
    this.ctx.emit('job/settled', info)
  }

  private async killAll(): Promise<void> {
    await Promise.allSettled([...this.jobs.values()].filter((job) => job.running).map((job) => job.kill()))
  }
}

export default JobService
