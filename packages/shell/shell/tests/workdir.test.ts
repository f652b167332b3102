import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { assertWorkdir } from '../src/workdir.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-workdir-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

it('takes an existing directory', () => {
  expect(() => assertWorkdir(folder)).not.toThrow()
})

it.each([
  ['is missing', (at: string) => path.join(at, 'missing'), 'does not exist'],
  ['is a file', (at: string) => path.join(at, 'file'), 'must be a directory'],
  ['lies behind a file', (at: string) => path.join(at, 'file', 'x'), 'must be a directory'],
  ['is a link to nothing', (at: string) => path.join(at, 'link'), 'does not exist'],
  ['is relative', () => 'relative', 'must be absolute'],
])('refuses one that %s, and says so', (_title, where, why) => {
  fs.writeFileSync(path.join(folder, 'file'), '')
  fs.symlinkSync('/nowhere', path.join(folder, 'link'))
  expect(() => assertWorkdir(where(folder))).toThrowError(
    expect.objectContaining({ code: 'WORKDIR_UNUSABLE', message: expect.stringContaining(why) as string }) as Error,
  )
})
