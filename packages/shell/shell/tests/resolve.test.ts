import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ShellConfig } from '../src/config.ts'
import { clampTimeout, resolveRequest } from '../src/resolve.ts'

const config = ShellConfig.parse({ cwd: '/configured', timeoutMs: 5000, maxTimeoutMs: 10_000, maxOutputBytes: 2000 })
const resolve = (request: object, over: object = {}) =>
  resolveRequest({ command: 'x', ...request }, { ...config, ...over })
const refused = (field: string) => expect.objectContaining({ code: 'INVALID_REQUEST', details: { field } }) as Error

describe('resolve', () => {
  it('takes what a request says', () => {
    const signal = new AbortController().signal
    const request = {
      command: 'x',
      workdir: '/asked',
      timeoutMs: 100,
      stdoutMaxBytes: 50,
      signal,
      stdin: '',
      env: { A: '1' },
      dshEnv: { DSH_A: '1' },
      sandboxPolicy: { mode: 'read-only' as const },
      onOutput: () => {},
    }
    expect(resolveRequest(request, config)).toEqual(request)
  })

  it('fills in the configured folder, deadline and bound', () => {
    expect(resolve({})).toEqual({ command: 'x', workdir: '/configured', timeoutMs: 5000, stdoutMaxBytes: 2000 })
  })

  it("falls back to the host's own folder", () => {
    const { cwd: _cwd, ...without } = config
    expect(resolveRequest({ command: 'x' }, without).workdir).toBe(process.cwd())
  })

  it('makes the folder absolute', () => {
    expect(resolve({ workdir: '/a/../b/./c' }).workdir).toBe('/b/c')
  })

  it('adds no field that the request leaves undefined', () => {
    expect(Object.keys(resolve({ signal: undefined, stdin: undefined, env: undefined }))).toEqual([
      'command',
      'workdir',
      'timeoutMs',
      'stdoutMaxBytes',
    ])
  })

  it('caps a deadline, also a configured one', () => {
    expect(resolve({ timeoutMs: 10_001 }).timeoutMs).toBe(10_000)
    expect(resolve({}, { timeoutMs: 20_000 }).timeoutMs).toBe(10_000)
    expect(resolve({ timeoutMs: 2 ** 31 }, { maxTimeoutMs: 2 ** 40 }).timeoutMs).toBe(2 ** 31 - 1)
  })

  it('takes any positive finite deadline and no other', () => {
    fc.assert(
      fc.property(fc.double(), (timeoutMs) => {
        if (timeoutMs > 0 && Number.isFinite(timeoutMs)) {
          expect(clampTimeout(timeoutMs, 1, 10_000)).toBe(Math.min(timeoutMs, 10_000))
        } else {
          expect(() => clampTimeout(timeoutMs, 1, 10_000)).toThrowError(refused('timeoutMs'))
        }
      }),
    )
    expect(() => clampTimeout('5' as never, 1, 10_000)).toThrowError(refused('timeoutMs'))
  })

  it('refuses a bound that is no positive integer', () => {
    for (const stdoutMaxBytes of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => resolve({ stdoutMaxBytes })).toThrowError(refused('stdoutMaxBytes'))
    }
  })

  it('refuses a command that no shell can run', () => {
    for (const command of ['', ' \n\t', 'a\0b', 5, undefined, null, 'x'.repeat(10 * 1024 * 1024 + 1)]) {
      expect(() => resolve({ command })).toThrowError(refused('command'))
    }
    expect(resolve({ command: 'x'.repeat(10 * 1024 * 1024) }).command.length).toBe(10 * 1024 * 1024)
  })
})

describe('ShellConfig', () => {
  it('has the documented defaults', () => {
    expect(ShellConfig.parse({})).toEqual({
      timeoutMs: 120_000,
      maxTimeoutMs: 600_000,
      maxOutputBytes: 64_000,
      maxSpillBytes: 64 * 1024 * 1024,
      graceMs: 3000,
    })
  })

  it.each([
    { timeoutMS: 5 },
    { timeoutMs: 0 },
    { timeoutMs: '5' },
    { maxOutputBytes: 1.5 },
    { graceMs: -1 },
    { cwd: '' },
  ])('refuses %o', (wrong) => {
    expect(ShellConfig.safeParse(wrong).success).toBe(false)
  })
})
