import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { openDescriptors, processesWith, uniqueSeconds, zombies } from 'dsh-contracts/outside'
import { canUse } from 'dsh-contracts/require'
import { until } from 'dsh-contracts/until'
import { describe, expect, it } from 'vitest'
import { bash, host, tempFolder } from '../bash.ts'

const canLimit = canUse('prlimit', ['prlimit', '--version'])

describe('PERF-2: at the limit of the system', () => {
  it.runIf(canLimit)('of open files, each command runs or is refused by name, and the next one works', async () => {
    const { exit } = host(
      `
      const { execFileSync } = await import('node:child_process')
      await run('true')
      execFileSync('prlimit', ['--nofile=60:60', '--pid', String(process.pid)])
      const outcomes = await Promise.all(Array.from({ length: 60 }, () =>
        run('sleep 1.5; echo ok').then(({ stdout }) => stdout.text, (error) => error.code + ' ' + error.details.errno)))
      const after = await run('echo after')
      say({ kinds: [...new Set(outcomes)].sort(), after: after.stdout.text })
      await ctx.fiber.dispose()
      `,
    )
    const { stdout, stderr, code } = await exit
    expect([code, stderr]).toEqual([0, ''])
    const seen = JSON.parse(stdout) as { kinds: string[]; after: string }
    expect(seen.kinds).toEqual(['SPAWN_FAILED EMFILE', 'ok\n'])
    expect(seen.after).toBe('after\n')
  })

  it.runIf(canLimit)('of processes, each command is refused by name, and works again afterwards', async () => {
    // The limit does not bind the superuser: another user runs the host.
    const isRoot = process.getuid?.() === 0
    const asUser = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    const { exit } = host(
      `
      const { execFileSync } = await import('node:child_process')
      const ready = await run('echo ready')
      execFileSync('prlimit', ['--nproc=1:4000', '--pid', String(process.pid)])
      const refused = await run('true').catch((error) => error.code + ' ' + error.details.errno)
      say([ready.stdout.text, refused])
      process.exit()
      `,
      { HOME: tempFolder() },
      asUser,
    )
    const { stdout } = await exit
    expect(JSON.parse(stdout)).toEqual(['ready\n', 'SPAWN_FAILED EAGAIN'])
  })
})

describe('PERF-6: without helper programs', () => {
  it('trees are ended although PATH has neither ps nor pgrep nor pkill', async () => {
    const folder = tempFolder()
    for (const program of ['bash', 'sleep']) {
      fs.symlinkSync(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(), path.join(folder, program))
    }
    const { run } = await bash()
    const [one, two] = [uniqueSeconds(), uniqueSeconds()]
    const result = await run(`sleep ${one} & sleep ${two} & wait`, { timeoutMs: 300, env: { PATH: folder } })
    expect(result.timedOut).toBe(true)
    expect([...processesWith(one), ...processesWith(two)]).toEqual([])
  })

  it('nothing that a command puts on its PATH is run by the host', async () => {
    const folder = tempFolder()
    const trap = path.join(folder, 'trapped')
    for (const name of ['ps', 'pgrep', 'pkill', 'kill', 'grep', 'tr', 'sh', 'taskkill']) {
      fs.writeFileSync(path.join(folder, name), `#!/bin/bash\necho ${name} >>${trap}\n`, { mode: 0o755 })
    }
    const { run, dispose } = await bash()
    await run(`sleep ${uniqueSeconds()} & wait`, { timeoutMs: 200, env: { PATH: `${folder}:${process.env['PATH']}` } })
    await dispose()
    expect(fs.existsSync(trap)).toBe(false)
  })
})

describe('after many commands', () => {
  it('nothing is left: no descriptor, zombie, timer, file or listener', async () => {
    const { run, dispose } = await bash()
    await run('true')
    const listeners = process.listenerCount('SIGCHLD') + process.listenerCount('exit')
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const [descriptors, before] = [openDescriptors().length, timers()]
    for (let round = 0; round < 20; round++) await Promise.all(Array.from({ length: 25 }, () => run('echo x')))
    await until('timers are gone', () => timers() <= before + 1)
    expect(process.listenerCount('SIGCHLD') + process.listenerCount('exit')).toBe(listeners)
    await until('descriptors are closed', () => openDescriptors().length <= descriptors)
    await dispose()
    expect(zombies()).toEqual([])
  })
})
