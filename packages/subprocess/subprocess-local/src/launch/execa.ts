import { closeSync } from 'node:fs'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { SubprocessOutcome } from 'dsh-subprocess'
import { execa } from 'execa'
import { openInputFile } from '../input-file.ts'
import type { Launched, Launcher, LaunchRequest, OutputSource } from './launcher.ts'

/** The launcher for every platform: Node's own child processes. */
export class ExecaLauncher implements Launcher {
  readonly name = 'execa'
  readonly openInput = openInputFile
  readonly closeInput = closeSync

  /** Without the switch that the other launcher sets, orphans go elsewhere. */
  adopt(): void {}

  launch(request: LaunchRequest): Launched {
    const [argv0 = request.file, ...args] = request.argv
    const options = {
      argv0,
      cwd: request.cwd,
      env: request.env,
      extendEnv: false,
      stdio: [
        request.stdin as 'ignore' | 'pipe' | ExecaFd,
        request.stdout,
        request.stderr,
        ...(request.fd3 === undefined ? [] : [request.fd3 as ExecaFd]),
      ] as const,
      // A session of its own on POSIX; on Windows it would open a console window.
      detached: process.platform !== 'win32',
      windowsHide: true,
      buffer: false,
      cleanup: false,
      reject: false,
      stripFinalNewline: false,
    } as const
    const child = execa(request.file, args, options)
    const exited = child.pid === undefined ? rejected(child) : outcomeOf(child)
    return {
      pid: child.pid ?? 0,
      stdin: request.stdin === 'pipe' ? ignoreWriteErrors(child.stdin) : null,
      stdout: request.stdout === 'pipe' && child.stdout ? new StreamSource(child.stdout) : null,
      stderr: request.stderr === 'pipe' && child.stderr ? new StreamSource(child.stderr) : null,
      exited,
      unref: () => unref(child),
    }
  }
}

/** Any open descriptor works; the types of execa know the first few. */
type ExecaFd = 3

function unref(child: Pick<Child, 'unref' | 'stdin'>): void {
  child.unref()
  const stdin = child.stdin as { unref?: () => void } | null
  stdin?.unref?.()
}

type Child = ReturnType<typeof execa>

/** A child that ends before it has read its input is no error of the host's. */
function ignoreWriteErrors<Stream extends NodeJS.EventEmitter | null>(stdin: Stream): Stream {
  stdin?.on('error', () => {})
  return stdin
}

function outcomeOf(child: Pick<Child, 'once'>): Promise<SubprocessOutcome> {
  return new Promise((resolve) => {
    child.once('exit', (code: number | null, signal: NodeJS.Signals | null) => {
      resolve(signal ? { exitCode: 128 + constants.signals[signal], signal } : { exitCode: code ?? 0 })
    })
  })
}

async function rejected(child: PromiseLike<{ cause?: unknown }>): Promise<never> {
  const { cause } = await child
  throw cause
}

class StreamSource implements OutputSource {
  private readonly readable: Readable

  constructor(readable: Readable) {
    this.readable = readable
  }

  read(onChunk: (chunk: Uint8Array) => void, onEnd: () => void): void {
    this.readable.on('data', onChunk)
    this.readable.once('close', onEnd)
    this.readable.on('error', () => {})
  }

  stream(): Readable {
    return this.readable
  }

  unref(): void {
    const socket = this.readable as Readable & { unref?: () => void }
    socket.unref?.()
  }

  destroy(): void {
    this.readable.destroy()
  }

  drain(): void {}

  pipe(): undefined {}
}
