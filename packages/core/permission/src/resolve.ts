import type { PermissionConfig } from './config.ts'
import { ownPrincipal, type Principal } from './principal.ts'
import type { Role } from './role.ts'

/**
 * The role of a principal under these rules; the strongest that applies. Unknown is guest.
 *
 * An admin who speaks in a group chat is an admin there only with `adminInGroupChats` (the others in the group put text
 * before the same agent) or where the group itself is an admin group; otherwise a user.
 */
export function resolveRole(principal: Principal | undefined, rules: PermissionConfig): Role {
  if (!principal) return 'guest'
  const { id, group } = ownPrincipal(principal)
  const listedAdmin = rules.admins.includes(id)
  if (group !== undefined && rules.adminGroups.includes(group)) return 'admin'
  if (listedAdmin && (group === undefined || rules.adminInGroupChats)) return 'admin'
  if (listedAdmin || rules.users.includes(id)) return 'user'
  if (group !== undefined && rules.userGroups.includes(group)) return 'user'
  return 'guest'
}
