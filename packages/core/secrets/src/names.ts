/** Names that say of themselves that they hold a secret. */
export const SENSITIVE_ENV_PATTERN = /KEY|PASSWORD|SECRET|TOKEN/i

/** Further names of secrets, which the documented pattern does not catch. */
const MORE_SENSITIVE = /PASSWD|PASSPHRASE|[^_]_(PASS|PWD)$/i

/** Words that hold a sensitive one by accident. `MONKEY` is no key. */
const INNOCENT =
  /MONKEY|DONKEY|TURKEY|HOCKEY|JOCKEY|WHISKEY|KEYBOARD|KEYMAP|KEYCODE|KEYSYM|KEYWORD|KEYNOTE|HOTKEY|TOKENIZ(ERS?|ATION|ED?)/gi

export function isCredentialName(name: string): boolean {
  const rest = name.replace(INNOCENT, '')
  return SENSITIVE_ENV_PATTERN.test(rest) || MORE_SENSITIVE.test(rest)
}
