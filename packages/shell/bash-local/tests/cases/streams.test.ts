import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { canUse } from 'dsh-contracts/require'
import { until } from 'dsh-contracts/until'
import { describe, expect, it } from 'vitest'
import { bash, PRELUDE, tempFolder } from '../bash.ts'

describe('standard streams', () => {
  it('TTY-1: can be opened by name', async () => {
    const { run } = await bash()
    const named = await run('echo x >/dev/stderr && echo y >/dev/stdout && exec 3>/dev/stdout && echo z >&3')
    expect([named.exitCode, named.stdout.text, named.stderr.text]).toEqual([0, 'y\nz\n', 'x\n'])
    expect((await run('cat /dev/stdin', { stdin: 'hello' })).stdout.text).toBe('hello')
    expect((await run('echo both | tee /dev/stderr')).combined?.split('\n').toSorted()).toEqual(['', 'both', 'both'])
    expect((await run('diff <(echo a) <(echo b)')).exitCode).toBe(1)
  })

  it('a search without a path searches the folder, not its empty input', async () => {
    const folder = tempFolder()
    fs.writeFileSync(path.join(folder, 'file.txt'), 'needle\n')
    const { run } = await bash()
    expect((await run('grep -r needle', { workdir: folder })).stdout.text).toContain('needle')
    const ripgrep = await run('command -v rg >/dev/null || exit 99; rg needle', { workdir: folder })
    expect([0, 99]).toContain(ripgrep.exitCode)
    expect(ripgrep.exitCode === 99 || ripgrep.stdout.text.includes('needle')).toBe(true)
  })

  it('TTY-6: input that nobody reads harms nobody', async () => {
    const { run } = await bash()
    const stdin = 'x'.repeat(64 << 20)
    expect((await run('exit 7', { stdin })).exitCode).toBe(7)
    expect((await run('no-such-program', { stdin })).exitCode).toBe(127)
    const stop = new AbortController()
    const running = run('sleep 60', { stdin, signal: stop.signal })
    stop.abort()
    expect((await running).aborted).toBe(true)
    expect((await run('wc -c', { stdin })).stdout.text.trim()).toBe(String(64 << 20))
  })
})

describe('programs that would wait for a person', () => {
  it.runIf(canUse('git', ['git', '--version']))('TTY-3: git opens no pager and no editor', async () => {
    const folder = tempFolder()
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder })
    git('init', '-q')
    git('config', 'user.email', 'a@b.c')
    git('config', 'user.name', 'n')
    git('config', 'core.pager', 'less')
    git('config', 'core.editor', 'vi')
    for (let index = 0; index < 30; index++) git('commit', '-q', '--allow-empty', '-m', `c${index}`)
    const { run } = await bash()
    const log = await run('git log --oneline', { workdir: folder })
    expect([log.exitCode, log.stdout.text.trim().split('\n').length]).toEqual([0, 30])
    expect((await run('git commit --allow-empty', { workdir: folder, timeoutMs: 10_000 })).exitCode).toBe(1)
    const rebase = await run('git rebase -i HEAD~2', { workdir: folder, timeoutMs: 10_000 })
    expect([rebase.exitCode, rebase.timedOut]).toEqual([0, false])
    const named = { GIT_EDITOR: 'sh -c \'echo chosen >"$1"\' --' }
    expect(
      (await run('git commit --allow-empty && git log -1 --format=%s', { workdir: folder, env: named })).stdout.text,
    ).toContain('chosen')
  })

  it('TTY-4: nobody finds a terminal to ask on', async () => {
    const { run } = await bash()
    for (const command of [
      'read -rs p </dev/tty',
      'stty -echo </dev/tty',
      'ssh -o BatchMode=no nobody@127.0.0.1 -p 1 true',
    ]) {
      const result = await run(command, { timeoutMs: 10_000 })
      expect([result.timedOut, result.exitCode === 0]).toEqual([false, false])
    }
    expect((await run('read -r x </dev/tty')).stderr.text).toMatch(/No such device or address/)
  })

  it.runIf(canUse('script', ['script', '-qec', 'true', '/dev/null']))(
    "TTY-4: the host's own terminal keeps its keys and its settings",
    async () => {
      const out = path.join(tempFolder(), 'typescript')
      const settings = 'stty -a </dev/tty | head -3'
      const code = `const before = (await import('node:child_process')).execSync('${settings}').toString(); const r = await run('stty -echo </dev/tty; read -rs p </dev/tty; echo rc=$?'); const after = (await import('node:child_process')).execSync('${settings}').toString(); say({ same: before === after, text: r.stdout.text }); await ctx.fiber.dispose()`
      // A terminal for the host: script(1) makes one.
      const script = spawn('script', ['-qec', hostCommand(code), out], {
        stdio: 'ignore',
        cwd: path.resolve(import.meta.dirname, '../..'),
      })
      await new Promise((resolve) => script.once('exit', resolve))
      const typescript = await until('it has spoken', () => fs.existsSync(out) && fs.readFileSync(out, 'utf8'))
      expect(typescript).toContain('"same":true')
      expect(typescript).toContain('rc=1')
    },
  )
})

/** The command line of a host, for a shell. */
function hostCommand(code: string): string {
  const file = path.join(tempFolder(), 'host.txt')
  fs.writeFileSync(file, PRELUDE + code)
  return `${process.execPath} --input-type=module - < ${file}`
}
