import fs from 'node:fs'
import path from 'node:path'
import { processesWith, sleepers, uniqueSeconds, zombies } from 'dsh-contracts/outside'
import { canUse } from 'dsh-contracts/require'
import { until } from 'dsh-contracts/until'
import { probeCgroup } from 'dsh-subprocess-local'
import { describe, expect, it } from 'vitest'
import type { BashLocalConfig } from '../../src/index.ts'
import { host, bash as plainBash, tempFolder } from '../bash.ts'

// Where a cgroup may be made it finds everybody; where none may be, the other marks have to.
describe.each(['auto', 'off'] as const)('a command that is ended (cgroup: %s)', (cgroup) => {
  const bash = (config?: Partial<BashLocalConfig>) => plainBash(config, { cgroup })

  it.each([
    ["trap '' TERM; sleep N & wait; echo x"],
    ['sleep N & wait'],
    ['set -m; sleep N & sleep N'],
    ['nohup sleep N >/dev/null 2>&1 & sleep N'],
    ["(trap '' TERM HUP INT; exec sleep N) & wait"],
    ['sleep N | sleep N | sleep N'],
    ['env -i /bin/sh -c "/bin/sleep N & /bin/sleep N"'],
  ])('KILL-1: leaves nobody behind and is no success: %s', async (template) => {
    const { run } = await bash()
    const seconds = uniqueSeconds()
    const result = await run(template.replaceAll('N', seconds), { timeoutMs: 300 })
    expect(result.timedOut).toBe(true)
    expect(result.exitCode).not.toBe(0)
    expect(processesWith(seconds)).toEqual([])
  })

  it('ends fifty processes that try everything', async () => {
    const { run } = await bash()
    const seconds = uniqueSeconds()
    const command = `for i in 1 2 3 4 5 6 7 8 9 10; do
      sleep ${seconds} &
      setsid sleep ${seconds} &
      (setsid sh -c 'sleep ${seconds} & exit' &)
      (trap '' TERM; sleep ${seconds}; echo x) &
      env -i setsid sh -c '(/bin/sleep ${seconds} &)' &
    done; wait`
    expect((await run(command, { timeoutMs: 1000 })).timedOut).toBe(true)
    expect(processesWith(seconds)).toEqual([])
  })

  it.each(['', '>/dev/null 2>&1'])(
    'finds a daemon that has shed session, parents and environment, beside others %s',
    async (redirection) => {
      const { run } = await bash()
      const [kept, ended] = [uniqueSeconds(), uniqueSeconds()]
      const other = await run(`env -i setsid sh -c '(/bin/sleep ${kept} &)' ${redirection} & sleep 0.1; echo up`)
      expect(other.background?.map(({ command }) => command)).toEqual([`/bin/sleep ${kept}`])
      await run(`env -i setsid sh -c '(/bin/sleep ${ended} &)' & sleep 60`, { timeoutMs: 300 })
      expect(processesWith(`sleep ${ended}`)).toEqual([])
      expect(processesWith(`sleep ${kept}`)).toHaveLength(1)
    },
  )

  it('KILL-4: has ended before the call returns, and starts nothing afterwards', async () => {
    const { run } = await bash()
    const log = path.join(tempFolder(), 'log')
    const stop = new AbortController()
    const running = run(`while :; do timeout 60 sleep 0.05; date >>${log}; done`, { signal: stop.signal })
    await until('it works', () => fs.existsSync(log))
    stop.abort()
    expect((await running).aborted).toBe(true)
    const size = fs.statSync(log).size
    await run('sleep 0.5')
    expect(fs.statSync(log).size).toBe(size)
  })

  it('KILL-4: is frozen and ended while it forks without end', async () => {
    const { run } = await bash()
    const seconds = uniqueSeconds()
    const storm = `n=0; while [ $n -lt 60 ]; do (trap '' TERM; while :; do sleep ${seconds} & sleep 0.02; done) & n=$((n+1)); done; wait`
    expect((await run(storm, { timeoutMs: 800 })).timedOut).toBe(true)
    expect(processesWith(seconds)).toEqual([])
  })

  it('KILL-5: takes nobody along, whatever group it signals', async () => {
    const { run } = await bash()
    expect(await run('kill -TERM 0; sleep 5')).toMatchObject({ signal: 'SIGTERM', exitCode: 143, timedOut: false })
    const seconds = uniqueSeconds()
    expect(await run(`sleep ${seconds}`, { timeoutMs: 200 })).toMatchObject({ timedOut: true })
    expect(processesWith(seconds)).toEqual([])
  })

  it('may end in peace: exit code 0 on SIGTERM is told beside the timeout', async () => {
    const { run } = await bash({ graceMs: 5000 })
    const result = await run("trap 'echo saved; exit 0' TERM; while :; do sleep 0.02; done", { timeoutMs: 200 })
    expect(result).toMatchObject({ timedOut: true, exitCode: 0, stdout: { text: 'saved\n' } })
  })
})

