import { describe, expect, it } from 'vitest'
import { type ResolveHost, resolveExecutable } from '../src/resolve.ts'

const host = (platform: NodeJS.Platform, ...files: string[]): ResolveHost => ({
  platform,
  isExecutable: (file) => files.includes(file),
})
const windows = host('win32', 'C:\\Windows\\System32\\cmd.exe', 'C:\\Program Files\\Git\\git.exe', 'C:\\npm\\tsc.cmd')

describe('on POSIX', () => {
  const linux = host('linux', '/usr/bin/sh', '/opt/sh', '/opt/b\\c')
  it('takes the first folder of PATH that has the program', () => {
    expect(resolveExecutable('sh', { PATH: '/nothing:/opt:/usr/bin' }, linux)).toBe('/opt/sh')
  })
  it('looks in the usual folders without a PATH', () => {
    expect(resolveExecutable('sh', {}, linux)).toBe('/usr/bin/sh')
  })
  it('leaves out entries that mean the current folder', () => {
    const here = host('linux', 'sh', './sh', 'bin/sh')
    expect(() => resolveExecutable('sh', { PATH: ':.:bin' }, here)).toThrowError(/no folder of PATH/)
  })
  it('checks an absolute path', () => {
    expect(resolveExecutable('/opt/sh', {}, linux)).toBe('/opt/sh')
    expect(() => resolveExecutable('/opt/none', {}, linux)).toThrowError(/not an executable file/)
  })
  it('refuses a relative path and no name at all', () => {
    for (const command of ['./sh', 'bin/sh', '']) {
      expect(() => resolveExecutable(command, { PATH: '/opt' }, linux)).toThrowError(/absolute path, or a bare name/)
    }
  })
  it('takes a backslash for a character like others', () => {
    expect(resolveExecutable('b\\c', { PATH: '/opt' }, linux)).toBe('/opt/b\\c')
  })
})

describe('on Windows', () => {
  const env = { Path: '"C:\\Program Files\\Git";C:\\Windows\\System32;C:\\npm', PATHEXT: '.EXE;.CMD' }
  it('finds a program whatever the case of PATH, in quoted folders, by its extensions', () => {
    expect(resolveExecutable('cmd', env, windows)).toBe('C:\\Windows\\System32\\cmd.exe')
    expect(resolveExecutable('git', env, windows)).toBe('C:\\Program Files\\Git\\git.exe')
    expect(resolveExecutable('tsc', env, windows)).toBe('C:\\npm\\tsc.cmd')
    expect(resolveExecutable('cmd.exe', env, windows)).toBe('C:\\Windows\\System32\\cmd.exe')
  })
  it('refuses both kinds of separators in a relative path', () => {
    for (const command of ['.\\cmd', 'bin/cmd']) {
      expect(() => resolveExecutable(command, env, windows)).toThrowError(/absolute path, or a bare name/)
    }
  })
})
