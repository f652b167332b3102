import { spawn } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { trySignal } from '../../src/tree/group.ts'
import { commandLine, isProcess, livingSince, parseStat, readStat, readVariable } from '../../src/tree/proc.ts'

describe('parseStat', () => {
  it('is not misled by a name with spaces, brackets and line ends', () => {
    const rest = 'S 10 20 30 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 98765 0'
    fc.assert(
      fc.property(fc.string({ maxLength: 15 }), (name) => {
        expect(parseStat(`42 (${name}) ${rest}`)).toEqual({
          pid: 42,
          state: 'S',
          ppid: 10,
          group: 20,
          session: 30,
          startTime: 98765,
        })
      }),
    )
  })
})

describe.runIf(process.platform === 'linux')('/proc', () => {
  it('tells a child from its parent, its variables and its arguments', async () => {
    const child = spawn('sleep', ['4321.5'], { env: { MARK: 'a=b', OTHER_MARK: 'x' }, detached: true })
    try {
      const pid = child.pid ?? 0
      const stat = readStat(pid)
      expect(stat).toMatchObject({ pid, ppid: process.pid, session: pid, group: pid })
      expect(isProcess(pid)).toBe(true)
      expect(livingSince(pid, () => false).map((seen) => seen.pid)).toContain(pid)
      expect(readVariable(pid, 'MARK')).toBe('a=b')
      expect(readVariable(pid, 'ARK')).toBeUndefined()
      expect(commandLine(pid)).toBe('sleep 4321.5')
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('knows nothing of a process that is not there', () => {
    expect(readStat(2 ** 30)).toBeUndefined()
    expect(readVariable(2 ** 30, 'X')).toBeUndefined()
    expect(commandLine(2 ** 30)).toBe('')
  })
})

it('never signals everybody, nor its own group', () => {
  for (const target of [0, 1, -1]) expect(trySignal(target, 'SIGKILL')).toBe(false)
})
