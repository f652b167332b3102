import os from 'node:os'
import path from 'node:path'
import { ShellError } from 'dsh-errors'
import { checkCommand } from './command.ts'
import { MAX_TIMER_MS, type ShellConfig } from './config.ts'
import type { ShellExecRequest, ShellExecSpec } from './types.ts'

/**
 * Every default and every cap of a shell command.
 * @throws ShellError INVALID_REQUEST that names the field, the value and the rule.
 */
export function resolveRequest(request: ShellExecRequest, config: ShellConfig): ShellExecSpec {
  checkCommand(request.command)
  return {
    ...definedFields(request),
    command: request.command,
    workdir: path.resolve(request.workdir ?? config.cwd ?? currentDirectory()),
    timeoutMs: clampTimeout(request.timeoutMs, config.timeoutMs, config.maxTimeoutMs),
    stdoutMaxBytes: positiveInteger('stdoutMaxBytes', request.stdoutMaxBytes ?? config.maxOutputBytes),
  }
}

/** The deadline in force: the request's or the default, never above the maximum. */
export function clampTimeout(requested: number | undefined, fallback: number, maximum: number): number {
  const timeoutMs = requested ?? fallback
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0) || !Number.isFinite(timeoutMs)) {
    throw invalid('timeoutMs', timeoutMs, 'must be a positive, finite number of milliseconds')
  }
  return Math.min(timeoutMs, maximum, MAX_TIMER_MS)
}

function positiveInteger(field: string, value: number): number {
  if (Number.isInteger(value) && value > 0) return value
  throw invalid(field, value, 'must be a positive integer')
}

/** The host's own folder may have been removed under it. */
function currentDirectory(): string {
  try {
    return process.cwd()
  } catch {
    throw new ShellError(
      'WORKDIR_UNUSABLE',
      `The folder in which the host was started is gone: name a workdir, or set cwd in cordis.yml (such as "${os.homedir()}").`,
    )
  }
}

function definedFields(request: ShellExecRequest): ShellExecRequest {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as ShellExecRequest
}

function invalid(field: string, value: unknown, rule: string): ShellError {
  return new ShellError('INVALID_REQUEST', `${field}: ${rule}, got ${String(value)}.`, { field })
}
