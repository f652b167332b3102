import { sleepers as list } from 'dsh-contracts/outside'
import { until } from '../outside.mjs'
import { ms, openShell } from '../shells.mjs'

const GRACE = 3000
const sleepers = (seconds) => list(String(seconds)).length

/** Trees that try everything, while they are ended. */
export async function run() {
  const { run: ours, dispose } = await openShell({ graceMs: GRACE })
  const hostile = `for i in 1 2 3 4 5 6 7 8 9 10; do
    sleep 7801 &
    setsid sleep 7801 &
    (setsid sh -c 'sleep 7801 & exit' &)
    (trap '' TERM; sleep 7801; echo x) &
    env -i setsid sh -c '(sleep 7801 &)' &
  done; wait`
  const start = performance.now()
  const running = ours(hostile, { timeoutMs: 1000 })
  await until(() => sleepers(7801) >= 50, 900)
  const seen = sleepers(7801)
  const result = await running
  const took = performance.now() - start
  const alive = sleepers(7801)

  const storm = `n=0; while [ $n -lt 200 ]; do (trap '' TERM; while :; do sleep 7802 & sleep 0.02; done) & n=$((n+1)); done; wait`
  const { run: quick, dispose: end } = await openShell({ graceMs: 0 })
  const stormStart = performance.now()
  const stormResult = await quick(storm, { timeoutMs: 1500 })
  const stormTook = performance.now() - stormStart - 1500
  const stormAlive = sleepers(7802)

  const left = await timedRun(ours, 'sleep 7803 & echo done')
  const chatty = await timedRun(ours, '(while :; do echo tick; done) & echo done')
  await dispose()
  await end()
  const disposed = sleepers(7803)
  return [
    {
      measure: `hostile tree of ${seen}, 1 s timeout, grace 3 s`,
      goal: 'within grace + 1 s; 0 alive',
      ours: `${ms(took)}, ${alive} alive`,
      ok: result.timedOut && alive === 0 && took <= 1000 + GRACE + 1000,
    },
    {
      measure: 'fork storm of 200 during the kill',
      goal: '0 alive within 5 s',
      ours: `${ms(stormTook)}, ${stormAlive} alive`,
      ok: stormResult.timedOut && stormAlive === 0 && stormTook <= 5000,
    },
    {
      measure: '`sleep 20 & echo done`',
      goal: '< 0.4 s, pid named',
      ours: `${ms(left.took)}, ${left.named} named, ${disposed} after dispose`,
      ok: left.took < 400 && left.named === 1 && disposed === 0,
    },
    {
      measure: 'endless printing loop `& echo done`',
      goal: '< 0.6 s',
      ours: `${ms(chatty.took)}, ${chatty.named} named`,
      ok: chatty.took < 600 && chatty.named >= 1,
    },
  ]
}

async function timedRun(run, command) {
  const start = performance.now()
  const result = await run(command)
  return { took: performance.now() - start, named: result.background?.length ?? 0 }
}
