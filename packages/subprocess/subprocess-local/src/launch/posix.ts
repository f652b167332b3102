import fs from 'node:fs'
import net from 'node:net'
import type { Readable } from 'node:stream'
import type { SubprocessOutcome } from 'dsh-subprocess'
import { fillInputFile } from '../input-file.ts'
import type { Launched, Launcher, LaunchRequest, OutputSource } from './launcher.ts'
import { type LibC, systemError } from './posix-ffi.ts'
import type { Reaper } from './reaper.ts'

const O_CLOEXEC = 0o2000000
const F_DUPFD_CLOEXEC = 1030
const F_SETPIPE_SZ = 1031
const F_SETFL = 4
const O_NONBLOCK = 0o4000
const MFD_CLOEXEC = 1
/** From <spawn.h>: new session, default signal actions, given signal mask. */
const SPAWN_FLAGS = 0x80 | 0x04 | 0x08
/** A program that calls exit without waiting for its writes loses what its pipe does not hold. */
const PIPE_BYTES = 1 << 20
/** Larger than the opaque structures of any libc. */
const ACTIONS_BYTES = 256
const ATTRIBUTES_BYTES = 1024
const SIGSET_BYTES = 128
/** Descriptors of ours are moved above those that the child is given, so that no dup2 overwrites a source. */
const LOWEST_OWN_FD = 10

/**
 * Starts processes through posix_spawn: the cost does not depend on the size of this process, the pipes are pipes (so that
 * /dev/stderr can be opened), and no descriptor is passed on but those asked for.
 */
export class PosixSpawnLauncher implements Launcher {
  readonly name = 'posix-spawn'
  private readonly libc: LibC
  private readonly reaper: Reaper
  /** Used by one spawn at a time: none of its calls yields. */
  private readonly actions = Buffer.alloc(ACTIONS_BYTES)
  private readonly attributes = Buffer.alloc(ATTRIBUTES_BYTES)
  private readonly allSignals = Buffer.alloc(SIGSET_BYTES, 0xff)
  private readonly noSignals = Buffer.alloc(SIGSET_BYTES)

  constructor(libc: LibC, reaper: Reaper) {
    this.libc = libc
    this.reaper = reaper
  }

  launch(request: LaunchRequest): Launched {
    const pipes = new PipeSet(this.libc)
    try {
      const stdin = request.stdin === 'pipe' ? pipes.open('write') : undefined
      const stdout = request.stdout === 'pipe' ? pipes.open('read') : undefined
      const stderr = request.stderr === 'pipe' ? pipes.open('read') : undefined
      const fds = [
        typeof request.stdin === 'number' ? pipes.above(request.stdin) : stdin?.theirs,
        stdout?.theirs,
        stderr?.theirs,
        request.fd3 === undefined ? undefined : pipes.above(request.fd3),
      ]
      const pid = this.spawn(request, fds)
      const exited = new Promise<SubprocessOutcome>((resolve) => {
        this.reaper.watch(pid, resolve)
      })
      const input = stdin ? writer(pipes.keep(stdin.ours)) : null
      return {
        pid,
        exited,
        stdin: input,
        unref: () => {
          input?.unref()
          this.reaper.unref(pid)
        },
        stdout: stdout ? new PipeSource(pipes.keep(stdout.ours), this.libc) : null,
        stderr: stderr ? new PipeSource(pipes.keep(stderr.ours), this.libc) : null,
      }
    } finally {
      pipes.close()
    }
  }

  /** Data in a file that only this descriptor names: in memory, so that no temp folder is needed. */
  openInput(data: string | Uint8Array): number {
    const fd = this.libc.memfd_create('dsh-input', MFD_CLOEXEC)
    if (fd < 0) throw systemError('memfd_create', this.libc.errno())
    return fillInputFile(fd, data, (opened) => this.closeInput(opened))
  }

  closeInput(fd: number): void {
    this.libc.close(fd)
  }

  adopt(pid: number): void {
    this.reaper.adopt(pid)
  }

  private spawn(request: LaunchRequest, fds: readonly (number | undefined)[]): number {
    const { libc } = this
    const { actions, attributes } = this
    libc.fileActionsInit(actions)
    libc.attributesInit(attributes)
    try {
      for (const [target, fd] of fds.entries()) {
        if (fd !== undefined) libc.fileActionsAddDup2(actions, fd, target)
        else if (target < 3) libc.fileActionsAddOpen(actions, target, '/dev/null', target === 0 ? 0 : 1, 0)
      }
      libc.fileActionsAddChdir(actions, request.cwd)
      libc.fileActionsAddCloseFrom?.(actions, fds[3] === undefined ? 3 : 4)
      libc.attributesSetSigDefault(attributes, this.allSignals)
      libc.attributesSetSigMask(attributes, this.noSignals)
      libc.attributesSetFlags(attributes, SPAWN_FLAGS)
      const pid = [0]
      const envp = Object.entries(request.env).map(([name, value]) => `${name}=${value}`)
      const errno = libc.spawn(pid, request.file, actions, attributes, [...request.argv, null], [...envp, null])
      if (errno !== 0) throw systemError('posix_spawn', errno)
      return pid[0] as number
    } finally {
      libc.fileActionsDestroy(actions)
      libc.attributesDestroy(attributes)
    }
  }
}

