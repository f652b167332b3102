import { describe, expect, it } from 'vitest'
import { ERROR_CODES, ShellError } from '../src/index.ts'

describe('ShellError', () => {
  it('carries code, details and cause beside the message', () => {
    const cause = new Error('inner')
    const error = new ShellError('SPAWN_FAILED', 'It failed.', { errno: 'EMFILE' }, { cause })
    expect(error).toMatchObject({
      name: 'ShellError',
      code: 'SPAWN_FAILED',
      message: 'It failed.',
      details: { errno: 'EMFILE' },
    })
    expect(error.cause).toBe(cause)
    expect(error).toBeInstanceOf(Error)
  })

  it('is told from other errors, for any code or for one', () => {
    const error = new ShellError('ABORTED', 'x')
    expect(ShellError.is(error)).toBe(true)
    expect(ShellError.is(error, 'ABORTED')).toBe(true)
    expect(ShellError.is(error, 'INTERNAL')).toBe(false)
    for (const other of [new Error('x'), { code: 'ABORTED' }, null, undefined, 'ABORTED', 1]) {
      expect(ShellError.is(other)).toBe(false)
    }
  })

  it('is recognized when it comes from another copy of the package', async () => {
    const copyUrl = new URL('../src/index.ts?copy', import.meta.url).href
    const copy = (await import(copyUrl)) as { ShellError: typeof ShellError }
    expect(copy.ShellError).not.toBe(ShellError)
    expect(ShellError.is(new copy.ShellError('ABORTED', 'x'), 'ABORTED')).toBe(true)
  })

  it('has a meaning and a remedy for every code', () => {
    for (const [code, row] of Object.entries(ERROR_CODES)) {
      expect(code).toMatch(/^[A-Z][A-Z_]+$/)
      expect(row.meaning).toMatch(/\.$/)
      expect(row.remedy.length).toBeGreaterThan(10)
    }
  })
})
