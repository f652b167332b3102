import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { bash, setEnv, tempFolder } from '../bash.ts'

describe('the environment of a command', () => {
  it('ENV-1: holds no secret of the host, in any call', async () => {
    setEnv({
      OPENAI_API_KEY: 'leak-1',
      AWS_SECRET_ACCESS_KEY: 'leak-2',
      GH_TOKEN: 'leak-3',
      INNOCENT_NAME: `ghp_${'leak4'.repeat(8)}`,
      DATABASE_URL: 'postgres://u:leak-5@h/d',
      SECRET_KEY: 'leak-6',
    })
    const { run, ctx } = await bash()
    for (let round = 0; round < 5; round++) {
      const { stdout } = await run('env; declare -x; set; tr "\\0" "\\n" </proc/$$/environ')
      expect(stdout.text + (stdout.head ?? '')).not.toContain('leak')
    }
    const job = ctx.shell.start(ctx.shell.resolve({ command: 'env' }))
    expect((await job.done).stdout.text).not.toContain('leak')
  })

  it('ENV-3: holds what only looks like a secret, and what the operator keeps', async () => {
    const innocent = {
      KEYBOARD: 'x',
      KEYBOARD_LAYOUT: 'de',
      MONKEY: '1',
      TOKENIZERS_PARALLELISM: 'false',
      DOCKER_HOST: 'unix:///x',
      XAUTHORITY: '/x',
      SSH_AUTH_SOCK: '/y',
    }
    setEnv({ ...innocent, GH_TOKEN: 'kept' })
    const { run } = await bash({}, { env: { keep: ['GH_TOKEN'], drop: [] } })
    const { stdout } = await run('env')
    const lines = stdout.text.split('\n')
    for (const [name, value] of Object.entries(innocent)) expect(lines).toContain(`${name}=${value}`)
    expect(lines).toContain('GH_TOKEN=kept')
    expect(lines.some((line) => line.startsWith('HOME='))).toBe(true)
  })

  it("ENV-5: holds nothing that is the host process's own", async () => {
    setEnv({
      ELECTRON_RUN_AS_NODE: '1',
      NODE_OPTIONS: '--no-warnings',
      NODE_CHANNEL_FD: '3',
      APPDIR: '/tmp/.mount_X',
      LD_LIBRARY_PATH: '/tmp/.mount_X/lib:/opt/mine/lib',
      PYTHONHOME: '/tmp/.mount_X/usr',
      npm_config_registry: 'x',
      BASH_ENV: '/nowhere/evil',
      'BASH_FUNC_ls%%': '() { echo hijacked; }',
    })
    const { run } = await bash()
    const { stdout, stderr } = await run("node -e 'console.log(1)'; env; ls /dev/null")
    expect(stdout.text).toMatch(/^1\n/)
    expect(stdout.text).toMatch(/^LD_LIBRARY_PATH=\/opt\/mine\/lib$/m)
    expect(stdout.text).not.toMatch(
      /ELECTRON_RUN_AS_NODE|NODE_OPTIONS|NODE_CHANNEL_FD|APPDIR|PYTHONHOME|npm_config|BASH_ENV|hijacked/,
    )
    expect(stderr.text).toBe('')
    const named = await run('echo $NODE_OPTIONS', { env: { NODE_OPTIONS: '--max-old-space-size=99' } })
    expect(named.stdout.text).toBe('--max-old-space-size=99\n')
  })

  it('ENV-7: leaves groups of variables whole, and takes no program to run from the host', async () => {
    const folder = tempFolder()
    setEnv({
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_0: 'core.abbrev',
      GIT_CONFIG_VALUE_0: '12',
      GIT_CONFIG_KEY_1: 'http.extraheader',
      GIT_CONFIG_VALUE_1: `Authorization: Bearer ${'t'.repeat(20)}`,
      GIT_SSH_COMMAND: `touch ${folder}/e7`,
    })
    const { run } = await bash()
    const listed = await run('git config --list; echo $?; echo $GIT_CONFIG_COUNT')
    expect(listed.stdout.text).toMatch(/core\.abbrev=12\n0\n1\n$/)
    expect(listed.stdout.text).not.toContain('Bearer')
    await run('git fetch ssh://127.0.0.1:1/y', { workdir: folder, timeoutMs: 10_000 })
    expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('')
  })

  it('says where it is: PWD is the folder that was asked for', async () => {
    const folder = tempFolder()
    const { run } = await bash()
    expect((await run('echo $PWD; echo ${OLDPWD-none}', { workdir: folder })).stdout.text).toBe(`${folder}\nnone\n`)
  })
})
