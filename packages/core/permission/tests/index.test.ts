import { setTimeout as sleep } from 'node:timers/promises'
import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import { afterEach, describe, expect, it } from 'vitest'
import { PermissionConfig, PermissionService, type Principal, type Role } from '../src/index.ts'
import { resolveRole } from '../src/resolve.ts'

const rules = PermissionConfig.parse({
  admins: ['cli:local', 'chat:boss'],
  users: ['chat:anna'],
  adminGroups: ['chat:ops'],
  userGroups: ['chat:team'],
})

describe('resolveRole', () => {
  const cases: [string, Principal | undefined, Role][] = [
    ['nobody is a guest', undefined, 'guest'],
    ['somebody whom no rule names is a guest', { id: 'chat:stranger' }, 'guest'],
    ['a listed admin is an admin', { id: 'cli:local' }, 'admin'],
    ['a listed admin with a conversation of its own is an admin', { id: 'chat:boss', stream: 's1' }, 'admin'],
    ['a listed user is a user', { id: 'chat:anna' }, 'user'],
    ['a stranger in a user group is a user', { id: 'chat:stranger', group: 'chat:team' }, 'user'],
    ['a stranger in an admin group is an admin', { id: 'chat:stranger', group: 'chat:ops' }, 'admin'],
    ['a user in an admin group is an admin', { id: 'chat:anna', group: 'chat:ops' }, 'admin'],
    ['a listed admin in a group chat is a user', { id: 'chat:boss', group: 'chat:other' }, 'user'],
    ['a listed admin in a user group is a user', { id: 'chat:boss', group: 'chat:team' }, 'user'],
    ['a listed admin in an admin group is an admin', { id: 'chat:boss', group: 'chat:ops' }, 'admin'],
    ['a listed user in another group stays a user', { id: 'chat:anna', group: 'chat:other' }, 'user'],
    ['the same user on another platform is a guest', { id: 'mail:anna' }, 'guest'],
    ['names are compared whole', { id: 'chat:annabel' }, 'guest'],
    ['a stream is no group', { id: 'chat:stranger', stream: 'chat:ops' }, 'guest'],
  ]
  it.each(cases)('%s', (_title, principal, role) => {
    expect(resolveRole(principal, rules)).toBe(role)
  })

  it('lets an admin keep the role in group chats when the operator says so', () => {
    const open = { ...rules, adminInGroupChats: true }
    expect(resolveRole({ id: 'chat:boss', group: 'chat:other' }, open)).toBe('admin')
    expect(resolveRole({ id: 'chat:stranger', group: 'chat:other' }, open)).toBe('guest')
  })

  it('refuses rules that name no platform, and rules that do not exist', () => {
    expect(PermissionConfig.safeParse({ admins: ['local'] }).success).toBe(false)
    expect(PermissionConfig.safeParse({ administrators: [] }).success).toBe(false)
  })
})

describe('PermissionService', () => {
  let mounted: Mounted
  afterEach(() => mounted.dispose())
  const start = async (): Promise<PermissionService> => {
    mounted = await mount((ctx) => plug(ctx, PermissionService, { admins: ['cli:local'], users: ['chat:anna'] }))
    return mounted.ctx.permission
  }

  it('knows nobody outside of runAs', async () => {
    const permission = await start()
    expect(permission.current()).toBeUndefined()
    expect(permission.role()).toBe('guest')
  })

  it('keeps concurrent principals apart, across awaits', async () => {
    const permission = await start()
    const as = (id: string) =>
      permission.runAs({ id }, async () => {
        await sleep(1)
        await Promise.resolve()
        return [permission.current()?.id, permission.role()]
      })
    expect(await Promise.all([as('cli:local'), as('chat:anna'), as('chat:x')])).toEqual([
      ['cli:local', 'admin'],
      ['chat:anna', 'user'],
      ['chat:x', 'guest'],
    ])
    expect(permission.current()).toBeUndefined()
  })

  it('gives out a principal that nobody can change', async () => {
    const permission = await start()
    const principal = { id: 'chat:x' }
    permission.runAs(principal, () => {
      principal.id = 'cli:local'
      expect(permission.role()).toBe('guest')
      expect(() => Object.assign(permission.current() ?? {}, { id: 'cli:local' })).toThrow(TypeError)
    })
  })

  it('follows a change of the rules at once, without a restart', async () => {
    const permission = await start()
    const [runtime] = [...mounted.ctx.registry.values()].filter((r) => r.callback === PermissionService)
    const [fiber] = [...(runtime?.fibers ?? [])]
    await permission.runAs({ id: 'cli:local' }, async () => {
      expect(permission.role()).toBe('admin')
      await fiber?.update(PermissionConfig.parse({}))
      expect(permission.role()).toBe('guest')
    })
  })
})
