import { type Context, Service } from 'cordis'
import { type LiveConfig, liveConfig } from 'dsh-live-config'
import { ActingPrincipal } from './acting.ts'
import { PermissionConfig } from './config.ts'
import type { Principal } from './principal.ts'
import { resolveRole } from './resolve.ts'
import type { Role } from './role.ts'

export { PermissionConfig } from './config.ts'
export { ownPrincipal, PRINCIPAL_PATTERN, type Principal } from './principal.ts'
export { ROLES, type Role, roleAtLeast } from './role.ts'

declare module 'cordis' {
  interface Context {
    permission: PermissionService
  }
}

/** Provider of `ctx.permission`: who acts, and as what. A tool argument can never reach either. */
export class PermissionService extends Service {
  static Config = PermissionConfig
  private readonly rules: LiveConfig<PermissionConfig>
  private readonly acting = new ActingPrincipal()

  constructor(ctx: Context, config: PermissionConfig) {
    super(ctx, 'permission')
    this.rules = liveConfig(ctx, config)
  }

  /**
   * Runs `action`, and all that it awaits, as `principal`, until what it returns settles: a promise that an action leaves
   * behind acts for nobody. The one way to set who acts.
   * @throws ShellError PERMISSION_DENIED inside an action for somebody else, or for one that has ended.
   */
  runAs<T>(principal: Principal, action: () => T): T {
    return this.acting.run(principal, action)
  }

  /** Who acts in the current asynchronous context; undefined outside {@link runAs}. */
  current(): Principal | undefined {
    return this.acting.current()
  }

  /** The role of `principal` under the rules of this moment. Nobody is guest. */
  roleOf(principal: Principal | undefined): Role {
    return resolveRole(principal, this.rules.current)
  }

  /** The role of whoever acts now, read anew at each call. */
  role(): Role {
    return this.roleOf(this.current())
  }
}

export default PermissionService
