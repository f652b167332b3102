/** A host with six commands, for the case of hosts that die: SECONDS of its sleepers, and how it ends. */
import process from 'node:process'
import { openShell } from './shells.mjs'

const [seconds, kind] = process.argv.slice(2)
const { run } = await openShell()
const quietly = (command) => void run(command).catch(() => {})
quietly(`sleep ${seconds}`)
quietly(`setsid sleep ${seconds} & wait`)
quietly(`(setsid sh -c 'sleep ${seconds} & exit' &); sleep ${seconds}`)
quietly(`trap '' TERM; sleep ${seconds}; echo x`)
quietly(`env -i setsid sh -c '(/bin/sleep ${seconds} &)' & sleep 60`)
await run(`sleep ${seconds} & echo job`)
const ends = {
  signal: () => setInterval(() => {}, 1000),
  throw: () =>
    setTimeout(() => {
      throw new Error('uncaught, on purpose')
    }, 800),
  exit: () => setTimeout(() => process.exit(), 800),
}
ends[kind]()
