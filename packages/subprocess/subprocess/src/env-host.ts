/**
 * What speaks to the host process, not to its commands: the runtime's own switches, the package manager that started it,
 * the shell start-up files of whoever started it, and programs that git, ssh and the dynamic loader would run or load.
 */
const HOST_NAMES = new Set([
  'NODE_OPTIONS',
  'NODE_CHANNEL_FD',
  'NODE_CHANNEL_SERIALIZATION_MODE',
  'NODE_UNIQUE_ID',
  'NODE_V8_COVERAGE',
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_NO_ATTACH_CONSOLE',
  'ELECTRON_ENABLE_LOGGING',
  'INIT_CWD',
  'PWD',
  'OLDPWD',
  'SHLVL',
  '_',
  'BASH_ENV',
  'ENV',
  'SHELLOPTS',
  'BASHOPTS',
  'BASH_XTRACEFD',
  'PROMPT_COMMAND',
  'PS4',
  'CDPATH',
  'GLOBIGNORE',
  'APPDIR',
  'APPIMAGE',
  'ARGV0',
  'OWD',
  'LD_PRELOAD',
  'LD_AUDIT',
  'DYLD_INSERT_LIBRARIES',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_EXEC_PATH',
  'GIT_TEMPLATE_DIR',
  'GIT_SSH',
  'GIT_SSH_COMMAND',
  'GIT_PROXY_COMMAND',
  'GIT_EXTERNAL_DIFF',
  'GIT_ASKPASS',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'GIT_PAGER',
  'SSH_ASKPASS',
  'SSH_ASKPASS_REQUIRE',
  'SUDO_ASKPASS',
])

const HOST_PREFIXES = /^(npm_|pnpm_config_|BASH_FUNC_|VSCODE_(GIT|IPC|ESM|NLS|PID|CWD|HANDLES|CODE_CACHE))/i

export function isHostVariable(name: string): boolean {
  return HOST_NAMES.has(name) || HOST_PREFIXES.test(name)
}

/** An AppImage mounts itself here and points its own libraries at it: poison for every program of the system. */
const APPIMAGE_MOUNT = /^\/tmp\/\.mount_[^/]+(\/|$)/

/** Takes an AppImage's folders out of a path list; undefined when nothing else was in it. */
export function dropHostPaths(value: string, appDir: string | undefined): string | undefined {
  if (!value.includes('/.mount_') && !(appDir && value.includes(appDir))) return value
  const isHosts = (part: string) =>
    APPIMAGE_MOUNT.test(part) || (appDir !== undefined && (part === appDir || part.startsWith(`${appDir}/`)))
  const left = value.split(':').filter((part) => !isHosts(part))
  return left.length === 0 ? undefined : left.join(':')
}
