import { spawnSync } from 'node:child_process'

/**
 * Whether this machine can do what a test needs; `probe` is a command that succeeds where it can. On a user's machine what
 * is missing is skipped; where the variable `DSH_REQUIRE` (names, separated by commas) has the name, it is an error.
 */
export function canUse(name: string, probe: readonly string[]): boolean {
  const [program = '', ...args] = probe
  const works = spawnSync(program, args, { stdio: 'ignore' }).status === 0
  const required = process.env['DSH_REQUIRE']?.split(',').includes(name)
  if (!works && required) throw new Error(`DSH_REQUIRE names "${name}", but \`${probe.join(' ')}\` does not work here`)
  return works
}
