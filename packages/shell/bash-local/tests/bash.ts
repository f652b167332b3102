import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import type { ShellExecRequest, ShellRunResult } from 'dsh-shell'
import LocalSubprocessRuntime, { type SubprocessLocalConfig } from 'dsh-subprocess-local'
import { afterEach } from 'vitest'
import { type BashLocalConfig, LocalBashExecutor } from '../src/index.ts'

/** As it was before a test has changed it. */
const START = os.tmpdir()

const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const end of clean.splice(0).toReversed()) await end()
})

/** A folder that goes with the test. */
export function tempFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-case-')))
  clean.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Variables of this process that go with the test. */
export function setEnv(variables: Record<string, string>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name]
    clean.push(() => (before === undefined ? delete process.env[name] : (process.env[name] = before)))
    process.env[name] = value
  }
}

export interface Bash extends Mounted {
  readonly run: (command: string, request?: Partial<ShellExecRequest>) => Promise<ShellRunResult>
}

/** A bash that goes with the test. */
export async function bash(
  config: Partial<BashLocalConfig> = {},
  engine: Partial<SubprocessLocalConfig> = {},
): Promise<Bash> {
  const mounted = await mount(async (ctx) => {
    await plug(ctx, LocalSubprocessRuntime, engine)
    await plug(ctx, LocalBashExecutor, { cwd: START, graceMs: 500, ...config })
  })
  clean.push(() => mounted.dispose())
  const { shell } = mounted.ctx
  return { ...mounted, run: async (command, request) => await shell.run(shell.resolve({ command, ...request })) }
}

/** What every host of a test begins with. */
export const PRELUDE = `
import { Context } from 'cordis'
import Subprocess, { SubprocessLocalConfig } from 'dsh-subprocess-local'
import Bash, { BashLocalConfig } from 'dsh-bash-local'
const ctx = new Context()
await ctx.plugin(Subprocess, SubprocessLocalConfig.parse({}))
await ctx.plugin(Bash, BashLocalConfig.parse({ cwd: '/tmp', graceMs: 500 }))
const shell = ctx.get('shell')
const run = (command, request = {}) => shell.run(shell.resolve({ command, ...request }))
const say = (value) => process.stdout.write(JSON.stringify(value) + '\\n')
`

export interface HostProcess {
  readonly pid: number
  readonly exit: Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** A host in a process of its own: `code` has `ctx`, `shell`, `run` and `say`. It goes with the test. */
export function host(code: string, env: Record<string, string> = {}, wrapper: readonly string[] = []): HostProcess {
  const program = [process.execPath, '--input-type=module', '-e', PRELUDE + code]
  const [file = '', ...args]: string[] = [...wrapper, ...program]
  const child = spawn(file, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  clean.push(() => child.kill('SIGKILL'))
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ code: exitCode, signal }))
  })
  const collected = Promise.all([text(child.stdout), text(child.stderr)])
  return {
    pid: child.pid ?? 0,
    exit: exit.then(async (how) => {
      const [stdout, stderr] = await collected
      return { ...how, stdout, stderr }
    }),
    kill: (signal) => void child.kill(signal),
  }
}
