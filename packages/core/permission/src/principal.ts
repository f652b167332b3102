/** Who asks: an account of a platform, and where the conversation takes place. */
export interface Principal {
  /** `platform:user`, for example `cli:local` or `telegram:4711`. */
  readonly id: string
  /** The conversation's id, as the host names it. */
  readonly stream?: string
  /** `platform:group` when the conversation is a group chat. */
  readonly group?: string
}

/** `platform:name`, both parts non-empty; the name itself may hold colons. */
export const PRINCIPAL_PATTERN = /^[^\s:]+:\S+$/

/** A copy with the fields that were given, that nobody can change, and in which no prototype can put a group. */
export function ownPrincipal(principal: Principal): Principal {
  return Object.freeze(Object.assign(Object.create(null) as object, principal)) as Principal
}

export function isSamePrincipal(a: Principal, b: Principal): boolean {
  const [one, other] = [ownPrincipal(a), ownPrincipal(b)]
  return one.id === other.id && one.group === other.group && one.stream === other.stream
}
