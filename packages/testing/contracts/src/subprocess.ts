import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import type { SubprocessHandle, SubprocessRuntime, SubprocessSpawnSpec } from 'dsh-subprocess'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import { type Mounted, mount } from './mount.ts'
import { openDescriptors, processesWith, sleepers, uniqueSeconds, zombies } from './outside.ts'
import { obligations, type Skips } from './suite.ts'
import { until } from './until.ts'

export interface SubprocessContract {
  /** What is tested, for the title. */
  readonly name: string
  readonly mount: (ctx: Context) => Promise<void>
  readonly skip?: Skips
}

const COLLECT = { collect: { maxBytes: 64_000, maxSpillBytes: 0 } } as const

/** What every provider of `ctx.subprocess` on a POSIX system owes its callers. */
export function testSubprocess({ name, mount: load, skip }: SubprocessContract): void {
  describe(`subprocess contract, ${name}`, () => {
    const { must, end } = obligations(skip)
    let mounted: Mounted
    let runtime: SubprocessRuntime
    let folder: string

    beforeEach(async () => {
      folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-contract-')))
      mounted = await mount(load)
      runtime = mounted.ctx.subprocess
    })
    afterEach(async () => {
      try {
        await mounted.dispose()
      } finally {
        fs.rmSync(folder, { recursive: true, force: true })
      }
    })

    const spawn = (script: string, spec: Partial<SubprocessSpawnSpec> = {}): SubprocessHandle =>
      runtime.spawn({
        argv: ['sh', '-c', script],
        cwd: folder,
        graceMs: 300,
        stdio: { stdin: 'ignore', stdout: COLLECT, stderr: COLLECT },
        ...spec,
      })
    const output = async (script: string, spec: Partial<SubprocessSpawnSpec> = {}): Promise<string> => {
      const handle = spawn(script, spec)
      await handle.done
      return handle.collected.stdout?.text ?? ''
    }
    const stdio = (part: Partial<SubprocessSpawnSpec['stdio']>): Pick<SubprocessSpawnSpec, 'stdio'> => ({
      stdio: { stdin: 'ignore', stdout: COLLECT, stderr: COLLECT, ...part },
    })

    describe('outcomes', () => {
      must('tells the exit code', async () => {
        expect(await spawn('exit 7').done).toEqual({ exitCode: 7 })
      })
      must('tells the signal, with 128 + n as exit code', async () => {
        for (const [signal, exitCode] of [
          ['KILL', 137],
          ['TERM', 143],
          ['SEGV', 139],
        ] as const) {
          expect(await spawn(`kill -${signal} $$`).done).toEqual({ exitCode, signal: `SIG${signal}` })
        }
      })
      must('refuses a program that is not there with its errno', async () => {
        const attempt = async (): Promise<unknown> => await spawn('', { argv: ['/nowhere/program'] }).done
        await expect(attempt()).rejects.toMatchObject({ code: 'SPAWN_FAILED', details: { errno: 'ENOENT' } })
        expect(await spawn('exit 0').done).toEqual({ exitCode: 0 })
      })
      must('starts the process in the folder that was named', async () => {
        expect(await output('pwd -P')).toBe(`${folder}\n`)
      })
      must('makes the process leader of a session of its own', async () => {
        const handle = spawn(`ps -o sid= -p $$ 2>/dev/null || cut -d ' ' -f 6 /proc/$$/stat`)
        await handle.done
        expect(Number(handle.collected.stdout?.text)).toBe(handle.pid)
      })
    })

    describe('streams', () => {
      must('collects both streams and knows their order', async () => {
        const handle = spawn('echo o1; sleep 0.05; echo e1 >&2; sleep 0.05; echo o2')
        await handle.done
        expect(handle.collected.stdout?.text).toBe('o1\no2\n')
        expect(handle.collected.stderr?.text).toBe('e1\n')
        expect(handle.collected.combined).toBe('o1\ne1\no2\n')
      })
      must('gives data as input, and at once the end where there is none', async () => {
        expect(await output('cat', stdio({ stdin: { data: 'given' } }))).toBe('given')
        expect(await output('cat', stdio({ stdin: 'ignore' }))).toBe('')
      })
      must('gives a stream to write to and streams to read from', async () => {
        const handle = spawn('cat; echo done >&2', stdio({ stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }))
        handle.stdin?.end('piped')
        const [out, err] = await Promise.all([text(handle.stdout as Readable), text(handle.stderr as Readable)])
        expect([out, err]).toEqual(['piped', 'done\n'])
      })
      must('does not mind a process that ends before it has read its input', async () => {
        const handle = spawn('exit 7', stdio({ stdin: 'pipe' }))
        handle.stdin?.write(Buffer.alloc(8_000_000))
        expect(await handle.done).toEqual({ exitCode: 7 })
      })
      must('gives data on descriptor 3', async () => {
        expect(await output('cat <&3', { input3: 'third' })).toBe('third')
        expect(await output('cat <&3 2>/dev/null || echo closed')).toBe('closed\n')
      })
      must('spills the whole of a long output to a private file, which goes with the plugin', async () => {
        const collect = { maxBytes: 1000, maxSpillBytes: 10_000_000 }
        const handle = spawn('seq 1 200000', stdio({ stdout: { collect } }))
        await handle.done
        const { spillPath = '', totalBytes } = handle.collected.stdout ?? {}
        const whole = Array.from({ length: 200_000 }, (_, index) => `${index + 1}\n`).join('')
        expect(totalBytes).toBe(whole.length)
        expect(sha256(fs.readFileSync(spillPath))).toBe(sha256(Buffer.from(whole)))
        expect(fs.statSync(spillPath).mode & 0o777).toBe(0o600)
        expect(fs.statSync(path.dirname(spillPath)).mode & 0o777).toBe(0o700)
        await mounted.dispose()
        expect(fs.existsSync(spillPath)).toBe(false)
      })
      must('opens its own standard streams by name', async () => {
        const handle = spawn(
          'echo x >/dev/stderr && echo y >/dev/stdout && cat /dev/stdin',
          stdio({ stdin: { data: 'z' } }),
        )
        expect(await handle.done).toEqual({ exitCode: 0 })
        expect([handle.collected.stdout?.text, handle.collected.stderr?.text]).toEqual(['y\nz', 'x\n'])
      })
      must('passes on no descriptor but those asked for', async () => {
        const fd = fs.openSync('/dev/null', 'r')
        try {
          expect((await output('ls /proc/self/fd 2>/dev/null || ls /dev/fd')).trim().split('\n')).toEqual([
            '0',
            '1',
            '2',
            '3',
          ])
        } finally {
          fs.closeSync(fd)
        }
      })
    })

    describe('trees', () => {
      const hostile: Record<string, (seconds: string) => string> = {
        'a child': (seconds) => `sleep ${seconds} & wait`,
        'a child in a session of its own': (seconds) => `setsid sleep ${seconds} & wait; sleep ${seconds}`,
        'a daemon that forked twice': (seconds) => `(setsid sh -c 'sleep ${seconds} & exit' &) ; sleep ${seconds}`,
        'a process that ignores SIGTERM': (seconds) => `trap '' TERM; sleep ${seconds} & wait; sleep ${seconds}`,
        'a stopped process': (seconds) => `sleep ${seconds} & kill -STOP $!; wait`,
      }
      for (const [what, script] of Object.entries(hostile)) {
        must(`ends ${what}`, async () => {
          const seconds = uniqueSeconds()
          const handle = spawn(script(seconds))
          await until('it runs', () => processesWith(`sleep ${seconds}`).length > 0)
          await handle.terminate()
          expect(processesWith(seconds)).toEqual([])
          expect((await handle.done).exitCode).not.toBe(0)
        })
      }
      must('lets a process end by itself within the grace', async () => {
        const handle = spawn(`trap 'echo saved; exit 5' TERM; echo ready; while :; do sleep 0.01; done`, {
          graceMs: 10_000,
        })
        await until('it is ready', () => handle.collected.stdout?.text.includes('ready'))
        await handle.terminate()
        expect(await handle.done).toEqual({ exitCode: 5 })
        expect(handle.collected.stdout?.text).toBe('ready\nsaved\n')
      })
      must('ends the tree when the signal aborts', async () => {
        const seconds = uniqueSeconds()
        const stop = new AbortController()
        const handle = spawn(`sleep ${seconds} & wait`, { signal: stop.signal })
        await until('it runs', () => processesWith(seconds).length > 0)
        stop.abort()
        await handle.waitForExit()
        expect(processesWith(seconds)).toEqual([])
      })
      must('is done with the process, but waits for the exit of its tree', async () => {
        const seconds = uniqueSeconds()
        const handle = spawn(`sleep ${seconds} & echo front`)
        expect(await handle.done).toEqual({ exitCode: 0 })
        expect(handle.collected.stdout?.text).toBe('front\n')
        const left = handle.background()
        expect(left.map(({ pid }) => pid)).toEqual(sleepers(seconds).map(({ pid }) => pid))
        await expect(handle.waitForExit(AbortSignal.timeout(50))).rejects.toMatchObject({ name: 'TimeoutError' })
        process.kill(left[0]?.pid ?? 0, 'SIGKILL')
        expect(await handle.waitForExit()).toEqual({ exitCode: 0 })
      })
      must('leaves no process, descriptor, zombie or listener when the plugin ends', async () => {
        const seconds = uniqueSeconds()
        const before = { descriptors: openDescriptors().length, listeners: process.listenerCount('SIGCHLD') }
        spawn(`sleep ${seconds} & setsid sleep ${seconds} & wait`)
        await output(`sleep ${seconds} & echo x`)
        await until('all run', () => sleepers(seconds).length === 3)
        await mounted.dispose()
        expect(processesWith(seconds)).toEqual([])
        await until('nothing is left', () => zombies().length === 0 && openDescriptors().length <= before.descriptors)
        expect(process.listenerCount('SIGCHLD')).toBeLessThanOrEqual(before.listeners)
      })
    })

    describe('programs and environment', () => {
      must('finds a program on PATH, checks an absolute path, refuses a relative one', async () => {
        expect(path.isAbsolute(await runtime.resolveExecutable('sh'))).toBe(true)
        expect(await runtime.resolveExecutable('/bin/sh')).toBe('/bin/sh')
        await expect(runtime.resolveExecutable('./sh')).rejects.toSatisfy((e) => ShellError.is(e, 'INVALID_REQUEST'))
        for (const missing of ['no-such-program', '/no/such/program', '/etc']) {
          await expect(runtime.resolveExecutable(missing)).rejects.toMatchObject({
            code: 'SPAWN_FAILED',
            details: { errno: 'ENOENT' },
          })
        }
      })
      must('gives no secret of the host to a process, and what the caller adds', async () => {
        process.env['DSH_CONTRACT'] = 'x'
        process.env['CONTRACT_SECRET'] = 'x'
        process.env['CONTRACT_PLAIN'] = 'plain'
        try {
          const variables = await output('env', { env: { ADDED: 'by the caller' } })
          expect(variables).toContain('CONTRACT_PLAIN=plain\n')
          expect(variables).toContain('ADDED=by the caller\n')
          expect(variables).not.toMatch(/DSH_CONTRACT|CONTRACT_SECRET/)
        } finally {
          for (const variable of ['DSH_CONTRACT', 'CONTRACT_SECRET', 'CONTRACT_PLAIN']) delete process.env[variable]
        }
      })
    })
    afterAll(end)
  })
}

function sha256(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
