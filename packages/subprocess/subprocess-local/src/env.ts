import { type ScrubOptions, scrubbedParentEnv } from 'dsh-subprocess'

/**
 * The environment of a child: the scrubbed one of this process with `extra` over it. On Windows, where `Path` and `PATH`
 * are one variable, exactly one spelling is left and the value of `extra` wins.
 */
export function childEnv(
  extra: Readonly<Record<string, string>> = {},
  scrub: ScrubOptions = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  return mergeEnv(scrubbedParentEnv(scrub), extra, platform)
}

/** Merges in place where names are what they look like. */
export function mergeEnv(
  base: Record<string, string>,
  extra: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Record<string, string> {
  if (platform !== 'win32') return Object.assign(base, extra)
  const merged = new Map<string, [string, string]>()
  for (const [name, value] of [...Object.entries(base), ...Object.entries(extra)]) {
    merged.set(name.toUpperCase(), [merged.get(name.toUpperCase())?.[0] ?? name, value])
  }
  return Object.fromEntries(merged.values())
}
