import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'
import type { ShellExecRequest, ShellExecutor, ShellRunResult } from 'dsh-shell'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import type { ShellDialect } from './dialects.ts'
import { type Mounted, mount } from './mount.ts'
import { isAlive, openDescriptors, processesWith, uniqueSeconds } from './outside.ts'
import { obligations, type Skips } from './suite.ts'
import { until } from './until.ts'

export { posix, type ShellDialect } from './dialects.ts'

export interface ShellContract {
  /** Loads the provider and what it needs, with the defaults of its schema. */
  readonly mount: (ctx: Context) => Promise<void>
  readonly dialect: ShellDialect
  readonly skip?: Skips
}

/** What every provider of `ctx.shell` owes its callers. */
export function testShell({ mount: load, dialect: say, skip }: ShellContract): void {
  describe(`shell contract, ${say.name}`, () => {
    const { must, end } = obligations(skip)
    let mounted: Mounted
    let shell: ShellExecutor
    let folder: string

    beforeEach(async () => {
      folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-contract-')))
      mounted = await mount(load)
      shell = mounted.ctx.shell
    })
    afterEach(async () => {
      try {
        await mounted.dispose()
      } finally {
        fs.rmSync(folder, { recursive: true, force: true })
      }
    })

    const run = (request: Omit<ShellExecRequest, 'workdir'> & { workdir?: string }): Promise<ShellRunResult> =>
      shell.run(shell.resolve({ workdir: folder, ...request }))
    const lines = (...commands: string[]): string => commands.join(say.separator)
    const code = async (action: () => unknown): Promise<unknown> => {
      try {
        await action()
        return 'nothing was thrown'
      } catch (error) {
        return ShellError.is(error) ? error.code : error
      }
    }

    describe('results', () => {
      must('gives exit code, stdout and stderr, each on its own', async () => {
        const result = await run({ command: lines(say.print('out'), say.printError('err'), say.exit(3)) })
        expect(result).toMatchObject({ exitCode: 3, timedOut: false, aborted: false })
        expect(result.signal).toBeUndefined()
        expect(result.stdout.text.trimEnd()).toBe('out')
        expect(result.stderr.text.trimEnd()).toBe('err')
        expect(result.durationMs).toBeGreaterThan(0)
      })
      must('calls a command successful whatever stands on stderr', async () => {
        expect(await run({ command: say.printError('a warning') })).toMatchObject({ exitCode: 0 })
      })
      must('keeps characters of any language whole', async () => {
        const { stdout } = await run({ command: say.print('Größe 世界 🎉') })
        expect(stdout.text.trimEnd()).toBe('Größe 世界 🎉')
        expect(stdout.encoding).toBe('utf-8')
      })
      must('bounds what it keeps and counts what it leaves out', async () => {
        const { stdout } = await run({ command: say.flood(300_000), stdoutMaxBytes: 1000 })
        expect(stdout.truncated).toBe(true)
        expect(stdout.totalBytes).toBeGreaterThanOrEqual(300_000)
        expect(Buffer.byteLength(stdout.text) + Buffer.byteLength(stdout.head ?? '')).toBeLessThanOrEqual(1000)
        expect(stdout.omittedBytes).toBe(
          stdout.totalBytes - Buffer.byteLength(stdout.text) - Buffer.byteLength(stdout.head ?? ''),
        )
        const spilled = fs.statSync(stdout.spillPath ?? '')
        expect(spilled.size).toBe(stdout.totalBytes)
        expect(spilled.mode & 0o777).toBe(0o600)
      })
      must('hands on output while the command runs', async () => {
        const pieces: string[] = []
        let heard: () => void = () => {}
        const first = new Promise<void>((resolve) => {
          heard = resolve
        })
        const stop = new AbortController()
        const running = run({
          command: lines(say.print('early'), say.sleep(uniqueSeconds())),
          signal: stop.signal,
          onOutput: (stream, text) => {
            pieces.push(`${stream}: ${text.trimEnd()}`)
            heard()
          },
        })
        await first
        stop.abort()
        expect((await running).aborted).toBe(true)
        expect(pieces).toEqual(['stdout: early'])
      })
    })

    describe('requests', () => {
      must('fills in every bound that a request leaves out', async () => {
        const spec = shell.resolve({ command: say.print('x') })
        expect(path.isAbsolute(spec.workdir)).toBe(true)
        expect(spec.timeoutMs).toBeGreaterThan(0)
        expect(spec.stdoutMaxBytes).toBeGreaterThan(0)
      })
      must('caps a deadline that is too long', async () => {
        const longest = shell.resolve({ command: 'x', timeoutMs: 2 ** 40 }).timeoutMs
        expect(longest).toBeLessThan(2 ** 31)
        expect(shell.resolve({ command: 'x', timeoutMs: longest }).timeoutMs).toBe(longest)
      })
      must('refuses a deadline that is none', async () => {
        for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
          expect(await code(() => shell.resolve({ command: 'x', timeoutMs }))).toBe('INVALID_REQUEST')
        }
      })
      must('refuses a blank command and one with NUL', async () => {
        for (const command of ['', '  \n\t', 'a\0b']) {
          expect(await code(() => shell.resolve({ command }))).toBe('INVALID_REQUEST')
        }
      })
      must('runs in the folder that was asked for', async () => {
        const named = path.join(folder, `a b $d 'e' ü`)
        fs.mkdirSync(named)
        const { stdout } = await run({ command: say.printFolder, workdir: named })
        expect(stdout.text.trimEnd()).toBe(named)
      })
      must('refuses a folder that is missing or is a file, before anything runs', async () => {
        const file = path.join(folder, 'file')
        fs.writeFileSync(file, '')
        for (const workdir of [path.join(folder, 'missing'), file]) {
          expect(await code(() => run({ command: say.print('x'), workdir }))).toBe('WORKDIR_UNUSABLE')
        }
      })
      must('refuses a call that was given up before it began', async () => {
        const signal = AbortSignal.abort()
        expect(await code(() => run({ command: say.print('x'), signal }))).toBe('ABORTED')
      })
      must('gives the command its variables, the managed ones last', async () => {
        const { stdout } = await run({
          command: lines(say.variable('GREETING'), say.variable('DSH_CALL')),
          env: { GREETING: 'hallo', DSH_CALL: 'from the caller' },
          dshEnv: { DSH_CALL: 'managed' },
        })
        expect(stdout.text.trimEnd().split(/\r?\n/)).toEqual(['hallo', 'managed'])
      })
      must('gives the command its input, and the end of it at once when there is none', async () => {
        expect((await run({ command: say.copyInput, stdin: 'to copy 世界' })).stdout.text.trimEnd()).toBe(
          'to copy 世界',
        )
        expect((await run({ command: say.copyInput })).stdout.text.trimEnd()).toBe('')
      })
      must('runs a command of 200 KB', async () => {
        const { stdout, exitCode } = await run({ command: lines(say.print('long'), say.comment(200_000)) })
        expect([stdout.text.trimEnd(), exitCode]).toEqual(['long', 0])
      })
      must('shows no text of a command in the list of processes', async () => {
        const marker = `marker-${uniqueSeconds()}`
        const child = shell.start(shell.resolve({ command: lines(say.sleep(uniqueSeconds()), say.print(marker)) }))
        const other = await run({ command: say.print('looked') })
        expect([other.exitCode, processesWith(marker)]).toEqual([0, []])
        await child.kill()
      })
    })

    describe('the end', () => {
      must('ends at its deadline with all that it started, and says so', async () => {
        const [left, front] = [uniqueSeconds(), uniqueSeconds()]
        const command = lines(say.print('before'), say.background(left), say.sleep(front))
        const result = await run({ command, timeoutMs: 700 })
        expect(result).toMatchObject({ timedOut: true, aborted: false, timeoutMs: 700 })
        expect(result.exitCode).not.toBe(0)
        expect(result.stdout.text.trimEnd()).toBe('before')
        expect([...processesWith(left), ...processesWith(front)]).toEqual([])
      })
      must('ends when the caller gives up, and says so', async () => {
        const seconds = uniqueSeconds()
        const stop = new AbortController()
        const running = run({ command: say.sleep(seconds), signal: stop.signal })
        await until('the command runs', () => processesWith(seconds).length > 0)
        stop.abort()
        expect(await running).toMatchObject({ aborted: true, timedOut: false })
        expect(processesWith(seconds)).toEqual([])
      })
      must('does not call a finished command aborted', async () => {
        const stop = new AbortController()
        const result = await run({ command: say.print('x'), signal: stop.signal })
        stop.abort()
        expect(result).toMatchObject({ aborted: false, timedOut: false, exitCode: 0 })
      })
      must('returns while a process that was left behind holds the output, and names it', async () => {
        const seconds = uniqueSeconds()
        const result = await run({ command: lines(say.background(seconds), say.print('done')) })
        expect(result).toMatchObject({ exitCode: 0, timedOut: false })
        expect(result.stdout.text.trimEnd()).toBe('done')
        const pids = processesWith(seconds).map(({ pid }) => pid)
        expect(result.background?.map(({ pid }) => pid)).toEqual(expect.arrayContaining(pids))
        expect(pids.length).toBeGreaterThan(0)
      })
      must('leaves nothing behind when the plugin ends', async () => {
        const [background, started] = [uniqueSeconds(), uniqueSeconds()]
        const descriptors = openDescriptors().length
        await run({ command: say.background(background) })
        const child = shell.start(shell.resolve({ command: say.sleep(started) }))
        await until('both run', () => processesWith(background).length > 0 && processesWith(started).length > 0)
        await mounted.dispose()
        expect([...processesWith(background), ...processesWith(started)]).toEqual([])
        expect((await child.done).exitCode).not.toBe(0)
        await until('descriptors are closed', () => openDescriptors().length <= descriptors)
      })
    })

    describe('background commands', () => {
      must('runs beside its caller, tells what it prints, and ends when told', async () => {
        const seconds = uniqueSeconds()
        const child = shell.start(shell.resolve({ command: lines(say.print('ready'), say.sleep(seconds)) }))
        expect(child.status).toBe('running')
        let heard = ''
        await until('it is ready', () => {
          heard += child.readOutput().stdout
          return heard.includes('ready')
        })
        expect(child.readOutput()).toEqual({ stdout: '', stderr: '' })
        const [sleeper] =
          (await until('it sleeps', () => {
            const found = processesWith(seconds)
            return found.length > 0 ? found : undefined
          })) ?? []
        await child.kill()
        expect(isAlive(sleeper?.pid ?? 0)).toBe(false)
        expect(await child.done).toMatchObject({ aborted: true, timedOut: false })
        expect(child.status).toBe('exited')
      })
      must('knows the exit code of one that ended by itself', async () => {
        const child = shell.start(shell.resolve({ command: lines(say.print('x'), say.exit(7)) }))
        expect(await child.done).toMatchObject({ exitCode: 7, aborted: false })
        expect([child.status, child.exitCode]).toEqual(['exited', 7])
      })
    })
    afterAll(end)
  })
}
