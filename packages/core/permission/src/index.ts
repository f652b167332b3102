import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, Service } from 'cordis'
import { PermissionConfig } from './config.ts'
import type { Principal } from './principal.ts'
import { resolveRole } from './resolve.ts'
import type { Role } from './role.ts'

export { PermissionConfig } from './config.ts'
export { PRINCIPAL_PATTERN, type Principal } from './principal.ts'
export { ROLES, type Role, roleAtLeast } from './role.ts'

declare module 'cordis' {
  interface Context {
    permission: PermissionService
  }
}

/** Provider of `ctx.permission`: who acts, and as what. A tool argument can never reach either. */
export class PermissionService extends Service {
  static Config = PermissionConfig
  private rules: PermissionConfig
  private readonly storage = new AsyncLocalStorage<Principal>()

  constructor(ctx: Context, config: PermissionConfig) {
    super(ctx, 'permission')
    this.rules = config
    ctx.on('internal/update', (next: PermissionConfig) => {
      this.rules = next
    })
  }

  /** Runs `action`, and all that it awaits, as `principal`. The one way to set who acts: for the host alone. */
  runAs<T>(principal: Principal, action: () => T): T {
    return this.storage.run(Object.freeze({ ...principal }), action)
  }

  /** Who acts in the current asynchronous context; undefined outside {@link runAs}. */
  current(): Principal | undefined {
    return this.storage.getStore()
  }

  /** The role of `principal` under the rules of this moment. Nobody is guest. */
  roleOf(principal: Principal | undefined): Role {
    return resolveRole(principal, this.rules)
  }

  /** The role of whoever acts now, read anew at each call. */
  role(): Role {
    return this.roleOf(this.current())
  }
}

export default PermissionService
