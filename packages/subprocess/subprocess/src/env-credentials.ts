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

/** Shapes that issuers publish so that scanners can find leaked credentials. */
const CREDENTIAL_SHAPES = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/,
  /\b(sk|rk|pk)_(live|test)_[A-Za-z0-9]{10,}/,
  /\bsk-[A-Za-z0-9_-]{16,}/,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/,
  /\bgl(pat|ptt|rt|dt)-[A-Za-z0-9_-]{16,}/,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bAIza[A-Za-z0-9_-]{30,}/,
  /\bhf_[A-Za-z0-9]{20,}/,
  /\bnpm_[A-Za-z0-9]{30,}/,
  /\bpypi-[A-Za-z0-9_-]{30,}/,
  /\bdop_v1_[a-f0-9]{32,}/,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/,
  /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/,
  /\bauthorization:\s*(basic|bearer|token)\s+\S+/i,
  /[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
]

/** Nothing shorter is a credential of the shapes above. */
const SHORTEST = 10

export function isCredentialValue(value: string): boolean {
  return value.length >= SHORTEST && CREDENTIAL_SHAPES.some((shape) => shape.test(value))
}
