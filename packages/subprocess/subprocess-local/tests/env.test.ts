import { describe, expect, it } from 'vitest'
import { mergeEnv } from '../src/env.ts'

describe('mergeEnv', () => {
  it('lets the caller win', () => {
    expect(mergeEnv({ A: '1', B: '1' }, { B: '2', C: '2' }, 'linux')).toEqual({ A: '1', B: '2', C: '2' })
  })
  it('takes names that differ in case for different ones on POSIX', () => {
    expect(mergeEnv({ Path: 'a' }, { PATH: 'b' }, 'linux')).toEqual({ Path: 'a', PATH: 'b' })
  })
  it('leaves exactly one spelling on Windows, with the value of the caller', () => {
    expect(mergeEnv({ Path: 'system', SystemRoot: 'C:' }, { PATH: 'extra', SYSTEMROOT: 'D:' }, 'win32')).toEqual({
      Path: 'extra',
      SystemRoot: 'D:',
    })
  })
})
