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
