import { defineConfig } from 'vitest/config'
import { projects } from './vitest.workspace.ts'

const conditions = ['@dsh/source', 'node', 'import', 'module', 'default']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
