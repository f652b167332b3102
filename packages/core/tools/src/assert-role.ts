import { ShellError } from 'dsh-errors'
import { type Role, roleAtLeast } from 'dsh-permission'

/** The comparison that every gate makes. @throws ShellError PERMISSION_DENIED. */
export function assertRole(tool: string, role: Role, minRole: Role): void {
  if (roleAtLeast(role, minRole)) return
  throw new ShellError('PERMISSION_DENIED', `Tool "${tool}" needs the role ${minRole}; the caller is ${role}.`)
}
