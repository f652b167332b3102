import fs from 'node:fs'
import path from 'node:path'

export interface SpillFacts {
  readonly spillPath?: string
  readonly spilledBytes?: number
  readonly spillError?: string
}

/**
 * The whole of one stream on disk, up to a limit. A file that cannot be written costs itself, never the command: what
 * went wrong becomes a fact of the result.
 */
export class SpillFile {
  private fd: number | undefined
  private written = 0
  private failure: string | undefined
  private readonly path: string
  private readonly limit: number

  constructor(open: () => { fd: number; path: string }, limit: number) {
    this.limit = limit
    let opened: { fd: number; path: string } | undefined
    try {
      opened = open()
    } catch (error) {
      this.failure = reason(error)
    }
    this.fd = opened?.fd
    this.path = opened?.path ?? ''
  }

  write(chunk: Uint8Array): void {
    if (this.fd === undefined) return
    const fits = chunk.subarray(0, Math.max(0, this.limit - this.written))
    try {
      for (let done = 0; done < fits.length; ) done += fs.writeSync(this.fd, fits, done)
      this.written += fits.length
    } catch (error) {
      this.failure = reason(error)
      this.close()
      fs.rmSync(this.path, { force: true })
    }
  }

  close(): void {
    if (this.fd === undefined) return
    fs.closeSync(this.fd)
    this.fd = undefined
  }

  facts(): SpillFacts {
    if (this.failure !== undefined) return { spillError: this.failure }
    return { spillPath: this.path, spilledBytes: this.written }
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Name of the note in a folder that outlives its host; its content is the time when it may go. */
const KEEP_NOTE = '.keep-until'

/** The private folder of one host's spill files. Made when the first file is; nothing is left behind before. */
export class SpillFolder {
  private counter = 0
  private made = false
  /** The parent goes with its last folder, unless somebody else has made it. */
  private ownsBase = false
  private readonly base: string
  private readonly name: string

  /** @param base parent of all hosts' folders. @param name this host's, unique on the machine. */
  constructor(base: string, name: string) {
    this.base = base
    this.name = name
  }

  get path(): string {
    return path.join(this.base, this.name)
  }

  create(limit: number): SpillFile {
    return new SpillFile(() => {
      this.make()
      const file = path.join(this.path, `output-${++this.counter}.log`)
      return { fd: fs.openSync(file, 'wx', 0o600), path: file }
    }, limit)
  }

  /** Removes the folder, or with `keepMs` leaves it for the sweep of a later host. */
  dispose(keepMs: number): void {
    if (!this.made) return
    if (keepMs > 0 && fs.readdirSync(this.path).length > 0) {
      fs.writeFileSync(path.join(this.path, KEEP_NOTE), String(Date.now() + keepMs), { mode: 0o600 })
    } else {
      fs.rmSync(this.path, { recursive: true, force: true })
      if (this.ownsBase) removeIfEmpty(this.base)
    }
    this.made = false
  }

  private make(): void {
    if (this.made && fs.existsSync(this.path)) return
    this.ownsBase = makeFolder(this.base) || this.ownsBase
    assertPrivate(this.base)
    makeFolder(this.path)
    this.made = true
  }
}

/** Removes the folders of hosts that are gone, as soon as their time is over. Errors are left for the next sweep. */
export function sweepSpillFolders(base: string, isAlive: (name: string) => boolean, now = Date.now()): void {
  let names: string[]
  try {
    assertPrivate(base)
    names = fs.readdirSync(base)
  } catch {
    return
  }
  for (const name of names) {
    if (isAlive(name) || keepUntil(path.join(base, name)) > now) continue
    try {
      fs.rmSync(path.join(base, name), { recursive: true, force: true })
    } catch {}
  }
  if (names.length > 0) removeIfEmpty(base)
}

/** One level only: what is above it was there before. @returns whether it was made. */
function makeFolder(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

function keepUntil(folder: string): number {
  try {
    return Number(fs.readFileSync(path.join(folder, KEEP_NOTE), 'utf8'))
  } catch {
    return 0
  }
}

/** Another user must not be able to prepare our folder: ours is a directory of our own that nobody else may enter. */
function assertPrivate(folder: string): void {
  const stat = fs.lstatSync(folder)
  const uid = process.getuid?.()
  if (!stat.isDirectory() || (uid !== undefined && (stat.uid !== uid || (stat.mode & 0o077) !== 0))) {
    throw new Error(`"${folder}" is not a private directory of this user`)
  }
}

function removeIfEmpty(folder: string): void {
  try {
    fs.rmdirSync(folder)
  } catch {}
}
