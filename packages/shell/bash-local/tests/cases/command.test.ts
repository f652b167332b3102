import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { processesWith, uniqueSeconds } from 'dsh-contracts/outside'
import { until } from 'dsh-contracts/until'
import { describe, expect, it } from 'vitest'
import { bash, host, setEnv, tempFolder } from '../bash.ts'

describe('the text of a command', () => {
  it('CMD-4: with CRLF at the end of every line runs as with LF', async () => {
    const { run } = await bash()
    const two = await run('echo a\r\n\r\necho b\r\n')
    expect([two.stdout.text, two.stderr.text]).toEqual(['a\nb\n', ''])
    expect((await run('cat <<EOF\r\nx\r\nEOF\r\necho after')).stdout.text).toBe('x\nafter\n')
  })

  it('CMD-4: with mixed line ends runs byte for byte, as bash itself has it', async () => {
    const { run } = await bash()
    const mixed = await run('cat <<EOF\r\nx\nEOF\necho after\n')
    expect(mixed.stdout.text).toBe('x\nEOF\necho after\n')
    expect((await run("printf '%s' 'a\r' | od -An -c")).stdout.text).toMatch(/a\s+\\r/)
  })

  it('CMD-5: may hold a here-document of 70 KB inside a substitution', async () => {
    const { run } = await bash()
    const command = `echo "$(cat <<'EOF'\n${'A'.repeat(70_000)}\nEOF\n)" | wc -c`
    expect((await run(command, { timeoutMs: 10_000 })).stdout.text.trim()).toBe('70001')
  })

  it.each(['', '  \n\t'])('CMD-6: that is blank (%j) is refused, and nothing starts', async (command) => {
    const { run } = await bash()
    await expect(run(command)).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('that holds NUL is refused, as are variables that do', async () => {
    const { run } = await bash()
    await expect(run('echo a\0b')).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    await expect(run('true', { env: { X: 'a\0b' } })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('CMD-7: finds the real target of pkill, and not itself', async () => {
    const { run } = await bash()
    const marker = `zz-marker-${uniqueSeconds()}`
    const left = await run(`bash -c 'exec -a ${marker} sleep 7350' & sleep 0.1`)
    expect(left.background).toHaveLength(1)
    const killed = await run(`pkill -f '${marker}'; echo ALIVE`)
    expect([killed.exitCode, killed.stdout.text]).toEqual([0, 'ALIVE\n'])
    await until('the target is gone', () => processesWith(marker).length === 0)
  })

  it.each([
    ["time cat <<'E'\nbody\nE", 'body\n'],
    ['awk \'BEGIN{print "a\\"b"}\'', 'a"b\n'],
    ['case x in (x) echo y;; esac', 'y\n'],
  ])('CMD-8: is judged by bash alone: %j', async (command, output) => {
    const { run } = await bash()
    expect(await run(command)).toMatchObject({ exitCode: 0, stdout: { text: output } })
  })

  it('CMD-8: writes a file by a here-document that begins with its redirection', async () => {
    const { run } = await bash()
    const file = path.join(tempFolder(), 'c8')
    expect((await run(`<<'E' cat >${file}\nbody\nE`)).exitCode).toBe(0)
    expect(fs.readFileSync(file, 'utf8')).toBe('body\n')
  })
})

describe('what is too large for the system', () => {
  it('CMD-2: is a typed error that names it, and the next command works', async () => {
    const { run } = await bash()
    const one = { HUGE_VALUE: 'x'.repeat(131_072) }
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`MANY_${index}`, 'y'.repeat(120_000)]))
    for (const env of [one, many]) {
      await expect(run('true', { env })).rejects.toMatchObject({
        code: 'SPAWN_FAILED',
        details: { errno: 'E2BIG' },
        message: expect.stringMatching(/(HUGE_VALUE|MANY_\d+) has \d+/) as string,
      })
    }
    expect((await run('echo works')).stdout.text).toBe('works\n')
  })
})

describe('the working directory', () => {
  it('CWD-1: that has gone is an error, and commands elsewhere go on', async () => {
    const { run } = await bash()
    const folder = path.join(tempFolder(), 'gone')
    fs.mkdirSync(folder)
    expect((await run('echo hi', { workdir: folder })).stdout.text).toBe('hi\n')
    for (const loss of [
      () => fs.rmdirSync(folder),
      () => fs.mkdirSync(folder),
      () => fs.renameSync(folder, `${folder}-moved`),
    ]) {
      loss()
      if (fs.existsSync(folder)) continue
      await expect(run('echo hi', { workdir: folder })).rejects.toMatchObject({ code: 'WORKDIR_UNUSABLE' })
    }
    expect((await run('cd / && pwd')).stdout.text).toBe('/\n')
  })

  it('CWD-3: may have any name, also those of carriers and spill files', async () => {
    const folder = path.join(tempFolder(), `a b "c" $d 'e' ü\nnewline`)
    fs.mkdirSync(folder, { mode: 0o700 })
    setEnv({ TMPDIR: folder, HOME: folder })
    const { run } = await bash({ maxOutputBytes: 100 })
    const result = await run('pwd; touch x; echo "$PWD" "$HOME"', { workdir: folder, stdin: 'y' })
    expect(result.stdout.head).toBeDefined()
    expect(fs.existsSync(path.join(folder, 'x'))).toBe(true)
    expect(fs.readFileSync(result.stdout.spillPath ?? '', 'utf8')).toBe(`${folder}\n${folder} ${folder}\n`)
    expect(path.dirname(path.dirname(path.dirname(result.stdout.spillPath ?? '')))).toBe(folder)
  })

  it('CWD-5: works when the folder of the host itself has gone', async () => {
    const { exit } = host(`
      import fs from 'node:fs'
      const gone = fs.mkdtempSync('/tmp/dsh-gone-')
      process.chdir(gone)
      fs.rmdirSync(gone)
      const named = await run('pwd', { workdir: '/' })
      const configured = await run('pwd')
      const other = new Context()
      await other.plugin(Subprocess, SubprocessLocalConfig.parse({}))
      await other.plugin(Bash, BashLocalConfig.parse({}))
      let unnamed
      try { other.get('shell').resolve({ command: 'pwd' }) } catch (error) { unnamed = error.code }
      say([named.stdout.text, named.stderr.text, configured.stdout.text, unnamed])
      await Promise.all([ctx.fiber.dispose(), other.fiber.dispose()])
    `)
    const { stdout, stderr } = await exit
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(['/\n', '', '/tmp\n', 'WORKDIR_UNUSABLE'])
  })

  it('that may not be entered, or vanishes at the last moment, is WORKDIR_UNUSABLE', async () => {
    const { run, ctx } = await bash()
    const folder = path.join(tempFolder(), 'late')
    fs.mkdirSync(folder)
    const spec = ctx.shell.resolve({ command: 'true', workdir: folder })
    fs.rmdirSync(folder)
    await expect(ctx.shell.run(spec)).rejects.toMatchObject({ code: 'WORKDIR_UNUSABLE' })
    await expect(run('true', { workdir: '/proc/1/fd/0/x' })).rejects.toMatchObject({ code: 'WORKDIR_UNUSABLE' })
  })
})

it('a missing shell is SHELL_NOT_FOUND', async () => {
  const { run } = await bash({ bashPath: '/nowhere/bash' })
  await expect(run('true')).rejects.toMatchObject({ code: 'SHELL_NOT_FOUND' })
  const other = await bash({ bashPath: 'no-such-bash' })
  await expect(other.run('true')).rejects.toMatchObject({ code: 'SHELL_NOT_FOUND' })
})

it.each(['auto', 'execa'] as const)('a missing temp folder costs no command (launcher: %s)', async (launcher) => {
  setEnv({ TMPDIR: path.join(os.tmpdir(), 'dsh-no-such-folder') })
  const { run } = await bash({ maxOutputBytes: 100 }, { launcher })
  const result = await run('cat; seq 1 1000', { stdin: 'given\n' })
  expect([result.exitCode, result.stdout.head?.startsWith('given\n')]).toEqual([0, true])
  expect(result.stdout.spillError).toMatch(/ENOENT/)
})
