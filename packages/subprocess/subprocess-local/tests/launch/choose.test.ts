import { mount, plug } from 'dsh-contracts/mount'
import { describe, expect, it } from 'vitest'
import { LocalSubprocessRuntime } from '../../src/index.ts'
import { chooseLauncher } from '../../src/launch/choose.ts'
import { outcomeOf } from '../../src/launch/reaper.ts'

const broken = (): never => {
  throw new Error('Cannot find module koffi')
}

describe('chooseLauncher', () => {
  it.runIf(process.platform === 'linux')('takes posix-spawn on Linux', async () => {
    const chosen = await chooseLauncher('auto')
    expect([chosen.launcher.name, chosen.limitation]).toEqual(['posix-spawn', undefined])
    await chosen.dispose()
  })

  it('takes execa with a reason where koffi cannot be loaded', async () => {
    const chosen = await chooseLauncher('auto', 'linux', broken)
    expect([chosen.launcher.name, chosen.limitation]).toEqual([
      'execa',
      'koffi cannot be used: Cannot find module koffi',
    ])
  })

  it.each(['darwin', 'win32', 'freebsd'] as const)(
    'takes execa on %s, where there is nothing to be warned of',
    async (platform) => {
      const chosen = await chooseLauncher('auto', platform, broken)
      expect([chosen.launcher.name, chosen.limitation]).toEqual(['execa', undefined])
    },
  )

  it('takes execa when asked to, and refuses a posix-spawn that was asked for and does not work', async () => {
    expect((await chooseLauncher('execa', 'linux', broken)).launcher.name).toBe('execa')
    await expect(chooseLauncher('posix-spawn', 'linux', broken)).rejects.toThrowError(/does not work here: koffi/)
    await expect(chooseLauncher('posix-spawn', 'win32', broken)).rejects.toThrowError(
      /does not work here: it is for Linux/,
    )
  })
})

describe('outcomeOf', () => {
  it('reads a status as wait(2) encodes it', () => {
    expect(outcomeOf(0)).toEqual({ exitCode: 0 })
    expect(outcomeOf(7 << 8)).toEqual({ exitCode: 7 })
    expect(outcomeOf(255 << 8)).toEqual({ exitCode: 255 })
    expect(outcomeOf(9)).toEqual({ exitCode: 137, signal: 'SIGKILL' })
    expect(outcomeOf(11 | 0x80)).toEqual({ exitCode: 139, signal: 'SIGSEGV' })
  })
})

describe('the runtime', () => {
  it('starts nothing any more when it has ended', async () => {
    const mounted = await mount((ctx) => plug(ctx, LocalSubprocessRuntime, {}))
    const { subprocess } = mounted.ctx
    await mounted.dispose()
    const spec = {
      argv: ['true'],
      cwd: '/',
      graceMs: 0,
      stdio: { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
    } as const
    expect(() => subprocess.spawn(spec)).toThrowError(expect.objectContaining({ code: 'SPAWN_FAILED' }) as Error)
  })
})
