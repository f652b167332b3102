import { expect, it } from 'vitest'
import { ROLES, type Role, roleAtLeast } from '../src/index.ts'

it('orders roles as guest < user < admin', () => {
  const allowed: Record<Role, Role[]> = { guest: ['guest'], user: ['guest', 'user'], admin: ['guest', 'user', 'admin'] }
  for (const role of ROLES) expect(ROLES.filter((minimum) => roleAtLeast(role, minimum))).toEqual(allowed[role])
})
