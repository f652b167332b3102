import type { ShellRunResult } from 'dsh-shell'

/** As timeout(1) has it. */
const TIMED_OUT = 124
/** 128 + SIGINT: whoever cancels has pressed Ctrl-C. */
const CANCELLED = 130

/** The exit code by which a shell tells the same. */
export function exitCodeOf({ timedOut, aborted, exitCode }: ShellRunResult): number {
  if (timedOut) return TIMED_OUT
  if (aborted) return CANCELLED
  return exitCode
}

/** Whether a tool's result is that of a command which ran to its end in the foreground. */
export function isRunResult(result: unknown): result is ShellRunResult {
  return (
    typeof result === 'object' && result !== null && 'exitCode' in result && 'stdout' in result && 'timedOut' in result
  )
}
