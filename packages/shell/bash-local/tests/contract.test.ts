import LocalBashExecutor from 'dsh-bash-local'
import { plug } from 'dsh-contracts/mount'
import { posix, testShell } from 'dsh-contracts/shell'
import LocalSubprocessRuntime from 'dsh-subprocess-local'

testShell({
  dialect: posix,
  async mount(ctx) {
    await plug(ctx, LocalSubprocessRuntime, {})
    await plug(ctx, LocalBashExecutor, {})
  },
})
