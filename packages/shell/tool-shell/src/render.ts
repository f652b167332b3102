import { describeJob, type JobInfo } from 'dsh-jobs'
import type { ShellRunResult } from 'dsh-shell'
import { terminalText } from './terminal-text.ts'

type Output = ShellRunResult['stdout']

/** What came of one call of a shell tool. */
export type ShellToolResult = (ShellRunResult | { readonly job: JobInfo }) & {
  /** Background jobs of this session that ended since the last call. */
  readonly finishedJobs?: readonly JobInfo[]
  /** What may have been meant otherwise. */
  readonly hints?: readonly string[]
}

/** The result as a model reads it: the output as a terminal would show it, then one marker for each further fact. */
export function renderShellResult(result: ShellToolResult): string {
  const parts = 'job' in result ? [renderStarted(result.job)] : [renderOutput(result), ...markers(result)]
  for (const hint of result.hints ?? []) parts.push(`[${hint}]`)
  for (const job of result.finishedJobs ?? []) parts.push(`[finished in the background: ${describeJob(job)}]`)
  return parts.filter(Boolean).join('\n')
}

/** Facts beside the output, one line each, in square brackets. */
export function markers(result: ShellRunResult): string[] {
  const lines: string[] = []
  if (result.timedOut) lines.push(`timed out after ${result.timeoutMs} ms; all of its processes were ended`)
  if (result.aborted) lines.push('cancelled; all of its processes were ended')
  if (result.signal) lines.push(`ended by ${result.signal}`)
  if (result.exitCode !== 0 || result.timedOut || result.aborted) lines.push(`exit code ${result.exitCode}`)
  for (const { pid, command } of result.background ?? []) {
    lines.push(`still running in the background: ${[pid, command].filter(Boolean).join(' ')}`)
  }
  if (result.sandbox?.denied) lines.push(`denied by the ${result.sandbox.mode} sandbox`)
  if (result.sandbox?.runnerFailed) lines.push('the sandbox runner failed; the command did not run to its end')
  return lines.map((line) => `[${line}]`)
}

function renderStarted(job: JobInfo): string {
  return `[${job.id} runs in the background; job_output reads what it prints, job_kill ends it]`
}

function renderOutput({ combined, stdout, stderr }: ShellRunResult): string {
  if (combined !== undefined) return trimEnd(terminalText(combined)) || '(no output)'
  const errors = renderStream(stderr, 'stderr')
  return [renderStream(stdout, 'stdout'), errors && `[stderr]\n${errors}`].filter(Boolean).join('\n')
}

function renderStream(output: Output, name: string): string {
  const text = trimEnd(terminalText(output.text))
  if (!output.truncated) return text
  return [trimEnd(terminalText(output.head ?? '')), `[${describeGap(output, name)}]`, text].filter(Boolean).join('\n')
}

function describeGap(output: Output, name: string): string {
  const gap = `${output.omittedBytes} of ${output.totalBytes} bytes of ${name} left out here`
  if (output.spillError !== undefined) return `${gap}; they could not be kept: ${output.spillError}`
  if (output.spillPath === undefined) return gap
  const whole = output.spilledBytes === output.totalBytes ? 'all of it' : `its first ${output.spilledBytes} bytes`
  return `${gap}; ${whole} is in ${output.spillPath}`
}

function trimEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text
}
