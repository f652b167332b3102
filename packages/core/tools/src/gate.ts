import { ShellError } from 'dsh-errors'
import { type Role, roleAtLeast } from 'dsh-permission'

/** Where a call was refused: when tools are listed, when one is called, in the tool itself, or as a sub-agent's. */
export type Gate = 'listing' | 'execution' | 'handler' | 'sub-agent'

/**
 * The comparison that every gate makes.
 * @throws ShellError PERMISSION_DENIED with `details.gate`.
 */
export function assertRole(tool: string, role: Role, minRole: Role, gate: Gate = 'handler'): void {
  if (roleAtLeast(role, minRole)) return
  const details = { gate, tool, role, minRole }
  throw new ShellError('PERMISSION_DENIED', `Tool "${tool}" needs the role ${minRole}; the caller is ${role}.`, details)
}

/** The gate that refused, as the error says. */
export function gateOf(error: unknown): Gate | undefined {
  return ShellError.is(error, 'PERMISSION_DENIED') ? (error.details['gate'] as Gate | undefined) : undefined
}
