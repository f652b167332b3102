/** From least to most: each role may do all that the ones before it may. */
export const ROLES = ['guest', 'user', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** True when `role` may do what `minimum` is asked for. What is no role may do nothing, and lets nobody in. */
export function roleAtLeast(role: Role, minimum: Role): boolean {
  const needed = ROLES.indexOf(minimum)
  return needed >= 0 && ROLES.indexOf(role) >= needed
}
