import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import LocalBashExecutor from 'dsh-bash-local'
import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import { processesWith, uniqueSeconds } from 'dsh-contracts/outside'
import { until } from 'dsh-contracts/until'
import JobService from 'dsh-jobs'
import PermissionService from 'dsh-permission'
import type { ShellRunResult } from 'dsh-shell'
import ShellEnvService from 'dsh-shell-env'
import LocalSubprocessRuntime from 'dsh-subprocess-local'
import SystemPrompt from 'dsh-system-prompt'
import ToolRegistry, { type ToolExecution, type ToolOutcome } from 'dsh-tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as toolBash from '../src/index.ts'

let mounted: Mounted
let folder: string
beforeEach(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-tool-')))
  mounted = await mount(async (ctx) => {
    await plug(ctx, PermissionService, { admins: ['cli:local'], users: ['cli:user'] })
    await plug(ctx, ToolRegistry, {})
    await ctx.plugin(SystemPrompt)
    await plug(ctx, JobService, {})
    await plug(ctx, LocalSubprocessRuntime, {})
    await plug(ctx, ShellEnvService, {})
    await plug(ctx, LocalBashExecutor, {})
    await ctx.plugin(toolBash, toolBash.Config.parse({}))
  })
})
afterEach(async () => {
  await mounted.dispose()
  fs.rmSync(folder, { recursive: true, force: true })
})

const call = (args: object, over: Partial<ToolExecution> = {}): Promise<ToolOutcome> =>
  mounted.ctx.tools.execute('bash', args, {
    callId: 'call-1',
    principal: { id: 'cli:local' },
    agentKind: 'main',
    cwd: folder,
    ...over,
  })
const run = async (args: object, over?: Partial<ToolExecution>): Promise<ShellRunResult> =>
  (await call(args, over)).result as ShellRunResult

describe('the bash tool', () => {
  it('gives the facts, and the text that a model sees', async () => {
    const { result, text } = await call({ command: 'echo out; sleep 0.05; echo err >&2; exit 3' })
    expect(result).toMatchObject({ exitCode: 3, stdout: { text: 'out\n' }, stderr: { text: 'err\n' }, timedOut: false })
    expect(text).toBe('out\nerr\n[exit code 3]')
  })

  it('hints at mixed line ends where they may be why a command failed', async () => {
    expect((await call({ command: 'cd /tmp\r\npwd\nfalse' })).text).toMatch(/\[some lines of the command end in CRLF/)
    expect((await call({ command: 'cd /tmp\r\npwd\r\nfalse' })).text).toBe('/tmp\n[exit code 1]')
  })

  it('starts in the folder of the session, or in one that is named from there', async () => {
    fs.mkdirSync(path.join(folder, 'inner'))
    expect((await run({ command: 'pwd' })).stdout.text).toBe(`${folder}\n`)
    expect((await run({ command: 'pwd', workdir: 'inner' })).stdout.text).toBe(`${folder}/inner\n`)
    expect((await run({ command: 'pwd', workdir: '/' })).stdout.text).toBe('/\n')
  })

  it('tells the command its call, and passes stdin and deadline on', async () => {
    expect((await run({ command: 'echo $DSH_TOOL $DSH_CALL_ID' })).stdout.text).toBe('bash call-1\n')
    expect((await run({ command: 'cat', stdin: 'given' })).stdout.text).toBe('given')
    expect(await run({ command: 'sleep 60', timeout_ms: 100 })).toMatchObject({ timedOut: true, timeoutMs: 100 })
  })

  it('streams to the sink of the execution', async () => {
    const pieces: string[] = []
    await call(
      { command: 'echo a; echo b >&2' },
      { output: { write: (stream, text) => void pieces.push(`${stream} ${text}`) } },
    )
    expect(pieces.toSorted()).toEqual(['stderr b\n', 'stdout a\n'])
  })

  it('ends the command when the execution is cancelled', async () => {
    const seconds = uniqueSeconds()
    const stop = new AbortController()
    const running = run({ command: `sleep ${seconds}` }, { signal: stop.signal })
    await until('it runs', () => processesWith(seconds).length > 0)
    stop.abort()
    expect(await running).toMatchObject({ aborted: true })
    expect(processesWith(seconds)).toEqual([])
  })

  it('tells the model about itself', () => {
    expect(mounted.ctx.systemPrompt.render()).toContain('bash')
  })
})

describe('background jobs', () => {
  it('run beside the session, can be read and killed, and their end is told once', async () => {
    const seconds = uniqueSeconds()
    const started = await call({ command: `echo ready; sleep ${seconds}`, run_in_background: true })
    const { id } = (started.result as { job: { id: string } }).job
    expect(started.text).toContain(id)
    const execution = { callId: 'c', principal: { id: 'cli:local' }, agentKind: 'main' as const }
    const tool = async (name: string, args: object) => (await mounted.ctx.tools.execute(name, args, execution)).text
    await until('it is ready', async () => (await tool('job_output', { id })).includes('ready'))
    expect(await tool('job_kill', { id })).toContain('killed')
    expect(processesWith(seconds)).toEqual([])

    await call({ command: 'exit 4', run_in_background: true })
    await until('it has ended', () => mounted.ctx.jobs.list('cli:local').some((job) => job.outcome?.exitCode === 4))
    expect((await call({ command: 'true' })).text).toContain('exited with 4')
    expect((await call({ command: 'true' })).text).toBe('(no output)')
  })

  it('end when the host does', async () => {
    const seconds = uniqueSeconds()
    await call({ command: `sleep ${seconds}`, run_in_background: true })
    await until('it runs', () => processesWith(seconds).length > 0)
    await mounted.dispose()
    expect(processesWith(seconds)).toEqual([])
  })
})

describe('the gates', () => {
  it('hide the tool from whoever may not use it', () => {
    const { tools } = mounted.ctx
    for (const role of ['guest', 'user'] as const) {
      expect(tools.names(role)).toEqual([])
      expect(() => tools.schema('bash', role)).toThrowError(/needs the role admin/)
    }
    expect(tools.listEssential('admin').map(({ name }) => name)).toContain('bash')
  })

  it('run nothing for a user, a guest or a sub-agent', async () => {
    const file = path.join(folder, 'ran')
    const command = `touch ${file}`
    for (const over of [
      { principal: { id: 'cli:user' } },
      { principal: { id: 'chat:x' } },
      { agentKind: 'sub' as const },
    ]) {
      await expect(call({ command }, over)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    }
    expect(fs.existsSync(file)).toBe(false)
  })

  it('take no role from the arguments', async () => {
    await expect(call({ command: 'true', role: 'admin' }, { principal: { id: 'chat:x' } })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    })
    await expect(call({ command: 'true', role: 'admin' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})
