import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { processesWith, uniqueSeconds } from 'dsh-contracts/outside'
import { until } from 'dsh-contracts/until'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** The program as users run it, from the default composition. */
const root = fileURLToPath(new URL('../../../../', import.meta.url))
const program = path.join(root, 'packages/host/agent-host/lib/main.js')
const composition = path.join(root, 'cordis.yml')

let folder: string
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'dsh-cli-')))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Ran {
  status: number | null
  stdout: string
  stderr: string
}
function run(args: readonly string[], input = ''): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    cwd: folder,
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })
  return { status, stdout, stderr }
}
const exec = (...args: string[]): Ran => run(['exec', 'bash', '--config', composition, ...args])
const json = (...args: string[]) =>
  JSON.parse(exec('--json', ...args).stdout) as { ok: boolean } & Record<string, never>
function config(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

describe('exec', () => {
  it('gives output on its own streams, and the exit code', () => {
    expect(exec('--', 'echo out; echo oops >&2; exit 3')).toEqual({ status: 3, stdout: 'out\n', stderr: 'oops\n' })
  })

  it('passes bytes on unchanged', () => {
    const { stdout } = spawnSync(process.execPath, [
      program,
      'exec',
      'bash',
      '--config',
      composition,
      '--',
      "printf '\\x00\\xff\\xfe'",
    ])
    expect([...stdout]).toEqual([0, 0xff, 0xfe])
  })

  it('gives one JSON object with the whole result', () => {
    const { status, stdout, stderr } = exec('--json', '--', 'echo out; sleep 0.05; echo err >&2; exit 3')
    expect([status, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      tool: 'bash',
      text: 'out\nerr\n[exit code 3]',
      result: {
        exitCode: 3,
        stdout: { text: 'out\n' },
        stderr: { text: 'err\n' },
        timedOut: false,
        aborted: false,
        durationMs: expect.any(Number) as number,
      },
    })
  })

  it('says 128+n for a signal and 124 for a timeout, with a marker on stderr', () => {
    expect(exec('--', 'kill -9 $$')).toEqual({ status: 137, stdout: '', stderr: '[ended by SIGKILL]\n' })
    const seconds = uniqueSeconds()
    const { status, stderr } = exec('--timeout', '500', '--', `sleep ${seconds} & sleep ${seconds}`)
    expect(status).toBe(124)
    expect(stderr).toContain('timed out after 500 ms')
    expect(processesWith(seconds)).toEqual([])
  })

  it('leaves no process behind, whatever the command left', () => {
    const seconds = uniqueSeconds()
    const { status, stdout } = exec('--', `sleep ${seconds} & setsid sleep ${seconds} & echo done`)
    expect([status, stdout, processesWith(seconds)]).toEqual([0, 'done\n', []])
  })

  it('ends the command when nobody reads what it prints any more, and does not call that a success', () => {
    const command = `${process.execPath} ${program} exec bash --config ${composition} -- 'yes; echo' | head -1; echo "\${PIPESTATUS[0]}"`
    const { stdout } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toBe('y\n141\n')
  })

  it('keeps 50 MB in a private file with every byte of it, and says how much it left out', () => {
    const { result } = json('--', 'yes 0123456789abcde | head -c 50000000') as unknown as {
      result: { stdout: { spillPath: string; totalBytes: number; omittedBytes: number; text: string; head: string } }
    }
    const { spillPath, totalBytes, omittedBytes, text, head } = result.stdout
    const whole = Buffer.alloc(50_000_000, '0123456789abcde\n')
    expect(totalBytes).toBe(whole.length)
    expect(omittedBytes).toBe(whole.length - text.length - head.length)
    expect(text.length + head.length).toBeLessThanOrEqual(64_000)
    expect(statSync(spillPath).mode & 0o777).toBe(0o600)
    expect(sha256(readFileSync(spillPath))).toBe(sha256(whole))
    rmSync(path.dirname(spillPath), { recursive: true })
  })

  it('runs where it is told, with further arguments', () => {
    expect(exec('--cwd', '/', '--', 'pwd').stdout).toBe('/\n')
    expect(exec('--', 'pwd').stdout).toBe(`${folder}\n`)
    expect(exec('--set', 'stdin=given', '--', 'cat').stdout).toBe('given')
  })

  it('runs nothing for a guest', () => {
    const file = path.join(folder, 'ran')
    const answer = exec('--json', '--as', 'chat:stranger', '--', `touch ${file}`)
    expect(answer.status).toBe(1)
    expect(JSON.parse(answer.stdout)).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } })
    expect(exec('--as', 'chat:stranger', '--', `touch ${file}`)).toMatchObject({ status: 1, stdout: '' })
    expect(existsSync(file)).toBe(false)
  })

  it.each([
    ['an unknown tool', ['exec', 'bsh', '--json', '--', 'x'], 'TOOL_NOT_FOUND'],
    ['a blank command', ['exec', 'bash', '--json', '--', '  '], 'INVALID_REQUEST'],
    ['an unknown argument', ['exec', 'bash', '--json', '--set', 'role=admin', '--', 'x'], 'INVALID_REQUEST'],
    ['a folder that is not there', ['exec', 'bash', '--json', '--cwd', '/nowhere', '--', 'x'], 'WORKDIR_UNUSABLE'],
    ['a principal that is none', ['exec', 'bash', '--json', '--as', 'root', '--', 'x'], 'INVALID_REQUEST'],
  ])('refuses %s with a code and exit 1', (_title, args, code) => {
    const { status, stdout } = run([...args.slice(0, 2), '--config', composition, ...args.slice(2)])
    expect([status, (JSON.parse(stdout) as { error: { code: string } }).error.code]).toEqual([1, code])
  })

  it('calls tools that are no shell', () => {
    expect(run(['exec', 'job_list', '--config', composition])).toEqual({
      status: 0,
      stdout: '(no background jobs)\n',
      stderr: '',
    })
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends everything and then itself on %s', async (signal) => {
    const seconds = uniqueSeconds()
    const child = spawn(process.execPath, [
      program,
      'exec',
      'bash',
      '--config',
      composition,
      '--',
      `setsid sleep ${seconds} & sleep ${seconds}`,
    ])
    const exit = new Promise((resolve) => child.once('exit', resolve))
    await until('it runs', () => processesWith(`sleep ${seconds}`).length >= 2)
    child.kill(signal)
    expect(await exit).toBe(128 + os.constants.signals[signal])
    expect(processesWith(seconds)).toEqual([])
  })
})

