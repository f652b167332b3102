import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ShellEnvConfig, ShellEnvService } from '../src/index.ts'

let mounted: Mounted
beforeEach(async () => {
  mounted = await mount((ctx) => plug(ctx, ShellEnvService, { variables: { DSH_PROJECT: 'x', DSH_CALL_ID: 'forged' } }))
})
afterEach(() => mounted.dispose())

it('tells a command its tool, its call and its session', () => {
  expect(mounted.ctx.shellEnv.variables({ callId: 'c1', tool: 'bash', session: 's1' })).toEqual({
    DSH_AGENT: '1',
    DSH_TOOL: 'bash',
    DSH_CALL_ID: 'c1',
    DSH_SESSION: 's1',
    DSH_PROJECT: 'x',
  })
})

it('takes variables of other plugins for as long as they live', async () => {
  const { ctx } = mounted
  const plugin = ctx.plugin({
    inject: ['shellEnv'],
    apply: (inner) => void inner.shellEnv.provide(({ tool }) => ({ DSH_EXTRA: tool, DSH_PROJECT: 'y' })),
  })
  await plugin
  expect(ctx.shellEnv.variables({ callId: 'c', tool: 'bash' })).toMatchObject({ DSH_EXTRA: 'bash', DSH_PROJECT: 'x' })
  await plugin.dispose()
  expect(ctx.shellEnv.variables({ callId: 'c', tool: 'bash' })).not.toHaveProperty('DSH_EXTRA')
})

it('has nothing but DSH_ variables', () => {
  expect(ShellEnvConfig.safeParse({ variables: { PATH: '/evil' } }).success).toBe(false)
  expect(ShellEnvConfig.safeParse({ variables: { DSH_X: 'a\0b' } }).success).toBe(false)
})
