/** How the suite says the same thing in the language of the shell under test. */
export interface ShellDialect {
  readonly name: string
  /** Prints a line. The text holds no quotes. */
  print(text: string): string
  printError(text: string): string
  exit(code: number): string
  sleep(seconds: string): string
  /** Leaves a sleeper behind that holds the output open. */
  background(seconds: string): string
  /** Copies standard input to standard output. */
  readonly copyInput: string
  variable(name: string): string
  /** Prints `bytes` times the letter x. */
  flood(bytes: number): string
  readonly printFolder: string
  /** A comment of this length, to make a command long. */
  comment(length: number): string
  readonly separator: string
}

/** Every shell of the Bourne family. */
export const posix: ShellDialect = {
  name: 'posix',
  print: (text) => `printf '%s\\n' '${text}'`,
  printError: (text) => `printf '%s\\n' '${text}' >&2`,
  exit: (code) => `exit ${code}`,
  sleep: (seconds) => `sleep ${seconds}`,
  background: (seconds) => `sleep ${seconds} &`,
  copyInput: 'cat',
  variable: (name) => `printf '%s\\n' "$${name}"`,
  flood: (bytes) => `head -c ${bytes} /dev/zero | tr '\\0' x`,
  printFolder: 'pwd',
  comment: (length) => `# ${'c'.repeat(length)}`,
  separator: '\n',
}
