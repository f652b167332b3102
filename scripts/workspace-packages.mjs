import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Every package: `{ folder, manifest }`, folder relative to the root; packages first, then examples. */
export function workspacePackages() {
  const families = readdirSync(path.join(root, 'packages'))
    .toSorted()
    .map((family) => path.join('packages', family))
  return [...families, 'examples']
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder))
        .toSorted()
        .map((name) => path.join(folder, name)),
    )
    .filter((folder) => existsSync(path.join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) }))
}
