/** One project per family, so that `vitest --project shell` runs one. */
const families = ['core', 'subprocess', 'shell', 'host', 'testing']

export const projects = [
  ...families.map((name) => ({
    extends: true as const,
    test: { name, include: [`packages/${name}/*/tests/**/*.test.ts`] },
  })),
  { extends: true as const, test: { name: 'examples', include: ['examples/*/tests/**/*.test.ts'] } },
  { extends: true as const, test: { name: 'workspace', include: ['tests/**/*.test.ts'] } },
]
