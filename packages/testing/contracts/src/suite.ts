import { it } from 'vitest'

/** Obligations that a provider cannot meet, by title, each with the reason. */
export type Skips = Readonly<Record<string, string>>

/** An `it` that leaves out what the provider named, and complains about names that no obligation has. */
export function obligations(skip: Skips = {}): {
  must: (title: string, test: () => Promise<void>) => void
  end: () => void
} {
  const unused = new Set(Object.keys(skip))
  return {
    must(title, test) {
      const reason = skip[title]
      unused.delete(title)
      if (reason === undefined) it(title, test)
      else it.skip(`${title} (${reason})`, test)
    },
    end: () => {
      if (unused.size > 0) throw new Error(`no obligation is called: ${[...unused].join('; ')}`)
    },
  }
}
