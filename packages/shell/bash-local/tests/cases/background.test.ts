import { isAlive, openDescriptors, processesWith, sleepers, uniqueSeconds } from 'dsh-contracts/outside'
import { until } from 'dsh-contracts/until'
import { describe, expect, it } from 'vitest'
import { bash } from '../bash.ts'

describe('a process that is left in the background', () => {
  it('BG-1: does not keep the call, is named, lives on, and ends with the plugin', async () => {
    const { run, dispose } = await bash()
    const seconds = uniqueSeconds()
    const result = await run(`sleep ${seconds} & echo done`)
    expect(result).toMatchObject({ exitCode: 0, stdout: { text: 'done\n', totalBytes: 5 } })
    const [sleeper] = sleepers(seconds)
    expect(result.background).toEqual([{ pid: sleeper?.pid, command: `sleep ${seconds}` }])
    expect((await run('echo next')).stdout.text).toBe('next\n')
    expect(isAlive(sleeper?.pid ?? 0)).toBe(true)
    await dispose()
    expect(isAlive(sleeper?.pid ?? 0)).toBe(false)
  })

  it('BG-3: is not waited for however much it prints, and prints into nobody else’s result', async () => {
    const { run, ctx } = await bash()
    const result = await run('(while :; do echo tick; sleep 0.02; done) & sleep 0.1; echo front')
    expect(result.stdout.text).toContain('front\n')
    expect(result.background?.[0]?.command).toBe('(a subshell of the command)')
    for (let round = 0; round < 5; round++) expect((await run('echo x')).stdout.text).toBe('x\n')
    // Nobody reads what it prints any more, and yet no pipe fills up: it goes on.
    const { pid } = result.background?.[0] ?? { pid: 0 }
    const before = process.memoryUsage().heapUsed
    await run('sleep 0.5')
    expect(isAlive(pid)).toBe(true)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(20_000_000)
    expect(ctx.shell).toBeDefined()
  })

  it.each([
    ['holds the output', (seconds: string) => `setsid sleep ${seconds} & echo up`],
    ['holds nothing', (seconds: string) => `setsid sleep ${seconds} >/dev/null 2>&1 </dev/null & sleep 0.05; echo up`],
    ['has forked twice', (seconds: string) => `(setsid sh -c 'sleep ${seconds} & exit' &); sleep 0.05; echo up`],
  ])('BG-5: in a session of its own that %s, is named and ends with the plugin', async (_title, command) => {
    const { run, dispose } = await bash()
    const seconds = uniqueSeconds()
    const result = await run(command(seconds))
    expect([result.exitCode, result.stdout.text]).toEqual([0, 'up\n'])
    expect(result.background?.map(({ command: name }) => name)).toContain(`sleep ${seconds}`)
    await dispose()
    expect(processesWith(seconds)).toEqual([])
  })

  it('BG-7: serves the next call', async () => {
    const { run } = await bash()
    const server = `require('http').createServer((q, r) => r.end('hello')).listen(0, '127.0.0.1', function () { require('fs').writeFileSync(process.argv[1], String(this.address().port)) })`
    const { stdout } = await run(
      `port=$(mktemp); node -e "${server}" "$port" >/dev/null 2>&1 & echo $!; while [ ! -s "$port" ]; do sleep 0.02; done; cat "$port"`,
    )
    const [, port] = stdout.text.split('\n')
    const answer = await run(
      `exec 3<>/dev/tcp/127.0.0.1/${port}; printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3 | tail -1`,
    )
    expect(answer.stdout.text).toBe('hello')
  })

  it('BG-8: costs no byte of what the command itself printed, and no descriptor', async () => {
    const { run, dispose } = await bash()
    const before = openDescriptors().length
    const seconds = uniqueSeconds()
    const one = async (): Promise<void> => {
      const result = await run(`head -c 3000000 /dev/zero | tr '\\0' a; sleep ${seconds} & exit 0`)
      expect(result.stdout.totalBytes).toBe(3_000_000)
      expect(result.stdout.text).toMatch(/^a+$/)
    }
    for (let round = 0; round < 5; round++) await Promise.all(Array.from({ length: 8 }, one))
    await dispose()
    expect(processesWith(seconds)).toEqual([])
    await until('descriptors are closed', () => openDescriptors().length <= before)
  })

  it('dies with a command that is timed out', async () => {
    const { run } = await bash()
    const seconds = uniqueSeconds()
    expect((await run(`sleep ${seconds} & sleep ${seconds}`, { timeoutMs: 200 })).timedOut).toBe(true)
    expect(processesWith(seconds)).toEqual([])
  })
})
