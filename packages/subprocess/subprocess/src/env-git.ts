import { isCredentialValue } from 'dsh-secrets'

/** More pairs than this are not looked at: the count is then not a count. */
const MAX_PAIRS = 1000

const NONE: ReadonlySet<string> = new Set()

/**
 * `GIT_CONFIG_COUNT`, `GIT_CONFIG_KEY_n` and `GIT_CONFIG_VALUE_n` (git-config(1)) mean something only together: every
 * git command fails when one is missing. Pairs with a credential go, the rest are counted anew.
 */
export function takeGitConfig(parent: Readonly<Record<string, string | undefined>>): {
  names: ReadonlySet<string>
  env: Record<string, string>
  removed: string[]
} {
  if (parent['GIT_CONFIG_COUNT'] === undefined) return { names: NONE, env: {}, removed: [] }
  const names = new Set(Object.keys(parent).filter((name) => /^GIT_CONFIG_(COUNT|KEY_\d+|VALUE_\d+)$/.test(name)))
  const count = Number(parent['GIT_CONFIG_COUNT'])
  const pairs: [string, string][] = []
  if (Number.isInteger(count) && count > 0 && count <= MAX_PAIRS) {
    for (let index = 0; index < count; index++) {
      const key = parent[`GIT_CONFIG_KEY_${index}`]
      const value = parent[`GIT_CONFIG_VALUE_${index}`]
      if (key !== undefined && value !== undefined && !isCredentialValue(value)) pairs.push([key, value])
    }
  }
  const env: Record<string, string> = {}
  for (const [index, [key, value]] of pairs.entries()) {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  }
  if (pairs.length > 0) env['GIT_CONFIG_COUNT'] = String(pairs.length)
  return { names, env, removed: [...names].filter((name) => !(name in env)) }
}
