import { isCredentialName, isCredentialValue } from 'dsh-secrets'
import { takeGitConfig } from './env-git.ts'
import { dropHostPaths, isHostVariable } from './env-host.ts'

export { SENSITIVE_ENV_PATTERN } from 'dsh-secrets'

export interface ScrubOptions {
  /** Names that reach the child although a rule would drop them. */
  readonly keep?: readonly string[]
  /** Names that never reach the child. */
  readonly drop?: readonly string[]
}

export interface ScrubbedEnv {
  readonly env: Record<string, string>
  /** Names that were removed, sorted; never their values. */
  readonly removed: readonly string[]
}

/**
 * What a command may know of `parent`: without credentials (by name, and by the shape of the value), without `DSH_*`,
 * and without what belongs to the host process itself. Variables that mean something only together go or stay together.
 */
export function scrubEnv(
  parent: Readonly<Record<string, string | undefined>>,
  options: ScrubOptions = {},
): ScrubbedEnv {
  const { keep = [], drop = [] } = options
  const env: Record<string, string> = {}
  const removed: string[] = []
  const git = takeGitConfig(parent)
  const appDir = parent['APPDIR']
  for (const [name, value] of Object.entries(parent)) {
    if (value === undefined || git.names.has(name)) continue
    const cleaned = keep.includes(name) ? value : drop.includes(name) ? undefined : scrubVariable(name, value, appDir)
    if (cleaned !== undefined) env[name] = cleaned
    if (cleaned !== value) removed.push(name)
  }
  for (const [name, value] of Object.entries(git.env)) if (!drop.includes(name)) env[name] = value
  removed.push(...git.removed)
  return { env, removed: removed.toSorted() }
}

/** {@link scrubEnv} of this process's environment. */
export function scrubbedParentEnv(options?: ScrubOptions): Record<string, string> {
  return scrubEnv(process.env, options).env
}

/** Verdicts on what was seen last under each name: an environment seldom changes between two commands. */
const verdicts = new Map<string, { value: string; appDir: string | undefined; cleaned: string | undefined }>()

function scrubVariable(name: string, value: string, appDir: string | undefined): string | undefined {
  const known = verdicts.get(name)
  if (known?.value === value && known.appDir === appDir) return known.cleaned
  const cleaned = judge(name, value, appDir)
  verdicts.set(name, { value, appDir, cleaned })
  return cleaned
}

function judge(name: string, value: string, appDir: string | undefined): string | undefined {
  if (/^DSH_/i.test(name) || isHostVariable(name)) return undefined
  if (isCredentialName(name) || isCredentialValue(value)) return undefined
  return dropHostPaths(value, appDir)
}
