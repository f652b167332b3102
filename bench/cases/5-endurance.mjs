import { readdirSync } from 'node:fs'
import os from 'node:os'
import process from 'node:process'
import { openDescriptors, zombies } from 'dsh-contracts/outside'
import { until } from '../outside.mjs'
import { openShell } from '../shells.mjs'

/** Two thousand commands, then five hundred at once: what is left of them. */
export async function run({ quick }) {
  const { run: ours, dispose } = await openShell()
  const count = quick ? 500 : 2000
  for (let index = 0; index < 200; index++) await ours('echo warm')
  const before = facts()
  for (let index = 0; index < count; index++) await ours('echo x')
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, (_, index) => ours(`echo ${index}; exit ${index % 7}`)),
  )
  const right = outcomes.every(({ exitCode, stdout }, index) => exitCode === index % 7 && stdout.text === `${index}\n`)
  await until(() => facts().descriptors <= before.descriptors, 3000)
  const after = facts()
  await dispose()
  const grown = Object.keys(before).filter((name) => name !== 'heap' && after[name] > before[name])
  const heap = (after.heap - before.heap) / 1e6
  return [
    {
      measure: `${count} commands, then 500 at once`,
      goal: 'nothing left; heap flat',
      ours: `${grown.length === 0 ? 'nothing left' : `left: ${grown.join(', ')}`}, ${zombies().length} zombies, heap +${heap.toFixed(1)} MB`,
      ok: right && grown.length === 0 && zombies().length === 0 && heap < 10,
      values: { before, after },
    },
  ]
}

function facts() {
  globalThis.gc()
  return {
    descriptors: openDescriptors().length,
    zombies: zombies().length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: process.listenerCount('SIGCHLD') + process.listenerCount('exit'),
    files: readdirSync(os.tmpdir()).filter((name) => name.startsWith('dsh-')).length,
    heap: process.memoryUsage().heapUsed,
  }
}
