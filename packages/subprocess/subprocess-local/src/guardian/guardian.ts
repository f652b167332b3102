import fs from 'node:fs'
import type { Launched, Launcher } from '../launch/launcher.ts'
import { GUARDIAN_SCRIPT } from './script.ts'

/** Where the guardian's programs are: its own PATH, never a command's. */
const PROGRAM_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin']
/** A guardian that does not end by then is no longer waited for; it has nothing left to kill. */
const FAREWELL_MS = 1000
/** How long a line may wait for others. */
const DELAY_MS = 3

/**
 * One small process that outlives this one by moments and kills what it leaves: commands must not go on when their host
 * was killed by SIGKILL, which no handler sees. It is started with the first command, and told of each by one line.
 */
export class Guardian {
  private readonly launcher: Launcher
  private readonly mark: string
  private readonly cgroups: string
  private readonly tokens = new Set<string>()
  private readonly told = new Set<string>()
  /** Tokens that have come or gone since the last line. */
  private unsaid = new Set<string>()
  private timer: NodeJS.Timeout | undefined
  private process: Launched | undefined
  private disposed = false

  /**
   * @param mark the beginning of the variable that every process of this host carries.
   * @param cgroups the folder of the cgroups of this host's commands, where they have any.
   */
  constructor(launcher: Launcher, mark: string, cgroups = '') {
    this.launcher = launcher
    this.mark = mark
    this.cgroups = cgroups
  }

  /** Looks after a process and what belongs to it from now on. */
  watch(token: string): void {
    this.tokens.add(token)
    if (this.process) this.tellSoon(token)
    else this.start()
  }

  forget(token: string): void {
    if (this.tokens.delete(token) && this.process) this.tellSoon(token)
  }

  /** A command that ends before its line is sent costs no line: until then its mark alone speaks for it. */
  private tellSoon(token: string): void {
    this.unsaid.add(token)
    this.timer ??= setTimeout(() => this.tell(), DELAY_MS).unref()
  }

  private tell(): void {
    this.timer = undefined
    let lines = ''
    for (const token of this.unsaid) {
      if (this.tokens.has(token) === this.told.has(token)) continue
      lines += `${this.tokens.has(token) ? '+' : '-'}${token}\n`
      if (!this.told.delete(token)) this.told.add(token)
    }
    this.unsaid.clear()
    if (lines !== '') this.process?.stdin?.write(lines)
  }

  /** Lets it end. To be called when everything that it looks after is gone. */
  async dispose(): Promise<void> {
    this.disposed = true
    clearTimeout(this.timer)
    const { process } = this
    if (!process) return
    process.stdin?.end()
    let limit: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      limit = setTimeout(resolve, FAREWELL_MS)
    })
    await Promise.race([process.exited.catch(() => {}), enough])
    clearTimeout(limit)
    process.stdin?.destroy()
  }

  private start(): void {
    const sh = find('sh')
    if (this.disposed || sh === undefined) return
    try {
      const launched = this.launcher.launch({
        file: sh,
        argv: ['sh', '-c', GUARDIAN_SCRIPT, 'dsh-guardian', this.mark, find('grep') ?? '', this.cgroups],
        cwd: '/',
        env: { PATH: PROGRAM_FOLDERS.join(':'), LC_ALL: 'C' },
        stdin: 'pipe',
        stdout: 'ignore',
        stderr: 'ignore',
      })
      launched.unref()
      this.process = launched
      // Whoever kills it gets a new one with the next command.
      launched.exited
        .catch(() => {})
        .finally(() => {
          if (this.process === launched) this.process = undefined
          if (this.tokens.size > 0) this.start()
        })
      this.told.clear()
      this.unsaid = new Set(this.tokens)
      this.tell()
    } catch {
      // Without room for one more process the command itself will say so; the next one tries again.
    }
  }
}

function find(program: string): string | undefined {
  return PROGRAM_FOLDERS.map((folder) => `${folder}/${program}`).find((file) => fs.existsSync(file))
}
