import { ShellError } from 'dsh-errors'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/config/read.ts'

const parse = (text: string, env: Record<string, string> = {}) => parseConfig(text, 'c.yml', env)
const short = (text: string, env?: Record<string, string>) =>
  parse(text, env).map(({ id, name, config, disabled }) => ({ id, name, config, disabled }))
function problems(text: string, env?: Record<string, string>): string {
  try {
    parse(text, env)
    return 'no problem'
  } catch (error) {
    if (ShellError.is(error, 'CONFIG_INVALID')) return error.message
    throw error
  }
}

describe('forms', () => {
  it("takes the loader's list", () => {
    expect(short('- id: a\n  name: dsh-a\n  config: {x: 1}\n- name: dsh-b\n  disabled: true\n')).toEqual([
      { id: 'a', name: 'dsh-a', config: { x: 1 }, disabled: false },
      { id: 'dsh-b', name: 'dsh-b', config: {}, disabled: true },
    ])
  })

  it('takes the map of the documents', () => {
    const text = "plugins:\n  '@deepseek-ai/dsh-bash-local':\n    config:\n      cwd: /workspace\n  dsh-b:\n"
    expect(short(text)).toEqual([
      {
        id: '@deepseek-ai/dsh-bash-local',
        name: '@deepseek-ai/dsh-bash-local',
        config: { cwd: '/workspace' },
        disabled: false,
      },
      { id: 'dsh-b', name: 'dsh-b', config: {}, disabled: false },
    ])
  })

  it('takes several documents of either form, in order', () => {
    const text = '- name: a\n---\nplugins:\n  b: {}\n---\n# nothing\n---\n- name: c\n'
    expect(short(text).map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('takes realms of services', () => {
    expect(parse('- name: a\n  isolate: {shell: true, subprocess: shared}')[0]?.isolate).toEqual({
      shell: true,
      subprocess: 'shared',
    })
  })

  it('knows the line of every place', () => {
    const [first, second] = parse('# comment\n- name: a\n- name: b\n  config:\n    x: 1\n    deep:\n      - y: 2\n')
    expect(first?.where()).toBe('c.yml:2')
    expect(second?.where()).toBe('c.yml:3')
    expect(second?.where(['config', 'x'])).toBe('c.yml:5')
    expect(second?.where(['config', 'deep', 0, 'y'])).toBe('c.yml:7')
    expect(second?.where(['config', 'missing'])).toBe('c.yml:4')
  })
})

describe('environment', () => {
  it('fills in variables, with defaults', () => {
    const text =
      '- name: a\n  config:\n    path: ${env.ROOT}/x\n    other: \'${env.NONE:-y z}\'\n    list: ["${env.ROOT}"]\n'
    expect(short(text, { ROOT: '/r' })[0]?.config).toEqual({ path: '/r/x', other: 'y z', list: ['/r'] })
  })

  it('gives a bare placeholder the type that its value looks like, and a quoted one none', () => {
    const text =
      "- name: a\n  config: {port: ${env.N}, quoted: '${env.N}', flag: ${env.T}, part: ${env.N}ms, list: ${env.L}}\n"
    // A brace inside of a flow map would end it: in flow style YAML itself asks for quotes.
    const block =
      '- name: a\n  config:\n    port: ${env.N}\n    quoted: "${env.N}"\n    flag: ${env.T}\n    part: ${env.N}ms\n    list: ${env.L}\n'
    expect(problems(text, { N: '1', T: 'true', L: '[1]' })).not.toBe('')
    expect(short(block, { N: '8080', T: 'true', L: '[1]' })[0]?.config).toEqual({
      port: 8080,
      quoted: '8080',
      flag: true,
      part: '8080ms',
      list: '[1]',
    })
  })

  it('refuses a variable that is not set, naming it and its line', () => {
    expect(problems('- name: a\n  config:\n    x: ${env.NONE}\n')).toMatch(/^c\.yml:3: .*NONE is not set/)
  })

  it('leaves a doubled dollar sign, other placeholders and keys alone', () => {
    const text = '- name: a\n  config:\n    a: $${env.X}\n    b: ${HOME}\n    ${env.K}: 1\n'
    expect(short(text)[0]?.config).toEqual({ a: '${env.X}', b: '${HOME}', '${env.K}': 1 })
  })
})

describe('errors', () => {
  it.each([
    ['a tab for indentation', '- name: a\n  config:\n\tx: 1\n', /^c\.yml:3: .*[Tt]ab/],
    ['an unclosed bracket', '- name: [a\n', /^c\.yml:\d+: /],
    ['a key that stands twice', '- name: a\n  name: b\n', /^c\.yml:2: .*unique/],
    ['an unknown field of an entry', '- name: a\n  confg: {}\n', /^c\.yml:1: entry: .*"confg"/],
    ['an entry without a name', '- name: a\n- id: x\n', /^c\.yml:2: entry: name: /],
    ['an entry that is a text', '- a\n', /^c\.yml:1: entry: /],
    ['a text instead of a list', 'hello\n', /^c\.yml:1: must be a list/],
    ['another key beside plugins', 'plugins: {a: {}}\nplugin: {}\n', /^c\.yml:2: no such key "plugin"/],
    ['plugins that are a list', 'plugins: [a]\n', /^c\.yml:1: "plugins" must be a map/],
    ['an unknown field in the map form', 'plugins:\n  a:\n    cfg: {}\n', /^c\.yml:2: entry: .*"cfg"/],
    ['two entries of one id', '- name: a\n- name: a\n', /^c\.yml:2: the id "a" is taken by the entry at c\.yml:1/],
    ['no entry at all', '# nothing\n', /^c\.yml:1: no plugin is listed/],
    ['nothing', '', /^c\.yml:1: no plugin is listed/],
  ])('names the line of %s', (_title, text, message) => {
    expect(problems(text)).toMatch(message)
  })

  it('tells all problems at once', () => {
    expect(problems('- name: a\n  x: 1\n- name: b\n  config:\n    v: ${env.NONE}\n').split('\n')).toHaveLength(2)
  })
})
