import { ShellError } from 'dsh-errors'
import { PRINCIPAL_PATTERN, type Principal } from 'dsh-permission'

/** Whoever sits at the command line. A rule in cordis.yml makes it an admin, or does not. */
export const LOCAL_OPERATOR = 'cli:local'

/**
 * `platform:user`, or `platform:user@platform:group` for somebody who speaks in a group chat.
 * @throws ShellError INVALID_REQUEST.
 */
export function parsePrincipal(text: string): Principal {
  const [id = '', group, ...rest] = text.split('@')
  const valid = [id, ...(group === undefined ? [] : [group])].every((part) => PRINCIPAL_PATTERN.test(part))
  if (!valid || rest.length > 0) {
    throw new ShellError(
      'INVALID_REQUEST',
      `Principal "${text}": write platform:user, or platform:user@platform:group.`,
    )
  }
  return group === undefined ? { id } : { id, group }
}
