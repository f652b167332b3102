/** Every word about bash that a model reads. */

export const DESCRIPTION = `Runs a command in a fresh, non-interactive bash and returns what it printed, with markers in square brackets for an exit code other than 0, a signal, a timeout, output that was left out, and processes that still run.

- Each call starts a new shell: \`cd\`, variables and functions do not carry over. Use workdir, or chain with &&.
- Nobody can answer prompts: standard input is empty unless you pass stdin, there is no terminal, pagers and editors are switched off. Use non-interactive flags (-y, --no-pager, ssh -o BatchMode=yes).
- The command may be long: write files with here-documents.
- A process that you leave behind with & goes on after the call and is named in the result; a timeout or cancelling kills everything that the command started. For a server or a long build prefer run_in_background, and read it with job_output.
- Long output is cut in the middle; the marker names a file that holds all of it. Search that file instead of running the command again.`

export const PROMPT = `You can run shell commands with the bash tool. Commands run as the host's user. Secrets of the host (keys, tokens, passwords) are not in their environment; a tool that says it is not logged in may be missing one on purpose.`
