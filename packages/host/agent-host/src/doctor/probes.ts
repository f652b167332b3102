import { probeCgroup, probeLauncher } from 'dsh-subprocess-local'
import { type Finding, firstLine, type Probe } from './probe.ts'

/** How to install a program, by the package manager that this system has. */
function install(debian: string, other = debian): string {
  return `Debian, Ubuntu: apt-get install ${debian}; Fedora: dnf install ${other}; macOS: brew install ${other}`
}

function program(name: string, command: string, args: readonly string[], remedy: string): Probe {
  return async () => {
    const version = await firstLine(command, ...args)
    return version === undefined
      ? { name, status: 'missing', detail: `${command} is not on PATH`, remedy }
      : { name, status: 'ok', detail: version }
  }
}

const node: Probe = () => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const detail = `Node.js ${process.versions.node} on ${process.platform} ${process.arch}`
  const supported = major > 20 || (major === 20 && minor >= 19)
  return supported
    ? { name: 'node', status: 'ok', detail }
    : { name: 'node', status: 'missing', detail, remedy: 'Node.js 20.19 or newer is needed: https://nodejs.org' }
}

const sandboxRunner: Probe = async (): Promise<Finding> => {
  const name = 'sandbox'
  if (process.platform !== 'linux') {
    return {
      name,
      status: 'missing',
      detail: `no sandbox provider for ${process.platform} is installed`,
      remedy: 'Run the host on Linux.',
    }
  }
  const version = await firstLine('bwrap', '--version')
  if (version === undefined) {
    return { name, status: 'missing', detail: 'bwrap is not on PATH', remedy: install('bubblewrap') }
  }
  const works = await firstLine('bwrap', '--ro-bind', '/', '/', '--unshare-pid', '--proc', '/proc', 'echo', 'confined')
  return works === 'confined'
    ? { name, status: 'ok', detail: version }
    : {
        name,
        status: 'missing',
        detail: `${version} is here, but may not make a namespace`,
        remedy:
          'Allow unprivileged user namespaces: sysctl kernel.unprivileged_userns_clone=1, or an AppArmor profile for bwrap.',
      }
}

const cgroup: Probe = (): Finding => {
  const folder = probeCgroup()
  if (folder !== undefined) return { name: 'cgroup', status: 'ok', detail: `each command gets one below ${folder}` }
  return {
    name: 'cgroup',
    status: 'limited',
    detail: 'no cgroup v2 that may be written; trees are found by their other marks',
    remedy: 'Start the host with `systemd-run --user --scope -p Delegate=yes`.',
  }
}

const launcher: Probe = async (): Promise<Finding> => {
  const name = 'launcher'
  const { name: chosen, limitation } = await probeLauncher()
  if (chosen === 'posix-spawn')
    return { name, status: 'ok', detail: 'posix-spawn: the size of the host does not matter' }
  const detail = `execa: child processes of Node.js${limitation === undefined ? '' : `; ${limitation}`}`
  const remedy = 'On Linux, install koffi (it comes with dsh-subprocess-local) for commands that start faster.'
  return { name, status: 'limited', detail, remedy }
}

const terminal: Probe = () => ({
  name: 'pty',
  status: 'missing',
  detail: 'this version opens no terminals',
  remedy: 'Run programs that need a terminal under script(1).',
})

/** In the order in which they are shown. */
export const PROBES: readonly Probe[] = [
  node,
  program('bash', 'bash', ['--version'], install('bash')),
  program('sh', 'sh', ['-c', 'echo sh works'], install('dash')),
  program('pwsh', 'pwsh', ['--version'], '`dotnet tool install --global PowerShell`, or https://aka.ms/powershell'),
  sandboxRunner,
  launcher,
  cgroup,
  terminal,
]
