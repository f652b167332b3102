import { spawn } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { sleepers as list } from 'dsh-contracts/outside'
import { until, wait } from '../outside.mjs'

const sleepers = (seconds) => list(String(seconds)).length
const ENDS = { SIGKILL: 'signal', SIGHUP: 'signal', SIGTERM: 'signal', exception: 'throw', exit: 'exit' }

/** Hosts with six commands running that die in every way. */
export async function run() {
  const outcomes = []
  let seconds = 7810
  for (const [how, kind] of Object.entries(ENDS)) {
    seconds++
    const script = fileURLToPath(new URL('../dying-host.mjs', import.meta.url))
    const host = spawn(process.execPath, [script, String(seconds), kind], { stdio: 'ignore' })
    await until(() => sleepers(seconds) >= 6, 5000)
    await wait(300)
    const running = sleepers(seconds)
    if (kind === 'signal') host.kill(how)
    await new Promise((resolve) =>
      (host.exitCode ?? host.signalCode) === null ? host.once('exit', resolve) : resolve(),
    )
    const took = await until(() => sleepers(seconds) === 0, 3000)
    outcomes.push({ how, running, took, alive: sleepers(seconds) })
  }
  const [kill, ...others] = outcomes
  return [
    {
      measure: `host SIGKILLed, ${kill.running} processes running`,
      goal: '0 alive after 1 s',
      ours: `${kill.alive} alive, gone after ${kill.took?.toFixed(0)} ms`,
      ok: kill.alive === 0 && kill.took <= 1000,
      values: kill,
    },
    {
      measure: 'host SIGHUP, SIGTERM, exception, exit()',
      goal: '0 alive',
      ours: others.map(({ how, alive, took }) => `${how} ${alive} (${took?.toFixed(0)} ms)`).join(', '),
      ok: others.every(({ alive }) => alive === 0),
      values: others,
    },
  ]
}
