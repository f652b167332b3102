/** Runs one case in this process and prints its rows as a line of JSON. */
import process from 'node:process'

const [name, mode] = process.argv.slice(2)
const { run } = await import(`./cases/${name}.mjs`)
const rows = await run({ quick: mode === 'quick' })
process.stdout.write(`${JSON.stringify(rows)}\n`)
process.exit()