describe('tools', () => {
  it('shows nothing to a guest, and schemas to an admin', () => {
    const list = (...args: string[]) =>
      (
        JSON.parse(run(['tools', '--json', '--config', composition, ...args]).stdout) as {
          tools: { name: string; parameters: object }[]
        }
      ).tools
    expect(list('--as', 'chat:stranger')).toEqual([])
    const bash = list().find(({ name }) => name === 'bash')
    expect(bash?.parameters).toMatchObject({ type: 'object', required: ['command'] })
    expect(run(['tools', '--config', composition]).stdout).toContain('bash (essential)')
  })
})

describe('doctor', () => {
  it('tells what this machine has, and how to get what it lacks', () => {
    const { findings } = JSON.parse(run(['doctor', '--json']).stdout) as {
      findings: { name: string; status: string; detail: string; remedy?: string }[]
    }
    expect(findings.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['node', 'bash', 'pwsh', 'sandbox', 'launcher', 'cgroup', 'pty']),
    )
    expect(findings.find(({ name }) => name === 'bash')).toMatchObject({
      status: 'ok',
      detail: expect.stringContaining('bash') as string,
    })
    for (const { status, remedy } of findings) if (status !== 'ok') expect(remedy).toBeTruthy()
    expect(run(['doctor']).stdout).toContain('bash')
  })
})

describe('check', () => {
  it('finds the default composition valid', () => {
    expect(run(['check', composition])).toMatchObject({ status: 0, stderr: '' })
  })

  it.each([
    [
      'a misspelt field',
      '- name: dsh-bash-local\n  config:\n    timeoutMS: 5\n',
      /broken\.yml:3: entry "dsh-bash-local": config .*timeoutMS/,
    ],
    ['a missing module', '- name: dsh-no-such\n', /broken\.yml:1: entry "dsh-no-such": there is no module/],
    ['a tab', '- name: dsh-tools\n\tconfig: {}\n', /broken\.yml:2: .*[Tt]ab/],
  ])('names file, line and entry of %s', (_title, text, message) => {
    const { status, stderr } = run(['check', config('broken.yml', text)])
    expect(status).toBe(1)
    expect(stderr).toMatch(message)
  })
})

describe('a composition that cannot work', () => {
  it.each([
    [
      'two shells',
      '- name: dsh-subprocess-local\n- name: dsh-bash-local\n- {id: again, name: dsh-bash-local}\n',
      /entry "again" .*provides "shell"/,
    ],
    [
      'a shell without a runtime',
      '- name: dsh-bash-local\n',
      /waits for "subprocess", which no entry provides; add dsh-subprocess-local/,
    ],
  ])('is one clear error and exit 1: %s', (_title, text, message) => {
    const { status, stdout, stderr } = run(['tools', '--config', config('wrong.yml', text)])
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })

  it("loads the documents' example, scope and all", () => {
    const text =
      "plugins:\n  '@deepseek-ai/dsh-subprocess-local': {}\n  '@deepseek-ai/dsh-bash-local':\n    config:\n      cwd: /\n      timeoutMs: 120000\n"
    expect(run(['check', config('documented.yml', text)])).toMatchObject({ status: 0 })
  })

  it('without a file says so', () => {
    expect(run(['tools', '--config', '/nowhere/cordis.yml'])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be read') as string,
    })
  })
})

describe('prompt', () => {
  it('runs lines one after the other and leaves at their end with the last exit code', () => {
    const { status, stdout, stderr } = run(['prompt', '--config', composition], 'echo one\n\necho two >&2\nexit 4\n')
    expect([status, stdout, stderr]).toEqual([4, 'one\n', 'two\n'])
  })
})

describe('usage', () => {
  it('explains itself, and refuses what it does not know with exit 2', () => {
    expect(run(['--help'])).toMatchObject({ status: 0, stdout: expect.stringContaining('exec') as string })
    expect(run(['exec', 'bash', '--bogus'])).toMatchObject({ status: 2 })
    expect(run(['frobnicate'])).toMatchObject({ status: 2 })
  })
})

function sha256(data: Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}
