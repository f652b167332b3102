import type { Context } from 'cordis'
import { ShellError } from 'dsh-errors'

/**
 * A service that a command of this program needs.
 * @throws ShellError BOOT_FAILED when the composition has none.
 */
export function need<Name extends string & keyof Context>(
  ctx: Context,
  name: Name,
  packageName: string,
): Context[Name] {
  const service = ctx.get(name)
  if (service !== undefined) return service
  throw new ShellError('BOOT_FAILED', `The composition provides no "${name}": add ${packageName} to cordis.yml.`)
}
