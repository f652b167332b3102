/**
 * What every bash command is given: no terminal to draw on, and nothing that waits for a person. An editor that changes
 * nothing lets git give up by itself; an askpass that fails lets ssh and sudo do so. A caller's own values win.
 */
export const ENV_OVERRIDES: Readonly<Record<string, string>> = {
  TERM: 'dumb',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: '',
  EDITOR: 'true',
  VISUAL: 'true',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  SSH_ASKPASS: 'false',
  SSH_ASKPASS_REQUIRE: 'never',
  SUDO_ASKPASS: '/bin/false',
}
