import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { SpillFolder, sweepSpillFolders } from '../../src/collect/spill.ts'

let base: string
beforeEach(() => {
  base = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-spill-test-')), 'spill')
})
afterEach(() => fs.rmSync(path.dirname(base), { recursive: true, force: true }))

const nobody = (): boolean => false
function hostWithFile(name: string): SpillFolder {
  const folder = new SpillFolder(base, name)
  const file = folder.create(100)
  file.write(Buffer.from('x'))
  file.close()
  return folder
}

it('is private and goes with its host', () => {
  const folder = hostWithFile('host')
  expect(fs.statSync(base).mode & 0o777).toBe(0o700)
  expect(fs.statSync(folder.path).mode & 0o777).toBe(0o700)
  folder.dispose(0)
  expect(fs.existsSync(base)).toBe(false)
})

it('refuses a folder that others may enter', () => {
  fs.mkdirSync(base, { mode: 0o755 })
  const file = new SpillFolder(base, 'host').create(100)
  file.write(Buffer.from('x'))
  expect(file.facts().spillError).toContain('private directory')
})

it('is swept when its host is gone, and not before', () => {
  const [alive, dead] = [hostWithFile('alive'), hostWithFile('dead')]
  sweepSpillFolders(base, (name) => name === 'alive')
  expect([fs.existsSync(alive.path), fs.existsSync(dead.path)]).toEqual([true, false])
})

it('outlives a host that ended in order for as long as it was told, and no longer', () => {
  const folder = hostWithFile('host')
  folder.dispose(60_000)
  sweepSpillFolders(base, nobody)
  expect(fs.existsSync(folder.path)).toBe(true)
  sweepSpillFolders(base, nobody, Date.now() + 61_000)
  expect(fs.existsSync(base)).toBe(false)
})

it('sweeps nothing where nothing is', () => {
  expect(() => sweepSpillFolders(path.join(base, 'missing'), nobody)).not.toThrow()
})

it('loses the file, not more, when the disk refuses to take it', () => {
  const file = new SpillFolder(base, 'host').create(100)
  const facts = file.facts()
  file.close()
  file.write(Buffer.from('after the end'))
  expect(facts.spilledBytes).toBe(0)
})
