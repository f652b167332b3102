import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import type { ShellRunResult } from 'dsh-shell'
import LocalSubprocessRuntime from 'dsh-subprocess-local'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ENV_OVERRIDES, LocalBashExecutor } from '../src/index.ts'

let mounted: Mounted
beforeAll(async () => {
  mounted = await mount(async (ctx) => {
    await plug(ctx, LocalSubprocessRuntime, {})
    await plug(ctx, LocalBashExecutor, { cwd: os.tmpdir() })
  })
})
afterAll(() => mounted.dispose())

const run = (command: string): Promise<ShellRunResult> => {
  const { shell } = mounted.ctx
  return shell.run(shell.resolve({ command }))
}

describe('a command behaves as in `bash -c command`', () => {
  it.each([
    'echo "$0" "$-" "$#" "$LINENO"',
    'echo a\nno-such-program x\necho $LINENO',
    'exit 3',
    'return 4',
    'false',
    'set -e\nfalse\necho unreached',
    'set -u; echo $not_set',
    'echo a\\\n',
    'cat <<EOF\nhi\n',
    "cat <<'EOF'\n$HOME `x`\nEOF\n",
    '# only a comment',
    'kill -9 $$',
    'trap "echo bye" EXIT; exit 5',
    'f() { caller; echo "${FUNCNAME[@]}"; }; f',
    'exec no-such-program',
    'compgen -v | grep -i dsh_command; [ -e /proc/$$/fd/3 ] && echo open',
    'case x in (x) echo y;; esac',
    'echo "wow!!"',
    'awk \'BEGIN{print "a\\"b"}\'',
    'echo "$(cat <<\'EOF\'\nbody\nEOF\n)"',
    'sleep 0 & wait; echo $?',
    'diff <(echo a) <(echo b)',
    'x=5; (exit 7) || echo $? $x',
  ])('%j', async (command) => {
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...ENV_OVERRIDES }
    const plain = spawnSync('bash', ['-c', command], { cwd: os.tmpdir(), env, stdio: ['ignore', 'pipe', 'pipe'] })
    const { exitCode, signal, stdout, stderr } = await run(command)
    expect({ exitCode: signal ? null : exitCode, signal: signal ?? null, out: stdout.text, err: stderr.text }).toEqual({
      exitCode: plain.status,
      signal: plain.signal,
      out: plain.stdout.toString(),
      err: plain.stderr.toString(),
    })
  })

  it('an unclosed quote is an error of bash, with its own message', async () => {
    expect(await run('echo "abc')).toMatchObject({
      exitCode: 2,
      stderr: { text: expect.stringContaining('unexpected EOF while looking for matching') as string },
    })
  })
})

describe('CMD-6: a command is never taken for options', () => {
  it.each(['-fd-nope x', '--version', '+x'])('%s', async (command) => {
    const { exitCode, stderr } = await run(command)
    expect([exitCode, stderr.text]).toEqual([127, expect.stringContaining('command not found')])
  })
})

describe('CMD-1: length does not matter', () => {
  it.each([131_071, 131_072, 200_000, 5_000_000, 10 * 1024 * 1024])('%i bytes run', async (length) => {
    const start = 'echo ok $0 $#; : '
    const result = await run(start + 'x'.repeat(length - start.length))
    expect([result.exitCode, result.stdout.text]).toEqual([0, 'ok bash 0\n'])
  })

  it('a here-document writes 300 KB', async () => {
    const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'dsh-heredoc-')), 'out')
    const body = 'line of text\n'.repeat(24_000)
    expect((await run(`cat > ${file} <<'END'\n${body}END\n`)).exitCode).toBe(0)
    expect(fs.readFileSync(file, 'utf8')).toBe(body)
    fs.rmSync(path.dirname(file), { recursive: true })
  })

  it('no file of a carrier is left', async () => {
    await run('true')
    expect(fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`dsh-input-${process.pid}-`))).toEqual([])
  })
})

describe('CMD-7: a command does not find itself', () => {
  it('survives its own pkill -f, and counts nobody with pgrep -f', async () => {
    expect(await run("pkill -f 'zz-marker-39799'; echo ALIVE")).toMatchObject({
      exitCode: 0,
      stdout: { text: 'ALIVE\n' },
    })
    expect((await run("pgrep -fc 'zz-marker-39798'")).stdout.text).toBe('0\n')
  })
})