// A process sheds every mark between two looks at its tree. The pause is what the system may take to move the shell.
const SHED = (seconds: string): string =>
  `sleep 0.1; perl -MPOSIX -e 'fork and exit; setsid; fork and exit; open STDIN, "</dev/null"; open STDOUT, ">/dev/null"; open STDERR, ">/dev/null"; %ENV = (); exec "/bin/sleep", "${seconds}"'`
const canShed = canUse('perl', ['perl', '-MPOSIX', '-e', '1']) && probeCgroup() !== undefined

describe.runIf(canShed)('a daemon that sheds every mark at once', () => {
  it('is named beside other commands, and ends with the host', async () => {
    const { run, dispose } = await plainBash()
    const stop = new AbortController()
    const other = run('sleep 60', { signal: stop.signal })
    const seconds = uniqueSeconds()
    const { background } = await run(`${SHED(seconds)}; sleep 0.05`)
    expect(background?.map(({ command }) => command)).toEqual([`/bin/sleep ${seconds}`])
    stop.abort()
    await other
    expect(processesWith(seconds)).toHaveLength(1)
    await dispose()
    expect(processesWith(seconds)).toEqual([])
  })

  it('ends with a command that is ended, and with a host that is killed', async () => {
    const { run } = await plainBash()
    const seconds = uniqueSeconds()
    expect((await run(`${SHED(seconds)}; sleep 60`, { timeoutMs: 300 })).timedOut).toBe(true)
    expect(processesWith(seconds)).toEqual([])
    const { kill, exit } = host(`run(${JSON.stringify(`${SHED(seconds)}; sleep 60`)})`)
    await until('it runs', () => sleepers(seconds).length === 1)
    kill('SIGKILL')
    await exit
    await until('it is gone', () => sleepers(seconds).length === 0)
  })
})

it('two runtimes in one host touch nothing of each other', async () => {
  const [one, two] = [await plainBash(), await plainBash()]
  const [kept, ended] = [uniqueSeconds(), uniqueSeconds()]
  await one.run(`env -i setsid sh -c '(/bin/sleep ${kept} >/dev/null 2>&1 &)'; sleep 0.2`)
  await two.run(`(setsid sleep ${ended} >/dev/null 2>&1 &); sleep 60`, { timeoutMs: 500 })
  await two.dispose()
  expect([sleepers(ended).length, sleepers(kept).length]).toEqual([0, 1])
  expect((await one.run('echo on')).stdout.text).toBe('on\n')
  await one.dispose()
  expect(sleepers(kept)).toEqual([])
})

