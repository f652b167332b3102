import fs from 'node:fs'
import path from 'node:path'
import { ShellError } from 'dsh-errors'

export interface ResolveHost {
  readonly platform: NodeJS.Platform
  /** Whether this path is a file that may be run. */
  isExecutable(path: string): boolean
}

export const thisHost: ResolveHost = {
  platform: process.platform,
  isExecutable(file) {
    try {
      if (!fs.statSync(file).isFile()) return false
      fs.accessSync(file, fs.constants.X_OK)
      return true
    } catch {
      return false
    }
  },
}

/** Where a POSIX system looks without a PATH (execvp(3)). */
const DEFAULT_PATH = '/usr/local/bin:/usr/bin:/bin'

/**
 * The absolute path of a program.
 * @throws ShellError INVALID_REQUEST for a relative path with a separator; SPAWN_FAILED, errno ENOENT, when not found.
 */
export function resolveExecutable(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  host: ResolveHost = thisHost,
): string {
  const paths = host.platform === 'win32' ? path.win32 : path.posix
  const names = candidates(command, env, host.platform)
  if (paths.isAbsolute(command)) {
    const found = names.find((name) => host.isExecutable(name))
    if (found !== undefined) return found
    throw notFound(command, `"${command}" is not an executable file`)
  }
  if (command === '' || /[/\\\0]/.test(host.platform === 'win32' ? command : command.replaceAll('\\', ''))) {
    throw new ShellError(
      'INVALID_REQUEST',
      `Cannot run "${command}": give an absolute path, or a bare name to look up on PATH.`,
    )
  }
  const searchPath = variable(env, 'PATH', host.platform) ?? (host.platform === 'win32' ? '' : DEFAULT_PATH)
  for (const entry of searchPath.split(paths.delimiter)) {
    // An empty or relative entry means the current folder, from which a command could slip in its own program.
    const folder = entry.replace(/^"(.*)"$/, '$1')
    if (!paths.isAbsolute(folder)) continue
    const found = names.map((name) => paths.join(folder, name)).find((file) => host.isExecutable(file))
    if (found !== undefined) return found
  }
  throw notFound(command, `no folder of PATH holds "${command}"; looked in ${searchPath || 'no folder'}`)
}

function candidates(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): string[] {
  if (platform !== 'win32' || /\.[^\\/.]+$/.test(command)) return [command]
  const extensions = (variable(env, 'PATHEXT', platform) ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean)
  return extensions.map((extension) => command + extension.toLowerCase())
}

/** Names of variables are case-insensitive on Windows. */
function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return env[name]
  const key = Object.keys(env).find((other) => other.toUpperCase() === name)
  return key === undefined ? undefined : env[key]
}

function notFound(command: string, why: string): ShellError {
  return new ShellError('SPAWN_FAILED', `Cannot run "${command}": ${why}.`, { errno: 'ENOENT', path: command })
}

/** {@link resolveExecutable} that remembers what it found; `forget` when a program has turned out to be gone. */
export class ExecutableCache {
  private readonly found = new Map<string, string>()

  resolve(command: string, env: Readonly<Record<string, string | undefined>>): string {
    const key = `${env['PATH'] ?? ''}\0${command}`
    const known = this.found.get(key)
    if (known !== undefined) return known
    const file = resolveExecutable(command, env)
    if (this.found.size >= MAX_REMEMBERED) this.found.clear()
    this.found.set(key, file)
    return file
  }

  forget(): void {
    this.found.clear()
  }
}

const MAX_REMEMBERED = 256
