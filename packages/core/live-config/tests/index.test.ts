import { Context } from 'cordis'
import { expect, it } from 'vitest'
import { type LiveConfig, liveConfig } from '../src/index.ts'

interface Config {
  readonly limit: number
  readonly face: string
}

/** A plugin that follows its config, and what came of that. */
async function follow() {
  const seen: { live?: LiveConfig<Config>; starts: number; changes: [number, number][] } = { starts: 0, changes: [] }
  const ctx = new Context()
  const fiber = ctx.plugin(
    {
      inject: ['store'],
      apply(inner: Context, config: Config) {
        seen.starts++
        seen.live = liveConfig(inner, config, {
          restartFor: ['face'],
          onChange: (next, before) => seen.changes.push([before.limit, next.limit]),
        })
      },
    },
    { limit: 1, face: 'a' },
  )
  const provide = () => ctx.plugin({ apply: (inner: Context) => void inner.provide('store', {}) })
  const store = provide()
  await fiber.await()
  return { seen, fiber, store, provide }
}

it('has the new values at once, without a restart', async () => {
  const { seen, fiber } = await follow()
  await fiber.update({ limit: 2, face: 'a' })
  expect(seen).toMatchObject({ starts: 1, live: { current: { limit: 2 } }, changes: [[1, 2]] })
})

it('starts the plugin anew where a change needs that', async () => {
  const { seen, fiber } = await follow()
  await fiber.update({ limit: 3, face: 'b' })
  expect(seen).toMatchObject({ starts: 2, live: { current: { limit: 3, face: 'b' } }, changes: [] })
})

it('keeps the new values when the plugin starts anew for another reason', async () => {
  const { seen, fiber, store, provide } = await follow()
  await fiber.update({ limit: 4, face: 'a' })
  await store.dispose()
  provide()
  await fiber.await()
  expect(seen).toMatchObject({ starts: 2, live: { current: { limit: 4 } } })
})
