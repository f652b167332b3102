/** The same command through this project, through child_process by hand, and through execa. */
import { spawn } from 'node:child_process'
import { Context } from 'cordis'
import Bash, { BashLocalConfig } from 'dsh-bash-local'
import Subprocess, { SubprocessLocalConfig } from 'dsh-subprocess-local'
import { execa } from 'execa'

export async function openShell(config = {}) {
  const ctx = new Context()
  await ctx.plugin(Subprocess, SubprocessLocalConfig.parse({}))
  await ctx.plugin(Bash, BashLocalConfig.parse({ cwd: '/tmp', ...config }))
  const shell = ctx.get('shell')
  return {
    shell,
    run: (command, request = {}) => shell.run(shell.resolve({ command, ...request })),
    start: (command) => shell.start(shell.resolve({ command })),
    dispose: () => ctx.fiber.dispose(),
  }
}

export const STDIO = ['ignore', 'pipe', 'pipe']

export function byChildProcess(command) {
  return new Promise((resolve) => {
    const child = spawn('bash', ['-c', command], { stdio: STDIO, cwd: '/tmp', detached: true })
    const text = ['', '']
    child.stdout.on('data', (data) => {
      text[0] += data
    })
    child.stderr.on('data', (data) => {
      text[1] += data
    })
    child.once('close', (code) => resolve({ code, text }))
  })
}

export async function byExeca(command) {
  return await execa('bash', ['-c', command], { stdin: 'ignore', cwd: '/tmp', reject: false, detached: true })
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

export async function timed(action) {
  const start = performance.now()
  await action()
  return performance.now() - start
}

/** Milliseconds of each action, one after the other in turn, `rounds` times; medians by name. */
export async function interleave(actions, rounds, measure = timed) {
  const samples = Object.fromEntries(Object.keys(actions).map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const [name, action] of Object.entries(actions)) samples[name].push(await measure(action))
  }
  return Object.fromEntries(Object.entries(samples).map(([name, values]) => [name, median(values)]))
}

/** A gibibyte of touched memory in pages of their own, as a heap of small objects has it. */
export function ballast() {
  return Array.from({ length: 2 ** 18 }, () => Buffer.allocUnsafeSlow(4096).fill(1))
}

export const ms = (value) => `${value < 100 ? value.toFixed(2) : value.toFixed(0)} ms`
export const ratio = (value) => `${value.toFixed(2)}x`
