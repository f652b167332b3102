import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SENSITIVE_ENV_PATTERN, scrubbedParentEnv, scrubEnv } from '../src/index.ts'

const scrub = (env: Record<string, string>, options = {}) => scrubEnv(env, options).env

describe('credentials', () => {
  it.each([
    'OPENAI_API_KEY',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_ACCESS_KEY_ID',
    'GH_TOKEN',
    'github_token',
    'MYTOKEN',
    'SECRET_KEY',
    'DB_PASSWORD',
    'PGPASSWORD',
    'MYSQL_PWD',
    'SMTP_PASS',
    'SSH_PASSPHRASE',
    'KEY',
    'KEYBOARD_SECRET',
    'MONKEY_TOKEN',
  ])('%s does not reach a command', (name) => {
    expect(scrub({ [name]: 'x' })).toEqual({})
  })

  it.each([
    'PATH',
    'HOME',
    'KEYBOARD',
    'KEYBOARD_LAYOUT',
    'MONKEY',
    'TOKENIZERS_PARALLELISM',
    'DOCKER_HOST',
    'XAUTHORITY',
    'SSH_AUTH_SOCK',
    'COMPASS',
    'LANG',
  ])('%s reaches a command', (name) => {
    expect(scrub({ [name]: '/some/value' })).toEqual({ [name]: '/some/value' })
  })

  it.each([
    ['a private key', '-----BEGIN OPENSSH PRIVATE KEY-----\nabc'],
    ['a model key', 'sk-proj-abcdefghijklmnopqrstuvwx'],
    ['a token of GitHub', `ghp_${'a'.repeat(36)}`],
    ['a token of GitLab', `glpat-${'a'.repeat(20)}`],
    ['a token of Slack', 'xoxb-1234567890-abcdef'],
    ['an access key of AWS', 'AKIAIOSFODNN7EXAMPLE'],
    ['a JSON web token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl'],
    ['a URL with a password', 'postgres://user:hunter2@db.example/app'],
    ['a URL with a password and no user', 'redis://:hunter2@localhost'],
    ['an authorization header', 'Authorization: Bearer abcdef'],
  ])('%s does not reach a command under an innocent name', (_what, value) => {
    expect(scrub({ INNOCENT: value })).toEqual({})
    expect(scrub({ INNOCENT: `prefix ${value}` })).toEqual({})
  })

  it.each(['https://example.com/a:b@c', 'sketchy-name', 'C:\\x', 'user@host:/path', 'ssh://git@github.com/x', ''])(
    '"%s" is no credential',
    (value) => {
      expect(scrub({ INNOCENT: value })).toEqual({ INNOCENT: value })
    },
  )

  it('never lets a name through that the documented pattern catches, unless an innocent word explains it', () => {
    const word = fc.constantFrom('KEY', 'PASSWORD', 'SECRET', 'TOKEN', 'key', 'Token')
    const part = fc.stringMatching(/^[A-Z0-9_]{0,6}$/)
    fc.assert(
      fc.property(part, word, part, (before, sensitive, after) => {
        const name = `${before}_${sensitive}_${after}`
        expect(name).toMatch(SENSITIVE_ENV_PATTERN)
        expect(scrub({ [name]: 'x' })).toEqual({})
      }),
    )
  })
})

describe('what belongs to the host', () => {
  it.each([
    'NODE_OPTIONS',
    'NODE_CHANNEL_FD',
    'ELECTRON_RUN_AS_NODE',
    'npm_config_registry',
    'npm_lifecycle_event',
    'BASH_ENV',
    'ENV',
    'SHELLOPTS',
    'BASH_FUNC_ls%%',
    'PROMPT_COMMAND',
    'LD_PRELOAD',
    'GIT_DIR',
    'GIT_SSH_COMMAND',
    'GIT_EXEC_PATH',
    'DSH_SESSION',
    'DSH_SPAWN_ID',
    'OLDPWD',
  ])('%s does not reach a command', (name) => {
    expect(scrub({ [name]: 'x' })).toEqual({})
  })

  it("leaves an AppImage's folders out of path lists, and what is only the AppImage's altogether", () => {
    const mounted = '/tmp/.mount_App123'
    const env = {
      APPDIR: mounted,
      LD_LIBRARY_PATH: `${mounted}/lib:/opt/mine/lib`,
      PYTHONHOME: `${mounted}/usr`,
      PATH: `${mounted}/usr/bin:/usr/bin:/bin`,
      XDG_DATA_DIRS: '/usr/share',
    }
    expect(scrub(env)).toEqual({ LD_LIBRARY_PATH: '/opt/mine/lib', PATH: '/usr/bin:/bin', XDG_DATA_DIRS: '/usr/share' })
  })
})

describe('variables that mean something only together', () => {
  const git = {
    GIT_CONFIG_COUNT: '3',
    GIT_CONFIG_KEY_0: 'user.name',
    GIT_CONFIG_VALUE_0: 'A',
    GIT_CONFIG_KEY_1: 'http.extraheader',
    GIT_CONFIG_VALUE_1: 'Authorization: Bearer abcdef',
    GIT_CONFIG_KEY_2: 'core.abbrev',
    GIT_CONFIG_VALUE_2: '12',
  }

  it('counts the pairs of git anew when one of them holds a credential', () => {
    const { env, removed } = scrubEnv(git)
    expect(env).toEqual({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'user.name',
      GIT_CONFIG_VALUE_0: 'A',
      GIT_CONFIG_KEY_1: 'core.abbrev',
      GIT_CONFIG_VALUE_1: '12',
    })
    expect(removed).toEqual(['GIT_CONFIG_KEY_2', 'GIT_CONFIG_VALUE_2'])
  })

  it('leaves what git can work with', () => {
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', ...scrub(git) }
    const { status, stdout } = spawnSync('git', ['config', '--list'], { env, encoding: 'utf8' })
    expect(status).toBe(0)
    expect(stdout).toContain('core.abbrev=12')
    expect(stdout).not.toContain('abcdef')
  })

  it.each(['many', '-1', '1e9', ''])('drops the group when the count is "%s"', (count) => {
    expect(scrub({ ...git, GIT_CONFIG_COUNT: count })).toEqual({})
  })
})

describe('exceptions', () => {
  it('keeps what the operator keeps, and drops what the operator drops', () => {
    const env = { GH_TOKEN: 't', NODE_OPTIONS: '--x', PLAIN: 'p', OTHER: 'o' }
    expect(scrub(env, { keep: ['GH_TOKEN', 'NODE_OPTIONS'], drop: ['PLAIN'] })).toEqual({
      GH_TOKEN: 't',
      NODE_OPTIONS: '--x',
      OTHER: 'o',
    })
  })

  it('tells the names that were removed, and no value', () => {
    expect(scrubEnv({ B_TOKEN: 'secret', A_KEY: 'secret', PLAIN: 'p' }).removed).toEqual(['A_KEY', 'B_TOKEN'])
  })

  it('reads the environment of this process at each call', () => {
    process.env['SCRUB_PLAIN'] = '1'
    expect(scrubbedParentEnv()['SCRUB_PLAIN']).toBe('1')
    delete process.env['SCRUB_PLAIN']
    expect(scrubbedParentEnv()).not.toHaveProperty('SCRUB_PLAIN')
  })
})
