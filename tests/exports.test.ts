import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

/** What each door of each package offers: an export is a decision, and so is taking one away. */
const DOORS: Record<string, string[]> = {
  'dsh-errors': ['ERROR_CODES', 'ShellError'],
  'dsh-jobs': ['JobService', 'JobsConfig', 'default', 'describeJob', 'jobOwner'],
  'dsh-live-config': ['liveConfig'],
  'dsh-permission': [
    'PRINCIPAL_PATTERN',
    'PermissionConfig',
    'PermissionService',
    'ROLES',
    'default',
    'ownPrincipal',
    'roleAtLeast',
  ],
  'dsh-secrets': ['MASK', 'SENSITIVE_ENV_PATTERN', 'isCredentialName', 'isCredentialValue', 'maskSecrets'],
  'dsh-system-prompt': ['SystemPrompt', 'default'],
  'dsh-tools': ['ToolRegistry', 'assertRole', 'default', 'defineTool', 'gateOf'],
  'dsh-agent-host': ['boot', 'checkEntries', 'describeEntry', 'importModule', 'parseConfig', 'readConfig'],
  'dsh-bash-local': ['BashLocalConfig', 'ENV_OVERRIDES', 'LocalBashExecutor', 'default'],
  'dsh-shell': ['ShellExecutor', 'hasMixedLineEnds'],
  'dsh-shell/provider': ['DEFAULT_GRACE_MS', 'DEFAULT_MAX_SPILL_BYTES', 'ShellConfig', 'SubprocessShellExecutor'],
  'dsh-shell-env': ['ShellEnvConfig', 'ShellEnvService', 'default'],
  'dsh-tool-bash': ['Config', 'apply', 'inject', 'name'],
  'dsh-tool-shell': [
    'ShellToolConfig',
    'ShellToolParameters',
    'ToolCommands',
    'inject',
    'markers',
    'registerLiveTool',
    'registerShellTool',
    'renderShellResult',
  ],
  'dsh-subprocess': ['SENSITIVE_ENV_PATTERN', 'SubprocessRuntime', 'scrubEnv', 'scrubbedParentEnv'],
  'dsh-subprocess-local': [
    'LocalSubprocessRuntime',
    'SubprocessLocalConfig',
    'default',
    'probeCgroup',
    'probeLauncher',
  ],
}

const root = fileURLToPath(new URL('../', import.meta.url))

interface Manifest {
  readonly name: string
  readonly exports: Record<string, string | { readonly '@dsh/source': string }>
}

it('every package exports exactly what was decided', async () => {
  const seen: Record<string, string[]> = {}
  for (const family of readdirSync(path.join(root, 'packages'))) {
    for (const name of readdirSync(path.join(root, 'packages', family))) {
      const folder = path.join(root, 'packages', family, name)
      const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
      // The suites register tests when they are imported.
      if (manifest.name === 'dsh-contracts') continue
      for (const [door, target] of Object.entries(manifest.exports)) {
        if (typeof target === 'string') continue
        const module = (await import(path.join(folder, target['@dsh/source']))) as object
        seen[path.posix.join(manifest.name, door)] = Object.keys(module).toSorted()
      }
    }
  }
  expect(seen).toEqual(DOORS)
})
