import { createRequire } from 'node:module'
import { constants } from 'node:os'

/** C declarations alone: what of libc the posix-spawn launcher calls. All of it is in glibc 2.29 and musl 1.1.24. */

type Koffi = typeof import('koffi')
type Pointer = Buffer

export interface LibC {
  pipe2(fds: number[], flags: number): number
  close(fd: number): number
  read(fd: number, buffer: Pointer, length: number): number | bigint
  fcntl(fd: number, command: number, argument: number): number
  memfd_create(name: string, flags: number): number
  fileActionsInit(actions: Pointer): number
  fileActionsDestroy(actions: Pointer): number
  fileActionsAddDup2(actions: Pointer, fd: number, target: number): number
  fileActionsAddOpen(actions: Pointer, fd: number, path: string, flags: number, mode: number): number
  fileActionsAddChdir(actions: Pointer, path: string): number
  /** Absent before glibc 2.34 and in musl. */
  fileActionsAddCloseFrom: ((actions: Pointer, from: number) => number) | undefined
  attributesInit(attributes: Pointer): number
  attributesDestroy(attributes: Pointer): number
  attributesSetFlags(attributes: Pointer, flags: number): number
  attributesSetSigDefault(attributes: Pointer, set: Pointer): number
  attributesSetSigMask(attributes: Pointer, set: Pointer): number
  spawn(
    pid: number[],
    path: string,
    actions: Pointer,
    attributes: Pointer,
    argv: (string | null)[],
    envp: (string | null)[],
  ): number
  waitpid(pid: number, status: number[], options: number): number
  prctl(option: number, a: number, b: number, c: number, d: number): number
  errno(): number
}

/** @throws when koffi, or a function of libc, cannot be loaded. */
export function loadLibC(): LibC {
  const koffi = createRequire(import.meta.url)('koffi') as Koffi
  const library = koffi.load(null)
  const bind = (declaration: string): never => library.func(declaration) as unknown as never
  return {
    pipe2: bind('int pipe2(_Out_ int *fds, int flags)'),
    close: bind('int close(int fd)'),
    read: bind('long read(int fd, void *buffer, unsigned long length)'),
    fcntl: bind('int fcntl(int fd, int cmd, int arg)'),
    memfd_create: bind('int memfd_create(const char *name, unsigned int flags)'),
    fileActionsInit: bind('int posix_spawn_file_actions_init(void *fa)'),
    fileActionsDestroy: bind('int posix_spawn_file_actions_destroy(void *fa)'),
    fileActionsAddDup2: bind('int posix_spawn_file_actions_adddup2(void *fa, int fd, int newfd)'),
    fileActionsAddOpen: bind(
      'int posix_spawn_file_actions_addopen(void *fa, int fd, const char *path, int oflag, unsigned int mode)',
    ),
    fileActionsAddChdir: bind('int posix_spawn_file_actions_addchdir_np(void *fa, const char *path)'),
    fileActionsAddCloseFrom: optional(() => bind('int posix_spawn_file_actions_addclosefrom_np(void *fa, int from)')),
    attributesInit: bind('int posix_spawnattr_init(void *attr)'),
    attributesDestroy: bind('int posix_spawnattr_destroy(void *attr)'),
    attributesSetFlags: bind('int posix_spawnattr_setflags(void *attr, short flags)'),
    attributesSetSigDefault: bind('int posix_spawnattr_setsigdefault(void *attr, void *set)'),
    attributesSetSigMask: bind('int posix_spawnattr_setsigmask(void *attr, void *set)'),
    spawn: bind(
      'int posix_spawn(_Out_ int *pid, const char *path, void *fa, void *attr, const char **argv, const char **envp)',
    ),
    waitpid: bind('int waitpid(int pid, _Out_ int *status, int options)'),
    prctl: bind('int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)'),
    errno: () => koffi.errno(),
  }
}

function optional<T>(load: () => T): T | undefined {
  try {
    return load()
  } catch {
    return undefined
  }
}

const ERRNO_NAMES = new Map(
  Object.entries(constants.errno)
    .toReversed()
    .map(([name, number]) => [number, name]),
)
const SIGNAL_NAMES = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
)

/** An errno as Node.js would throw it. */
export function systemError(call: string, errno: number): NodeJS.ErrnoException {
  const code = ERRNO_NAMES.get(errno) ?? `errno ${errno}`
  return Object.assign(new Error(`${call}: ${code}`), { code, errno, syscall: call })
}

export function signalName(signal: number): string {
  return SIGNAL_NAMES.get(signal) ?? `SIG${signal}`
}
