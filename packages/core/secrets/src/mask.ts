import { isCredentialName } from './names.ts'
import { CREDENTIAL_SHAPES } from './shapes.ts'

export const MASK = '[masked]'

/** The password of `https://user:password@host`, without what stands around it. */
const URL_PASSWORD = /([a-z][a-z0-9+.-]{0,30}:\/\/[^/\s:@]{0,250}:)[^/\s@]{1,1000}(?=@)/gi
const AUTHORIZATION = /(\bauthorization:\s*(?:basic|bearer|token)\s+)[^\s"']+/gi

/**
 * `NAME=value`, `"name": "value"`, `--name=value`. A value is a plain word: what a shell would expand or run is never
 * hidden, or a trail of commands could be made to leave out the command.
 */
const ASSIGNMENT = /(?<![\w.-])(-{0,2})([A-Za-z_][\w.-]*)(["']?\s*[=:]\s*["']?)([\w\-+/=.:@!%^*~#?,]{4,})/g
/** `--name value` */
const OPTION = /(?<![\w.-])(--)([A-Za-z_][\w.-]*)(\s+["']?)([\w\-+/=.:@!%^*~#?,]{4,})/g

const global = (shape: RegExp): RegExp => new RegExp(shape.source, `${shape.flags}g`)
const SHAPES = CREDENTIAL_SHAPES.map(global)

/** A text without what looks like a credential. It is still a text about the same thing. */
export function maskSecrets(text: string): string {
  const known = text
    .replace(URL_PASSWORD, `$1${MASK}`)
    .replace(AUTHORIZATION, `$1${MASK}`)
    .replace(ASSIGNMENT, maskAssignment)
    .replace(OPTION, maskAssignment)
  return SHAPES.reduce(
    (masked, shape) => masked.replace(shape, (found) => (found.includes(MASK) ? found : MASK)),
    known,
  )
}

function maskAssignment(whole: string, dashes: string, name: string, separator: string, value: string): string {
  return isCredentialName(name) && value !== MASK ? `${dashes}${name}${separator}${MASK}` : whole
}
