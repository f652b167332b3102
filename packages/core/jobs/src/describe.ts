import type { JobInfo } from './types.ts'

/** How many characters of a command one line shows. */
const COMMAND_PREVIEW = 120

/** One line about a job, for a model. */
export function describeJob(job: JobInfo): string {
  const seconds = (job.durationMs / 1000).toFixed(1)
  const command = job.command.replace(/\s+/g, ' ').trim()
  const shown = command.length > COMMAND_PREVIEW ? `${command.slice(0, COMMAND_PREVIEW)}…` : command
  return `${job.id}: ${describeStatus(job)} after ${seconds} s: ${shown}`
}

function describeStatus(job: JobInfo): string {
  const { outcome } = job
  if (job.error !== undefined) return `failed (${job.error})`
  if (!outcome) return 'running'
  if (outcome.timedOut) return 'timed out'
  if (outcome.aborted) return 'killed'
  if (outcome.signal) return `ended by ${outcome.signal}`
  return `exited with ${outcome.exitCode}`
}
