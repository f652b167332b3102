/** From least to most: each role may do all that the ones before it may. */
export const ROLES = ['guest', 'user', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** True when `role` may do what `minimum` is asked for. */
export function roleAtLeast(role: Role, minimum: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(minimum)
}
