import { describe, expect, it } from 'vitest'
import { toolArguments } from '../../src/commands/arguments.ts'
import { exitCodeOf } from '../../src/commands/exit-code.ts'
import { parsePrincipal } from '../../src/principal.ts'

const schema = (properties: object) => ({
  name: 'tool',
  description: '',
  visibility: 'essential' as const,
  parameters: { properties } as Record<string, unknown>,
})
const shell = schema({
  command: { type: 'string' },
  timeout_ms: { type: 'number' },
  flag: { type: 'boolean' },
  stdin: { type: 'string' },
})
const args = { command: undefined, timeout: undefined, set: [] }

describe('toolArguments', () => {
  it('puts the command and the deadline where the tool has them', () => {
    expect(toolArguments(shell, { ...args, command: 'x', timeout: '500' })).toEqual({ command: 'x', timeout_ms: 500 })
    expect(toolArguments(schema({ timeout_seconds: {} }), { ...args, timeout: '1500' })).toEqual({
      timeout_seconds: 1.5,
    })
  })

  it('reads values as JSON but where the tool wants text', () => {
    const set = ['flag=true', 'stdin=true', 'list=[1]', 'free=some text', 'empty=', 'sum=a=b']
    expect(toolArguments(shell, { ...args, set })).toEqual({
      flag: true,
      stdin: 'true',
      list: [1],
      free: 'some text',
      empty: '',
      sum: 'a=b',
    })
  })

  it.each([
    ['no name', { set: ['=x'] }, /NAME=VALUE/],
    ['no equals sign', { set: ['x'] }, /NAME=VALUE/],
    ['a deadline that is none', { timeout: 'soon' }, /positive, finite/],
    ['a deadline of nothing', { timeout: '' }, /positive, finite/],
    ['a negative deadline', { timeout: '-5' }, /positive, finite/],
  ])('refuses %s', (_title, over, message) => {
    expect(() => toolArguments(shell, { ...args, ...over })).toThrowError(message)
  })

  it('refuses a command or a deadline for a tool that takes none', () => {
    expect(() => toolArguments(schema({}), { ...args, command: 'x' })).toThrowError(/takes no COMMAND/)
    expect(() => toolArguments(schema({}), { ...args, timeout: '5' })).toThrowError(/no deadline/)
  })
})

describe('exitCodeOf', () => {
  const base = { exitCode: 143, timedOut: false, aborted: false } as Parameters<typeof exitCodeOf>[0]
  it("is the command's own, 124 for a timeout, 130 for a cancelled one", () => {
    expect(exitCodeOf({ ...base, exitCode: 3 })).toBe(3)
    expect(exitCodeOf({ ...base, signal: 'SIGTERM' })).toBe(143)
    expect(exitCodeOf({ ...base, exitCode: 0, timedOut: true })).toBe(124)
    expect(exitCodeOf({ ...base, exitCode: 0, aborted: true })).toBe(130)
  })
})

describe('parsePrincipal', () => {
  it('reads a user, and a user in a group', () => {
    expect(parsePrincipal('cli:local')).toEqual({ id: 'cli:local' })
    expect(parsePrincipal('chat:anna@chat:team')).toEqual({ id: 'chat:anna', group: 'chat:team' })
  })
  it.each(['', 'local', 'cli:', ':x', 'a:b@c', 'a:b@c:d@e:f', 'a b:c'])('refuses "%s"', (text) => {
    expect(() => parsePrincipal(text)).toThrowError(/platform:user/)
  })
})
