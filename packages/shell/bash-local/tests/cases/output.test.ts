import fs from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { bash, setEnv, tempFolder } from '../bash.ts'

describe('floods', () => {
  it.each(['stdout', 'stderr'] as const)('OUT-1: 1.2 GB on %s are counted and bounded', async (stream) => {
    const { run } = await bash({ maxSpillBytes: 1_000_000 })
    const before = process.memoryUsage().rss
    const result = await run(`head -c 1200000000 /dev/zero | tr '\\0' x ${stream === 'stderr' ? '>&2' : ''}`)
    const output = result[stream]
    expect([result.exitCode, output.totalBytes, output.spilledBytes]).toEqual([0, 1_200_000_000, 1_000_000])
    expect(output.text.length + (output.head ?? '').length).toBeLessThanOrEqual(64_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000)
  })

  it.each(['yes aaaaaaaaaaaaaaaaaaaaaaaa', "while :; do read -r -p 'token? ' t || true; echo 'invalid input!'; done"])(
    'OUT-2: the deadline of %s is kept, and the event loop stays free',
    async (command) => {
      const { run } = await bash()
      const delay = monitorEventLoopDelay({ resolution: 10 })
      delay.enable()
      const result = await run(command, { timeoutMs: 1000 })
      delay.disable()
      expect(result.timedOut).toBe(true)
      expect(result.stdout.totalBytes + result.stderr.totalBytes).toBeGreaterThan(1000)
      // A mean, not a maximum: one busy moment of the machine is not the host's.
      expect(delay.mean / 1e6).toBeLessThan(200)
    },
  )

  it('OUT-12: what a program leaves behind at its exit arrives, as far as a large pipe holds it', async () => {
    const { run } = await bash()
    const { stdout } = await run("node -e 'process.stdout.write(Buffer.alloc(3<<20,65));process.exit(0)'")
    expect(stdout.totalBytes).toBeGreaterThanOrEqual(1 << 20)
    expect(stdout.text).toMatch(/^A+$/)
  })
})

describe('characters', () => {
  it('OUT-4: are whole, in the result and in every piece, on both streams at once', async () => {
    const { run } = await bash()
    const pieces: string[] = []
    const result = await run(
      "printf '\\xe4'; printf '\\xf0\\x9f' >&2; sleep 0.1; printf '\\xb8\\x96\\n'; printf '\\x98\\x80\\n' >&2",
      { onOutput: (stream, text) => void pieces.push(`${stream}:${text}`) },
    )
    expect([result.stdout.text, result.stderr.text]).toEqual(['世\n', '😀\n'])
    expect(pieces.join('')).not.toContain('\ufffd')
    expect(pieces.filter((piece) => !piece.endsWith(':')).toSorted()).toEqual(['stderr:😀\n', 'stdout:世\n'])
  })

  it('OUT-4: that never end are one mark', async () => {
    const { run } = await bash()
    expect((await run("printf 'a\\xe4'")).stdout.text).toBe('a\ufffd')
  })

  it('OUT-6: of the locale are read as such, and UTF-8 wins whenever it is valid', async () => {
    const { run } = await bash()
    const env = { LC_ALL: 'zh_CN.GBK' }
    expect((await run("printf '\\xd6\\xd0\\xb9\\xfa\\n'", { env })).stdout).toMatchObject({
      text: '中国\n',
      encoding: 'gbk',
    })
    expect((await run("printf '\\xe4\\xb8\\xad\\n'", { env })).stdout).toMatchObject({
      text: '中\n',
      encoding: 'utf-8',
    })
  })

  it('OUT-6: of a locale that is unknown, or of an old code page, never fail', async () => {
    const { run } = await bash()
    const printed = "printf 'caf\\x82\\n'"
    expect((await run(printed, { env: { LC_ALL: 'xx_XX.IBM437' } })).stdout.text).toBe('café\n')
    expect((await run(printed, { env: { LC_ALL: 'xx_XX.NOSUCH' } })).stdout.text).toBe('caf\ufffd\n')
  })

  it('are those of the host’s locale unless the command has its own', async () => {
    setEnv({ LC_ALL: 'zh_TW.BIG5' })
    const { run } = await bash()
    expect((await run("printf '\\xa4\\xa4\\n'")).stdout).toMatchObject({ text: '中\n', encoding: 'big5' })
  })
})

describe('both streams', () => {
  it('OUT-10: stand apart, and together in the order in which they came', async () => {
    const { run } = await bash()
    const result = await run('for i in 1 2 3; do echo o$i; sleep 0.03; echo e$i >&2; sleep 0.03; done; exit 1')
    expect(result.combined).toBe('o1\ne1\no2\ne2\no3\ne3\n')
    expect([result.stdout.text, result.stderr.text, result.exitCode]).toEqual(['o1\no2\no3\n', 'e1\ne2\ne3\n', 1])
  })

  it('OUT-10: are in exact order where the command merges them itself', async () => {
    const { run } = await bash()
    const lines = Array.from({ length: 200 }, (_, index) => `${index % 2 ? 'e' : 'o'}${index}\n`).join('')
    const command = 'for ((i = 0; i < 200; i += 2)); do echo o$i; echo e$((i + 1)) >&2; done 2>&1'
    for (let round = 0; round < 5; round++) expect((await run(command)).stdout.text).toBe(lines)
  })
})

describe('a place for the full output', () => {
  it.each([
    ['is full', '/dev/full/x'],
    ['is missing and cannot be made', '/proc/nowhere'],
  ])('that %s costs the file, not the command, and the result says so', async (_title, spillDir) => {
    const { run } = await bash({ maxOutputBytes: 1000 }, { spillDir })
    const { exitCode, stdout } = await run('seq 1 10000')
    expect([exitCode, stdout.totalBytes, stdout.spillPath]).toEqual([0, 48_894, undefined])
    expect(stdout.spillError).toBeTruthy()
  })

  it('that fills up while the command runs costs the file alone', async () => {
    const folder = tempFolder()
    const { run } = await bash({ maxOutputBytes: 1000 }, { spillDir: folder })
    fs.chmodSync(folder, 0o755)
    expect((await run('seq 1 10000')).stdout.spillError).toContain('private directory')
  })
})
