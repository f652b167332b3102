import { fileURLToPath } from 'node:url'
import { ask } from 'dsh-minimal-host'
import { expect, it } from 'vitest'

it('runs a command through the default composition', async () => {
  const composition = fileURLToPath(new URL('../../../cordis.yml', import.meta.url))
  expect(await ask(composition, 'echo hello; exit 3')).toBe('hello\n[exit code 3]')
})
