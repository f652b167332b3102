/** One plugin of a composition, and where it was written. */
export interface ConfigEntry {
  readonly id: string
  /** Module to import: a package, or a path that begins with a dot or is absolute. */
  readonly name: string
  readonly config: unknown
  readonly disabled: boolean
  /** Services that this entry sees or provides in a realm of its own; as the loader has it. */
  readonly isolate?: Readonly<Record<string, true | string>>
  /** `file:line` of the entry, or of a place inside its config. */
  where(path?: readonly PropertyKey[]): string
}

/** How a message names an entry. */
export function describeEntry({ id, name }: ConfigEntry): string {
  return id === name ? `entry "${id}"` : `entry "${id}" (${name})`
}
