import { type Document, isScalar, Scalar, visit } from 'yaml'

/** `${env.NAME}` or `${env.NAME:-default}`; a doubled dollar sign keeps the text as it is. */
const PLACEHOLDER = /\$(\$?)\{env\.([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Fills in environment variables, in place. In a value without quotes that is one placeholder and no more, `8080`,
 * `true` and `null` become what they look like; everywhere else a placeholder is text.
 * @returns the problems, each with its node.
 */
export function interpolateEnv(
  document: Document,
  env: Readonly<Record<string, string | undefined>>,
): { node: Scalar; message: string }[] {
  const problems: { node: Scalar; message: string }[] = []
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || !isScalar(node) || typeof node.value !== 'string' || !node.value.includes('{env.')) return
      const whole = node.type === Scalar.PLAIN && node.value.replace(PLACEHOLDER, '') === ''
      const text = node.value.replace(PLACEHOLDER, (match, escaped: string, name: string, fallback?: string) => {
        if (escaped) return match.slice(1)
        const value = env[name] ?? fallback
        if (value !== undefined) return value
        problems.push({
          node,
          message: `the environment variable ${name} is not set; \${env.${name}:-default} gives it a default`,
        })
        return ''
      })
      node.value = whole ? typed(text) : text
    },
  })
  return problems
}

function typed(text: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?)$/.test(text) ? JSON.parse(text) : text
}
