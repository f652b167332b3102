import { plug } from 'dsh-contracts/mount'
import { posix, testShell } from 'dsh-contracts/shell'
import ShLocalExecutor from 'dsh-sh-local'
import LocalSubprocessRuntime from 'dsh-subprocess-local'

testShell({
  dialect: posix,
  async mount(ctx) {
    await plug(ctx, LocalSubprocessRuntime, {})
    await plug(ctx, ShLocalExecutor, {})
  },
})
