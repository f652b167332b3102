import fs from 'node:fs'
import path from 'node:path'
import { processesWith, sleepers, uniqueSeconds } from 'dsh-contracts/outside'
import { until } from 'dsh-contracts/until'
import { describe, expect, it } from 'vitest'
import { bash, host, tempFolder } from '../bash.ts'

/** Six commands that would outlive a careless host. */
const start = (seconds: string): string => `
  const settle = (promise) => promise.catch(() => {})
  settle(run('sleep ${seconds}'))
  settle(run('setsid sleep ${seconds} & wait; sleep ${seconds}'))
  settle(run("(setsid sh -c 'sleep ${seconds} & exit' &); sleep ${seconds}"))
  settle(run("trap '' TERM; sleep ${seconds}; echo x"))
  settle(run("env -i setsid sh -c '(/bin/sleep ${seconds} &)' & sleep ${seconds}"))
  await run('sleep ${seconds} & echo job')
  say('started')
`
/** Sleepers of a host, when all of them run: the commands' own, and those that left. */
const ALL = 8

async function startHost(code: string): Promise<{ seconds: string; child: ReturnType<typeof host> }> {
  const seconds = uniqueSeconds()
  const child = host(start(seconds) + code)
  await until('all run', () => sleepers(seconds).length >= ALL)
  return { seconds, child }
}
const guardians = () => processesWith('dsh-guardian').map(({ pid }) => pid)

describe('HOST-1: when the host dies, everything that it started does', () => {
  it.each(['SIGKILL', 'SIGHUP', 'SIGTERM', 'SIGINT', 'SIGABRT'] as const)('by %s, without a word', async (signal) => {
    const { seconds, child } = await startHost('await new Promise(() => setInterval(() => {}, 1000))')
    // A daemon without marks is known after the first look at its tree, some hundredths of a second after its start.
    await new Promise((resolve) => setTimeout(resolve, 300))
    child.kill(signal)
    expect((await child.exit).signal).toBe(signal)
    await until('nobody is left', () => sleepers(seconds).length === 0, 5000)
    expect(processesWith(seconds)).toEqual([])
  })

  it.each([
    ['process.exit()', 'process.exit(5)', 5],
    ['an uncaught exception', "setTimeout(() => { throw new Error('uncaught') })", 1],
    ['an unhandled rejection', "void Promise.reject(new Error('unhandled'))", 1],
    ['dispose', 'await ctx.fiber.dispose()', 0],
  ])('by %s, before it has gone', async (_title, code, exitCode) => {
    const { seconds, child } = await startHost(`process.stdin.resume; setTimeout(async () => { ${code} }, 300)`)
    expect((await child.exit).code).toBe(exitCode)
    expect(processesWith(seconds)).toEqual([])
  })

  it('and its guardian, too, and its spill files by the next start', async () => {
    const folder = path.join(tempFolder(), 'spill')
    const before = guardians()
    const seconds = uniqueSeconds()
    const child = host(
      `
      const { LocalSubprocessRuntime } = await import('dsh-subprocess-local')
      await ctx.fiber.dispose()
      const { Context: Again } = await import('cordis')
      const other = new Again()
      await other.plugin(LocalSubprocessRuntime, SubprocessLocalConfig.parse({ spillDir: ${JSON.stringify(folder)} }))
      await other.plugin(Bash, BashLocalConfig.parse({ cwd: '/tmp', maxOutputBytes: 100 }))
      const executor = other.get('shell')
      await executor.run(executor.resolve({ command: 'seq 1 1000; sleep ${seconds} & true' }))
      setInterval(() => {}, 1000)
      `,
    )
    await until('it has spilled', () => fs.existsSync(folder) && sleepers(seconds).length === 1)
    expect(guardians().length).toBeGreaterThan(before.length)
    child.kill('SIGKILL')
    await child.exit
    await until('nobody is left', () => sleepers(seconds).length === 0)
    await until('the guardian is gone', () => guardians().every((pid) => before.includes(pid)))
    expect(fs.readdirSync(folder)).toHaveLength(1)
    await bash({}, { spillDir: folder })
    expect(fs.existsSync(folder)).toBe(false)
  })
})

describe('HOST-3: what a dead host left', () => {
  it('writes nothing any more, also from a session of its own', async () => {
    const file = path.join(tempFolder(), 'ticks')
    const child = host(`await run("setsid sh -c 'while :; do echo tick >>${file}; sleep 0.02; done' & sleep 60")`)
    await until('it ticks', () => fs.existsSync(file))
    child.kill('SIGKILL')
    await child.exit
    let size = -1
    await until('it has stopped', async () => {
      const before = size
      size = fs.statSync(file).size
      await new Promise((resolve) => setTimeout(resolve, 150))
      return before === size
    })
    expect(size).toBeGreaterThan(0)
  })

  it('together with its guardian is ended by the next host', async () => {
    const seconds = uniqueSeconds()
    const child = host(`await run('setsid sleep ${seconds} & sleep ${seconds}')`)
    await until('it runs', () => sleepers(seconds).length === 2)
    const guardian = processesWith(`dsh-guardian DSH_SPAWN_ID=${child.pid}-`)
    expect(guardian).toHaveLength(1)
    process.kill(guardian[0]?.pid ?? 0, 'SIGKILL')
    child.kill('SIGKILL')
    await child.exit
    expect(sleepers(seconds)).toHaveLength(2)
    await bash()
    await until('the next host has ended it', () => sleepers(seconds).length === 0)
  })

  it('alone goes on without its guardian, and gets a new one with the next command', async () => {
    const { run } = await bash()
    const mine = () => processesWith(`dsh-guardian DSH_SPAWN_ID=${process.pid}-`)
    await run('true')
    const [first] = mine()
    process.kill(first?.pid ?? 0, 'SIGKILL')
    await until('it is gone', () => mine().length === 0)
    await until('there is another', async () => (await run('echo x')).stdout.text === 'x\n' && mine().length === 1)
    expect(mine()[0]?.pid).not.toBe(first?.pid)
  })
})
