import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ShellError } from 'dsh-errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { boot, type Host } from '../src/index.ts'

/** Plugins of this test, by the names that its configs use. */
const disposed: string[] = []
const modules: Record<string, unknown> = {
  provider: {
    name: 'provider',
    Config: z.strictObject({ size: z.number().default(1) }),
    apply(ctx: import('cordis').Context, config: { size: number }) {
      ctx.provide('answer', config)
      ctx.effect(() => () => void disposed.push('provider'))
    },
  },
  other: { name: 'other', apply: (ctx: import('cordis').Context) => void ctx.provide('answer', {}) },
  consumer: { name: 'consumer', inject: ['answer'], apply: () => {} },
  broken: {
    name: 'broken',
    apply: () => {
      throw new Error('it broke')
    },
  },
  nothing: { name: 'no plugin' },
}
const importModule = async (name: string): Promise<unknown> => {
  if (name === 'crashes') throw new SyntaxError('unexpected token')
  const module = modules[name]
  if (module) return module
  throw Object.assign(new Error(`Cannot find package '${name}'`), { code: 'ERR_MODULE_NOT_FOUND' })
}

let folder: string
let host: Host | undefined
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-boot-'))
  disposed.length = 0
})
afterEach(async () => {
  await host?.dispose()
  host = undefined
  fs.rmSync(folder, { recursive: true, force: true })
})

async function start(yaml: string): Promise<Host> {
  const file = path.join(folder, 'cordis.yml')
  fs.writeFileSync(file, yaml)
  host = await boot(file, { importModule })
  return host
}
async function failure(yaml: string): Promise<ShellError> {
  try {
    await start(yaml)
  } catch (error) {
    if (ShellError.is(error)) return error
    throw error
  }
  throw new Error('it booted')
}

describe('boot', () => {
  it('starts every entry with its config and defaults, whatever the order', async () => {
    const { ctx } = await start('- name: consumer\n- name: provider\n')
    expect(ctx.get('answer')).toEqual({ size: 1 })
  })

  it('leaves disabled entries out', async () => {
    const { ctx } = await start('- name: provider\n- name: other\n  disabled: true\n')
    expect(ctx.get('answer')).toEqual({ size: 1 })
  })

  it('lets two providers live side by side in realms of their own', async () => {
    const { ctx } = await start('- name: provider\n- name: other\n  isolate: {answer: true}\n')
    expect(ctx.get('answer')).toEqual({ size: 1 })
  })

  it('ends every plugin when it is disposed', async () => {
    const started = await start('- name: provider\n')
    await started.dispose()
    expect(disposed).toEqual(['provider'])
  })
})

describe('a composition that cannot work is one clear error', () => {
  it.each([
    [
      'a missing module',
      '- name: provider\n- name: nowhere\n',
      'CONFIG_INVALID',
      /cordis\.yml:2: entry "nowhere": there is no module "nowhere"/,
    ],
    ['a module that cannot be loaded', '- name: crashes\n', 'CONFIG_INVALID', /cordis\.yml:1: .*unexpected token/],
    ['a module without a plugin', '- name: nothing\n', 'CONFIG_INVALID', /exports no plugin/],
    [
      'a misspelt field',
      '- id: p\n  name: provider\n  config:\n    sise: 2\n',
      'CONFIG_INVALID',
      /cordis\.yml:4: entry "p" \(provider\): config .*"sise"/,
    ],
    [
      'a wrong value',
      '- name: provider\n  config:\n    size: big\n',
      'CONFIG_INVALID',
      /cordis\.yml:3: .*config size: .*number/,
    ],
    [
      'a wrong value of a disabled entry',
      '- name: provider\n  disabled: true\n  config:\n    size: big\n- name: other\n',
      'CONFIG_INVALID',
      /cordis\.yml:4: /,
    ],
    [
      'two providers of one service',
      '- name: provider\n- id: second\n  name: other\n',
      'BOOT_FAILED',
      /cordis\.yml:2: entry "second" \(other\): provides "answer", which entry "provider" provides already/,
    ],
    [
      'a consumer whose service never comes',
      '- name: consumer\n',
      'BOOT_FAILED',
      /entry "consumer": waits for "answer", which no entry provides/,
    ],
    ['a plugin that throws', '- name: broken\n', 'BOOT_FAILED', /entry "broken": it broke/],
  ])('%s', async (_title, yaml, code, message) => {
    const error = await failure(yaml)
    expect(error.code).toBe(code)
    expect(error.message).toMatch(message)
  })

  it('and nothing of it goes on running', async () => {
    await failure('- name: provider\n- name: broken\n')
    expect(disposed).toEqual(['provider'])
  })

  it('and all that is wrong is told at once', async () => {
    const error = await failure('- name: nowhere\n- name: provider\n  config: {size: x}\n')
    expect(error.message.split('\n')).toHaveLength(2)
  })
})