describe('the outcome', () => {
  it.each([
    ['echo part; kill -9 $$', 'SIGKILL', 137],
    ['echo part; kill -SEGV $$', 'SIGSEGV', 139],
    ['echo part; exec node -e "process.abort()"', 'SIGABRT', 134],
    ['echo part; kill -HUP $$', 'SIGHUP', 129],
  ])('KILL-7: names the signal of %s', async (command, signal, exitCode) => {
    const { run } = await plainBash()
    const result = await run(command)
    expect(result).toMatchObject({ signal, exitCode, timedOut: false, aborted: false })
    expect(result.stdout.text).toBe('part\n')
  })

  it("KILL-7: leaves to the shell what is the shell's to tell", async () => {
    const { run } = await plainBash()
    expect(await run("sh -c 'kill -9 $$'; echo rc=$?")).toMatchObject({ exitCode: 0, stdout: { text: 'rc=137\n' } })
  })

  it('KILL-8: keeps what was printed before a timeout', async () => {
    const { run } = await plainBash()
    const result = await run('for i in 1 2 3 4 5 6 7 8 9; do echo line$i; sleep 0.2; done', { timeoutMs: 700 })
    expect(result.timedOut).toBe(true)
    expect(result.stdout.text).toMatch(/^line1\nline2\nline3\n/)
  })

  it('is never both timed out and aborted, whenever the caller gives up', async () => {
    const { run } = await plainBash()
    for (const wait of [0, 20, 40, 60, 80]) {
      const signal = AbortSignal.timeout(wait + 1)
      const result = await run('sleep 0.05', { signal, timeoutMs: 40 })
      expect(result.timedOut && result.aborted).toBe(false)
      if (result.exitCode !== 0) expect(result.timedOut || result.aborted).toBe(true)
    }
  })
})

const canUnshare = canUse('unshare', ['unshare', '--pid', '--fork', '--mount-proc', 'true'])

describe('a host that is the first process of a container', () => {
  it.runIf(canUnshare)(
    'KILL-10: reports every exit code, leaves no zombie, and takes no status of other children',
    async () => {
      const wrapper = ['unshare', '--pid', '--fork', '--mount-proc']
      const { exit } = host(
        `
      import { spawn } from 'node:child_process'
      import fs from 'node:fs'
      const plain = (code) => new Promise((resolve) => spawn('sh', ['-c', 'exit ' + code]).once('exit', resolve))
      const codes = []
      const others = []
      for (let round = 0; round < 10; round++) {
        const [mine, theirs] = await Promise.all([
          Promise.all(Array.from({ length: 10 }, () => run('(sleep 0.05 &) ; (sleep 0.05 &) ; exit 4'))),
          Promise.all(Array.from({ length: 10 }, (_, index) => plain(index))),
        ])
        codes.push(...mine.map(({ exitCode }) => exitCode))
        others.push(...theirs)
      }
      await new Promise((resolve) => setTimeout(resolve, 1500))
      const states = fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((pid) => {
        try { return fs.readFileSync('/proc/' + pid + '/stat', 'latin1').replace(/^.*\\) /, '').split(' ') } catch { return [] }
      })
      say({ pid: process.pid, codes, others, zombies: states.filter(([state, parent]) => state === 'Z' && parent === '1').length })
      await ctx.fiber.dispose()
      `,
        {},
        wrapper,
      )
      const { stdout, stderr } = await exit
      expect(stderr).toBe('')
      const seen = JSON.parse(stdout) as { pid: number; codes: number[]; others: number[]; zombies: number }
      expect(seen.pid).toBe(1)
      expect(seen.codes).toEqual(Array.from({ length: 100 }, () => 4))
      expect(seen.others).toEqual(Array.from({ length: 100 }, (_, index) => index % 10))
      expect(seen.zombies).toBe(0)
    },
  )

  it('leaves no zombie of orphans, nor takes a status, in any other process either', async () => {
    const { run, dispose } = await plainBash()
    for (let round = 0; round < 20; round++)
      expect((await run('(setsid sleep 0.01 &); (sleep 0.01 &); exit 4')).exitCode).toBe(4)
    await dispose()
    expect(zombies()).toEqual([])
  })
})
