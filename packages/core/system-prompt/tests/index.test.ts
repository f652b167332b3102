import { type Mounted, mount } from 'dsh-contracts/mount'
import { afterEach, beforeEach, expect, it } from 'vitest'
import SystemPrompt from '../src/index.ts'

let mounted: Mounted
beforeEach(async () => {
  mounted = await mount(async (ctx) => void (await ctx.plugin(SystemPrompt)))
})
afterEach(() => mounted.dispose())

it('joins sections in order, equal ones by id, without empty ones', () => {
  const { systemPrompt } = mounted.ctx
  systemPrompt.add({ id: 'z', order: 10, text: ' second \n' })
  systemPrompt.add({ id: 'y', order: 20, text: '' })
  systemPrompt.add({ id: 'b', order: 30, text: () => 'fourth' })
  systemPrompt.add({ id: 'a', order: 30, text: 'third' })
  systemPrompt.add({ id: 'x', order: 1, text: 'first' })
  expect(systemPrompt.render()).toBe('first\n\nsecond\n\nthird\n\nfourth')
})

it('asks for a changing section at each call', () => {
  let text = 'one'
  mounted.ctx.systemPrompt.add({ id: 'a', order: 1, text: () => text })
  expect(mounted.ctx.systemPrompt.render()).toBe('one')
  text = 'two'
  expect(mounted.ctx.systemPrompt.render()).toBe('two')
})

it('takes a section away when asked, and when the plugin that added it ends', async () => {
  const { ctx } = mounted
  const remove = ctx.systemPrompt.add({ id: 'a', order: 1, text: 'a' })
  const plugin = ctx.plugin({
    inject: ['systemPrompt'],
    apply: (inner) => void inner.systemPrompt.add({ id: 'b', order: 2, text: 'b' }),
  })
  await plugin
  expect(ctx.systemPrompt.render()).toBe('a\n\nb')
  remove()
  expect(ctx.systemPrompt.render()).toBe('b')
  await plugin.dispose()
  expect(ctx.systemPrompt.render()).toBe('')
})
