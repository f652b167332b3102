import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import { until } from 'dsh-contracts/until'
import { PermissionService } from 'dsh-permission'
import { ToolRegistry } from 'dsh-tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type JobOutcome, type JobProcess, JobService } from '../src/index.ts'

/** A process that ends when the test says so. */
class FakeProcess implements JobProcess {
  readonly done: Promise<JobOutcome>
  killed = 0
  printed = ''
  finish: (outcome: JobOutcome) => void = () => {}
  fail: (error: Error) => void = () => {}

  constructor() {
    this.done = new Promise((resolve, reject) => {
      this.finish = resolve
      this.fail = reject
    })
  }

  readOutput(): { stdout: string; stderr: string } {
    const stdout = this.printed
    this.printed = ''
    return { stdout, stderr: '' }
  }

  async kill(): Promise<void> {
    this.killed++
    this.finish({ exitCode: 143, signal: 'SIGTERM', timedOut: false, aborted: true })
    await this.done
  }
}

const SUCCESS: JobOutcome = { exitCode: 0, timedOut: false, aborted: false }

let mounted: Mounted
let jobs: JobService
beforeEach(async () => {
  mounted = await mount(async (ctx) => {
    await plug(ctx, PermissionService, { admins: ['cli:a', 'cli:b'] })
    await plug(ctx, ToolRegistry, {})
    await plug(ctx, JobService, { keepEnded: 2 })
  })
  jobs = mounted.ctx.jobs
})
afterEach(() => mounted.dispose())

const call = async (tool: string, args: object, id = 'cli:a', session?: string): Promise<string> => {
  const execution = { callId: 'c', principal: { id }, agentKind: 'main' as const, ...(session && { session }) }
  return (await mounted.ctx.tools.execute(tool, args, execution)).text
}

describe('JobService', () => {
  it('gives each job an id of its own and tells how it goes', async () => {
    const process = new FakeProcess()
    const first = jobs.add('cli:a', 'make all', process)
    const second = jobs.add('cli:a', 'true', new FakeProcess())
    expect(first).toMatchObject({ status: 'running', command: 'make all', owner: 'cli:a' })
    expect(second.id).not.toBe(first.id)
    process.finish({ ...SUCCESS, exitCode: 2 })
    await until('it is seen', () => jobs.list('cli:a')[0]?.status === 'exited')
    expect(jobs.list('cli:a')[0]?.outcome).toEqual({ ...SUCCESS, exitCode: 2 })
  })

  it('shows a job to its owner alone', async () => {
    const { id } = jobs.add('cli:a', 'x', new FakeProcess())
    expect(jobs.list('cli:b')).toEqual([])
    expect(() => jobs.read(id, 'cli:b')).toThrowError(/no job/)
    await expect(jobs.kill(id, 'cli:b')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('tells its owner once that a job has ended, and tells listeners', async () => {
    const heard: string[] = []
    mounted.ctx.on('job/settled', (job) => void heard.push(job.id))
    const process = new FakeProcess()
    const { id } = jobs.add('cli:a', 'x', process)
    expect(jobs.takeNotices('cli:a')).toEqual([])
    process.finish(SUCCESS)
    await until('it is told', () => heard.length > 0)
    expect(heard).toEqual([id])
    expect(jobs.takeNotices('cli:b')).toEqual([])
    expect(jobs.takeNotices('cli:a').map((job) => job.id)).toEqual([id])
    expect(jobs.takeNotices('cli:a')).toEqual([])
  })

  it('says why a job never ran', async () => {
    const process = new FakeProcess()
    const { id } = jobs.add('cli:a', 'x', process)
    process.fail(new Error('no such shell'))
    await until('it is seen', () => jobs.list('cli:a')[0]?.status === 'failed')
    expect(jobs.read(id, 'cli:a').job.error).toBe('no such shell')
  })

  it('forgets the oldest ended jobs beyond the limit, never a running one', async () => {
    const running = jobs.add('cli:a', 'running', new FakeProcess())
    const ended = [1, 2, 3, 4].map((n) => {
      const process = new FakeProcess()
      const { id } = jobs.add('cli:a', `job ${n}`, process)
      process.finish(SUCCESS)
      return id
    })
    await until('the old ones are gone', () => jobs.list('cli:a').length === 3)
    expect(jobs.list('cli:a').map((job) => job.id)).toEqual([running.id, ...ended.slice(2)])
  })

  it('kills what still runs when the plugin ends', async () => {
    const [running, ended] = [new FakeProcess(), new FakeProcess()]
    jobs.add('cli:a', 'running', running)
    jobs.add('cli:a', 'ended', ended)
    ended.finish(SUCCESS)
    await until('it is seen', () => jobs.list('cli:a').some((job) => job.status === 'exited'))
    await mounted.dispose()
    expect([running.killed, ended.killed]).toEqual([1, 0])
  })
})

describe('job tools', () => {
  it('list, read and kill the jobs of the caller', async () => {
    expect(await call('job_list', {})).toBe('(no background jobs)')
    const process = new FakeProcess()
    const { id } = jobs.add('cli:a', 'serve\n--port 1', process)
    expect(await call('job_list', {})).toMatch(new RegExp(`^${id}: running after .* s: serve --port 1$`))
    process.printed = 'listening\n'
    expect(await call('job_output', { id })).toMatch(/^listening\n\n\[job-1: running/)
    expect(await call('job_output', { id })).not.toContain('listening')
    expect(await call('job_kill', { id })).toContain(`${id}: killed`)
    expect(process.killed).toBe(1)
    expect(jobs.takeNotices('cli:a')).toEqual([])
  })

  it('give a session its own jobs, whoever else is logged in as the same principal', async () => {
    const { id } = jobs.add('session-1', 'x', new FakeProcess())
    expect(await call('job_list', {}, 'cli:a', 'session-1')).toContain(id)
    expect(await call('job_list', {}, 'cli:a', 'session-2')).toBe('(no background jobs)')
    await expect(call('job_kill', { id }, 'cli:a', 'session-2')).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
  })

  it('are not for guests', async () => {
    await expect(call('job_list', {}, 'chat:x')).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})
