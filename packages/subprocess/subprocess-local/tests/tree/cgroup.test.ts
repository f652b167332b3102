import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { until } from 'dsh-contracts/until'
import { afterEach, describe, expect, it } from 'vitest'
import { hostId, isHostAlive } from '../../src/host-id.ts'
import { CgroupFolder, findCgroup, probeCgroup } from '../../src/tree/cgroup.ts'

const MOUNTS = `22 1 0:20 / /proc rw - proc proc rw
30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate`

describe('findCgroup', () => {
  it.each([
    ['0::/user.slice/app.scope', MOUNTS, '/sys/fs/cgroup/user.slice/app.scope'],
    ['12:cpu:/x\n0::/', MOUNTS.replace('/sys/fs/cgroup ', '/sys/fs/cgroup/unified '), '/sys/fs/cgroup/unified'],
    ['0::/docker/1/a', MOUNTS.replace('0:26 / ', '0:26 /docker/1 '), '/sys/fs/cgroup/a'],
    ['0::/a', MOUNTS.replace('/sys/fs/cgroup ', String.raw`/mnt/a\040b `), '/mnt/a b/a'],
    ['0::/docker/12', MOUNTS.replace('0:26 / ', '0:26 /docker/1 '), undefined],
    ['0::/../other', MOUNTS, undefined],
    ['3:memory:/x', MOUNTS, undefined],
    ['0::/a', 'no such mount', undefined],
    ['', '', undefined],
  ])('finds the folder of %s', (membership, mounts, folder) => {
    expect(findCgroup(membership, mounts)).toBe(folder)
  })
})

describe('a host', () => {
  it('is told from one that is gone, and from one of which nobody can tell', () => {
    const [pid, start, namespace] = hostId().split('-')
    expect(isHostAlive(hostId())).toBe(true)
    expect(isHostAlive(`${pid}-1${start}-${namespace}`)).toBe(false)
    expect(isHostAlive(`4194304-${start}-${namespace}`)).toBe(false)
    expect(isHostAlive(`${pid}-1${start}-1${namespace}`)).toBe(true)
    expect(isHostAlive('lost+found')).toBe(false)
  })
})

// Without a cgroup that may be written there is nothing to test here; the other marks have tests of their own.
const canMake = probeCgroup() !== undefined

describe.runIf(canMake)('a folder of cgroups', () => {
  const clean: (() => unknown)[] = []
  afterEach(() => {
    for (const end of clean.splice(0).toReversed()) end()
  })

  function open(host: string): CgroupFolder {
    const folder = CgroupFolder.open(host)
    if (!folder) throw new Error('no cgroup can be made')
    clean.push(() => folder.dispose())
    return folder
  }

  function sleeper(): number {
    const child = spawn('sleep', ['60'])
    clean.push(() => child.kill('SIGKILL'))
    return child.pid ?? 0
  }

  const stillHere = (pid: number): boolean => fs.existsSync(`/proc/${pid}/exe`)

  it('holds a process, ends it, and takes the next one when that is gone', async () => {
    const folder = open(`${hostId()}-a`)
    for (let round = 0; round < 2; round++) {
      const cgroup = folder.take()
      const pid = sleeper()
      cgroup?.add(pid)
      await until('it is in', () => cgroup?.pids().length === 1)
      expect(cgroup?.pids()).toEqual([pid])
      cgroup?.kill()
      await until('it is gone', () => !stillHere(pid))
      cgroup?.onLeaderExit()
      cgroup?.release()
      expect(fs.readdirSync(folder.path).filter((name) => /^\d+$/.test(name))).toEqual(['1'])
    }
    folder.dispose()
    expect(fs.existsSync(folder.path)).toBe(false)
  })

  it('touches nobody who was given the number of a leader that is gone', async () => {
    const folder = open(`${hostId()}-b`)
    const cgroup = folder.take()
    const pid = sleeper()
    cgroup?.add(pid)
    cgroup?.onLeaderExit()
    const home = fs.readFileSync('/proc/self/cgroup', 'utf8')
    await until('it has been put back', () => fs.readFileSync(`/proc/${pid}/cgroup`, 'utf8') === home)
    cgroup?.kill()
    expect(cgroup?.pids()).toEqual([])
    expect(stillHere(pid)).toBe(true)
  })

  it('ends what a dead host has left, and leaves alone what a living one has', async () => {
    const [pid, start, namespace] = hostId().split('-')
    const living = open(`${hostId()}-c`)
    const dead = open(`${pid}-1${start}-${namespace}`)
    const members = [dead, living].map((folder) => {
      const cgroup = folder.take()
      const member = sleeper()
      cgroup?.add(member)
      return { cgroup, member }
    })
    await until('they are in', () => members.every(({ cgroup }) => cgroup?.pids().length === 1))
    open(`${hostId()}-d`)
    await until('it is gone', () => members.every(({ member }, index) => stillHere(member) === (index === 1)))
    open(`${hostId()}-e`)
    expect(fs.existsSync(dead.path)).toBe(false)
    expect(fs.existsSync(living.path)).toBe(true)
  })

  it('is not made where none may be', () => {
    expect(CgroupFolder.open('x', path.join('/proc', 'none'))).toBeUndefined()
    expect(CgroupFolder.open('x', '/proc/self')).toBeUndefined()
  })
})
