/**
 * Every code a {@link ShellError} may carry. The table makes the type, the reference page and the test that each code is
 * thrown somewhere. Codes are stable: a retired one is never reused.
 */
export const ERROR_CODES = {
  INVALID_REQUEST: {
    meaning: 'An argument or a field of a request breaks a rule; nothing ran.',
    remedy: 'Correct the field that the message names.',
  },
  WORKDIR_UNUSABLE: {
    meaning: 'The working directory is missing, not a directory, or may not be entered; nothing ran.',
    remedy: 'Name an existing directory that the host may enter.',
  },
  SHELL_NOT_FOUND: {
    meaning: 'The shell program is not on this machine; nothing ran.',
    remedy: 'Install it, or set its path in cordis.yml. `dsh-host doctor` shows what was looked for.',
  },
  SPAWN_FAILED: {
    meaning: 'The operating system refused to start the process; `details.errno` says why.',
    remedy:
      'EMFILE, EAGAIN, ENOMEM: end other work and try again. E2BIG: make the environment or the arguments smaller.',
  },
  ABORTED: {
    meaning: 'The caller gave up before anything ran.',
    remedy: 'Nothing to do: no process was started.',
  },
  NOT_SUPPORTED: {
    meaning: 'This provider cannot do what was asked on this machine.',
    remedy: 'Use another provider; the message says what is missing.',
  },
  SANDBOX_UNAVAILABLE: {
    meaning: 'No sandbox on this machine can enforce the policy; nothing ran.',
    remedy: '`dsh-host doctor` says what is missing and how to get it.',
  },
  PERMISSION_DENIED: {
    meaning: 'The principal may not use this tool; nothing ran.',
    remedy: 'Give the principal a role in the `dsh-permission` entry of cordis.yml.',
  },
  TOOL_NOT_FOUND: {
    meaning: 'No plugin offers a tool of this name.',
    remedy: '`dsh-host tools` lists what there is; load the plugin in cordis.yml.',
  },
  JOB_NOT_FOUND: {
    meaning: 'The caller owns no background job with this id.',
    remedy: 'Call `job_list` for the ids.',
  },
  APPROVAL_DENIED: {
    meaning: 'The operator was asked and refused; nothing ran.',
    remedy: 'Ask for less, or explain the need to the operator.',
  },
  CONFIG_INVALID: {
    meaning: 'A cordis.yml cannot be read, or an entry breaks its schema; the host did not boot.',
    remedy: 'Correct the line that the message names; `dsh-host check FILE` tries it without running it.',
  },
  BOOT_FAILED: {
    meaning: 'An entry of cordis.yml did not become active; the host stopped.',
    remedy: 'The message names the entry and what it waits for or collides with.',
  },
  INTERNAL: {
    meaning: 'A defect of this project.',
    remedy: 'Report it with the message and the stack.',
  },
} as const satisfies Record<string, { meaning: string; remedy: string }>

export type ErrorCode = keyof typeof ERROR_CODES
