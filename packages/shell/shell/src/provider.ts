export { DEFAULT_GRACE_MS, DEFAULT_MAX_SPILL_BYTES, ShellConfig } from './config.ts'
export { SubprocessShellExecutor } from './subprocess-executor.ts'
