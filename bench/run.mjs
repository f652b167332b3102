/**
 * Measures the promises of the process engine against plain child_process and execa, in one run.
 * Usage: npm run bench [-- quick] [NAME ...]. Prints a table and writes bench/results/latest.json.
 *
 * Each case runs in a process of its own (bench/case.mjs); what is compared within a case is interleaved.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const here = path.dirname(fileURLToPath(import.meta.url))
const words = process.argv.slice(2)
const quick = words.includes('quick')
const wanted = words.filter((word) => word !== 'quick')
const names = readdirSync(path.join(here, 'cases'))
  .filter((file) => file.endsWith('.mjs'))
  .map((file) => path.basename(file, '.mjs'))
  .filter((name) => wanted.length === 0 || wanted.includes(name))
  .toSorted()

const started = performance.now()
const rows = []
for (const name of names) {
  process.stderr.write(`• ${name}\n`)
  rows.push(...(await runCase(name)))
}
const report = {
  date: new Date().toISOString(),
  quick,
  seconds: (performance.now() - started) / 1000,
  machine: machine(),
  rows,
}
mkdirSync(path.join(here, 'results'), { recursive: true })
writeFileSync(path.join(here, 'results', 'latest.json'), `${JSON.stringify(report, null, 2)}\n`)
print(report)
process.exitCode = rows.every(({ ok }) => ok !== false) ? 0 : 1

function runCase(name) {
  return new Promise((resolve, reject) => {
    const args = ['--expose-gc', path.join(here, 'case.mjs'), name, quick ? 'quick' : 'full']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.on('data', (data) => {
      text += data
    })
    child.once('close', (code) => {
      if (code !== 0) reject(new Error(`${name} ended with ${code}`))
      else resolve(JSON.parse(text.trim().split('\n').at(-1)))
    })
  })
}

function machine() {
  const [cpu] = os.cpus()
  return {
    node: process.version,
    platform: `${os.type()} ${os.release()} ${os.arch()}`,
    cpu: cpu?.model,
    cores: os.cpus().length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    load: os.loadavg()[0],
    bash: readFileSync('/proc/version', 'utf8').trim().slice(0, 60),
  }
}

function print({ seconds, machine: facts, rows: all }) {
  const header = ['measure', 'goal', 'here', 'child_process', 'execa', '']
  const lines = all.map(({ measure, goal, ours, childProcess = '', execa = '', ok }) => [
    measure,
    goal,
    ours,
    childProcess,
    execa,
    ok === undefined ? '' : ok ? 'ok' : 'MISSED',
  ])
  const widths = header.map((_, column) => Math.max(...[header, ...lines].map((line) => String(line[column]).length)))
  const format = (line) => `| ${line.map((cell, column) => String(cell).padEnd(widths[column])).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  process.stdout.write(`${[format(header), rule, ...lines.map(format)].join('\n')}\n`)
  process.stdout.write(
    `\n${facts.node}, ${facts.platform}, ${facts.cpu}, ${facts.cores} cores; ${seconds.toFixed(0)} s\n`,
  )
}
