/**
 * Shapes that issuers publish so that scanners can find leaked credentials. Where a part may stand before every place at
 * which the next one could begin, its length is bounded: or a long text would take the square of its length.
 */
export const CREDENTIAL_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:[^-]*-----END [A-Z0-9 ]*PRIVATE KEY-----)?/,
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
  /\beyJ[A-Za-z0-9_-]{8,2000}\.eyJ[A-Za-z0-9_-]{8,8000}\.[A-Za-z0-9_-]*/,
  /\bauthorization:\s*(basic|bearer|token)\s+\S+/i,
  /[a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]{0,250}:[^/\s@]{1,1000}@/i,
]

/** Nothing shorter is a credential of the shapes above. */
const SHORTEST = 10

export function isCredentialValue(value: string): boolean {
  return value.length >= SHORTEST && CREDENTIAL_SHAPES.some((shape) => shape.test(value))
}
