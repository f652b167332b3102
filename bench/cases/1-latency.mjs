import { spawn } from 'node:child_process'
import { ballast, byChildProcess, byExeca, interleave, ms, openShell, ratio, STDIO, timed } from '../shells.mjs'

/** What one command costs, in a small host and in one with a gibibyte resident. */
export async function run({ quick }) {
  const { run: ours, start, dispose } = await openShell()
  const actions = {
    ours: () => ours('true'),
    childProcess: () => byChildProcess('true'),
    execa: () => byExeca('true'),
  }
  await interleave(actions, 20)
  const small = await interleave(actions, quick ? 80 : 400)
  const held = ballast()
  const big = await interleave(actions, quick ? 15 : 60)
  const blocked = await interleave(
    {
      ours: () => start('true').done,
      childProcess: () => new Promise((done) => spawn('bash', ['-c', 'true'], { stdio: STDIO }).once('close', done)),
    },
    quick ? 15 : 60,
    blockedBy,
  )
  const many = await interleave(
    {
      ours: () => Promise.all(Array.from({ length: 200 }, () => ours('true'))),
      childProcess: () => Promise.all(Array.from({ length: 200 }, () => byChildProcess('true'))),
    },
    quick ? 1 : 3,
    timed,
  )
  await dispose()
  if (held.length === 0) throw new Error('the ballast is gone')
  const growth = big.ours / small.ours
  return [
    {
      measure: '`true`, small host',
      goal: '<= 1.0x of child_process',
      ours: `${ms(small.ours)} (${ratio(small.ours / small.childProcess)})`,
      childProcess: ms(small.childProcess),
      execa: ms(small.execa),
      ok: small.ours <= small.childProcess,
      values: small,
    },
    {
      measure: '`true`, 1 GiB resident',
      goal: '<= 1.15x of small; >= 15x faster',
      ours: `${ms(big.ours)} (${ratio(growth)}; ${ratio(big.childProcess / big.ours)} faster)`,
      childProcess: ms(big.childProcess),
      execa: ms(big.execa),
      ok: growth <= 1.15 && big.childProcess / big.ours >= 15,
      values: big,
    },
    {
      measure: 'event loop blocked per spawn, 1 GiB',
      goal: '<= 1.5 ms',
      ours: ms(blocked.ours),
      childProcess: ms(blocked.childProcess),
      ok: blocked.ours <= 1.5,
      values: blocked,
    },
    {
      measure: '200 at once, 1 GiB',
      goal: '>= 15x faster',
      ours: `${ms(many.ours)} (${ratio(many.childProcess / many.ours)} faster)`,
      childProcess: ms(many.childProcess),
      ok: many.childProcess / many.ours >= 15,
      values: many,
    },
  ]
}

/** Time until the call gives the loop back; the command itself is waited for outside of it. */
async function blockedBy(action) {
  const start = performance.now()
  const done = action()
  const blocked = performance.now() - start
  await done
  return blocked
}
