import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')

describe('documentation', () => {
  it('shows every config field as its schema has it, and code as CI runs it', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  })

  it('has no link to a file that is not there', () => {
    const files = [
      'README.md',
      'README.zh.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      ...markdown('docs'),
      ...markdown('packages'),
    ]
    const broken = files.flatMap((file) => {
      const links = [...read(file).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = '']) => link)
      return links.filter((link) => !exists(new URL(link, new URL(file, root)))).map((link) => `${file}: ${link}`)
    })
    expect(broken).toEqual([])
  })

  it('keeps the Chinese README in step: the same sections, commands and figures', () => {
    const shape = (file: string) => ({
      sections: read(file).match(/^## /gm)?.length,
      code: read(file)
        .match(/^```[\s\S]*?^```/gm)
        ?.map((block) => block.replaceAll(/#.*$/gm, '').replaceAll(/[ \t]+$/gm, '')),
      figures: read(file)
        .match(/\d[\d.,]*\s?(ms|MB|GB|MiB|x|×)/g)
        ?.toSorted(),
    })
    expect(shape('README.zh.md')).toEqual(shape('README.md'))
  })
})

describe('error codes', () => {
  it('are each used by the code, or named by the design for what is to come', () => {
    const sources = readdirSync(new URL('packages', root), { recursive: true, encoding: 'utf8' })
      .filter((file) => /^[^/]+\/[^/]+\/src\/.*\.ts$/.test(file) && !file.endsWith('codes.ts'))
      .map((file) => read(`packages/${file}`))
      .join('\n')
    const codes = [...read('packages/core/errors/src/codes.ts').matchAll(/^ {2}([A-Z_]+): \{/gm)].map(
      ([, code]) => code,
    )
    const unused = codes.filter((code) => !sources.includes(`'${code}'`))
    expect(codes.length).toBeGreaterThan(10)
    expect(unused).toEqual(['SANDBOX_UNAVAILABLE', 'APPROVAL_DENIED'])
  })
})

function markdown(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.includes('node_modules'))
    .map((file) => `${folder}/${file}`)
}

function exists(url: URL): boolean {
  try {
    return readdirSync(new URL('.', url)).length > 0 && (url.pathname.endsWith('/') || readFileSync(url).length >= 0)
  } catch {
    return false
  }
}