/** Descriptors of one launch: all are closed at its end but those that are kept. */
class PipeSet {
  private readonly opened = new Set<number>()
  private readonly libc: LibC

  constructor(libc: LibC) {
    this.libc = libc
  }

  open(ours: 'read' | 'write'): { ours: number; theirs: number } {
    const pair = [0, 0]
    if (this.libc.pipe2(pair, O_CLOEXEC) !== 0) throw systemError('pipe2', this.libc.errno())
    const [read = 0, write = 0] = pair
    this.opened.add(read).add(write)
    // An unprivileged user may have no room left for large pipes (pipe(7)); a small one works, too.
    if (ours === 'read') {
      this.libc.fcntl(read, F_SETPIPE_SZ, PIPE_BYTES)
      this.libc.fcntl(read, F_SETFL, O_NONBLOCK)
    }
    return ours === 'read' ? { ours: read, theirs: this.above(write) } : { ours: write, theirs: this.above(read) }
  }

  above(fd: number): number {
    if (fd >= LOWEST_OWN_FD) return fd
    const moved = this.libc.fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_OWN_FD)
    if (moved < 0) throw systemError('fcntl', this.libc.errno())
    this.opened.add(moved)
    return moved
  }

  keep(fd: number): number {
    this.opened.delete(fd)
    return fd
  }

  close(): void {
    for (const fd of this.opened) this.libc.close(fd)
  }
}

function writer(fd: number): net.Socket {
  const socket = new net.Socket({ fd, readable: false, writable: true })
  // A child that ends before it has read its input is no error of the host's.
  socket.on('error', () => {})
  return socket
}

/** Read by all sources in turn: each piece is taken before the next read begins. */
const sharedBuffer = Buffer.allocUnsafeSlow(256 * 1024)

/**
 * Most commands end before a stream would be of use: their output waits in the pipe and is read at their exit. Only who
 * still runs after this time, in milliseconds, is given a stream.
 */
const STREAM_AFTER_MS = 8

class PipeSource implements OutputSource {
  private readonly libc: LibC
  private readonly fd: number
  private socket: net.Socket | undefined
  private name: string | undefined
  private timer: NodeJS.Timeout | undefined
  private closed = false
  private onChunk: (chunk: Uint8Array) => void = () => {}
  private onEnd: () => void = () => {}

  constructor(fd: number, libc: LibC) {
    this.fd = fd
    this.libc = libc
  }

  read(onChunk: (chunk: Uint8Array) => void, onEnd: () => void): void {
    this.onChunk = onChunk
    this.onEnd = onEnd
    this.timer = setTimeout(() => this.attach(), STREAM_AFTER_MS)
  }

  drain(): void {
    if (this.socket || this.closed) return
    for (;;) {
      const length = Number(this.libc.read(this.fd, sharedBuffer, sharedBuffer.length))
      if (length > 0) this.onChunk(sharedBuffer.subarray(0, length))
      else if (length === 0) return this.finish()
      else return this.attach()
    }
  }

  stream(): Readable {
    this.socket = new net.Socket({ fd: this.fd, readable: true, writable: false })
    return this.socket
  }

  unref(): void {
    this.socket?.unref()
  }

  destroy(): void {
    if (this.socket) this.socket.destroy()
    else if (!this.closed) this.finish()
  }

  pipe(): string | undefined {
    if (this.closed || this.socket?.destroyed) return undefined
    this.name ??= `pipe:[${fs.fstatSync(this.fd).ino}]`
    return this.name
  }

  private attach(): void {
    clearTimeout(this.timer)
    if (this.socket || this.closed) return
    const callback = (length: number): boolean => {
      this.onChunk(sharedBuffer.subarray(0, length))
      return true
    }
    // The types know `onread` of connections only; the constructor takes it as well.
    const options = { fd: this.fd, readable: true, writable: false, onread: { buffer: sharedBuffer, callback } }
    this.socket = new net.Socket(options)
    this.socket.on('error', () => {})
    this.socket.once('close', () => this.onEnd())
    this.socket.resume()
  }

  private finish(): void {
    clearTimeout(this.timer)
    this.closed = true
    this.libc.close(this.fd)
    this.onEnd()
  }
}
