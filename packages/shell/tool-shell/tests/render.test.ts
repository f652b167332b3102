import type { JobInfo } from 'dsh-jobs'
import type { ShellRunResult } from 'dsh-shell'
import { expect, it } from 'vitest'
import { renderShellResult } from '../src/index.ts'

const output = (text: string, over: object = {}): ShellRunResult['stdout'] => ({
  text,
  truncated: false,
  totalBytes: text.length,
  omittedBytes: 0,
  encoding: 'utf-8',
  ...over,
})
const result = (over: Partial<ShellRunResult> = {}): ShellRunResult => ({
  exitCode: 0,
  timedOut: false,
  aborted: false,
  timeoutMs: 5000,
  durationMs: 1,
  stdout: output(''),
  stderr: output(''),
  combined: '',
  ...over,
})
const job: JobInfo = { id: 'job-1', owner: 'a', command: 'make', status: 'running', startedAt: '', durationMs: 1500 }

it('shows the output alone when all went well', () => {
  expect(renderShellResult(result({ combined: 'a\nb\n' }))).toBe('a\nb')
})

it('says so when nothing was printed', () => {
  expect(renderShellResult(result())).toBe('(no output)')
})

it('names every fact that is not the usual one, each in its own marker', () => {
  expect(renderShellResult(result({ exitCode: 3, combined: 'x\n' }))).toBe('x\n[exit code 3]')
  expect(renderShellResult(result({ exitCode: 137, signal: 'SIGKILL' }))).toBe(
    '(no output)\n[ended by SIGKILL]\n[exit code 137]',
  )
  expect(renderShellResult(result({ timedOut: true }))).toContain(
    '[timed out after 5000 ms; all of its processes were ended]\n[exit code 0]',
  )
  expect(renderShellResult(result({ aborted: true, exitCode: 143 }))).toContain('[cancelled;')
  expect(renderShellResult(result({ background: [{ pid: 7, command: 'sleep 20' }] }))).toContain(
    '[still running in the background: 7 sleep 20]',
  )
})

it('never lets a cut-short run read as a success', () => {
  for (const over of [{ timedOut: true }, { aborted: true }])
    expect(renderShellResult(result(over))).toMatch(/\[exit code 0\]/)
})

it('shows where output was left out, how much, and where all of it is', () => {
  const cut = { truncated: true, head: 'first\n', totalBytes: 1000, omittedBytes: 900 }
  const { combined: _combined, ...base } = result({ stderr: output('warn\n') })
  const text = (over: object): string => renderShellResult({ ...base, stdout: output('last\n', { ...cut, ...over }) })
  expect(text({ spillPath: '/tmp/s', spilledBytes: 1000 })).toBe(
    'first\n[900 of 1000 bytes of stdout left out here; all of it is in /tmp/s]\nlast\n[stderr]\nwarn',
  )
  expect(text({ spillPath: '/tmp/s', spilledBytes: 500 })).toContain('its first 500 bytes is in /tmp/s')
  expect(text({ spillError: 'disk full' })).toContain('could not be kept: disk full')
  expect(text({})).toContain('[900 of 1000 bytes of stdout left out here]')
})

it('tells of jobs that were started or have ended', () => {
  expect(renderShellResult({ job })).toContain('[job-1 runs in the background')
  const ended: JobInfo = { ...job, status: 'exited', outcome: { exitCode: 2, timedOut: false, aborted: false } }
  expect(renderShellResult({ ...result(), finishedJobs: [ended] })).toContain(
    '[finished in the background: job-1: exited with 2 after 1.5 s: make]',
  )
})
