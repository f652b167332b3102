import { plug } from 'dsh-contracts/mount'
import { testSubprocess } from 'dsh-contracts/subprocess'
import { LocalSubprocessRuntime } from '../src/index.ts'

testSubprocess({
  name: 'posix-spawn launcher',
  mount: (ctx) => plug(ctx, LocalSubprocessRuntime, { launcher: 'posix-spawn' }),
})

testSubprocess({
  name: 'execa launcher',
  mount: (ctx) => plug(ctx, LocalSubprocessRuntime, { launcher: 'execa' }),
  skip: {
    'opens its own standard streams by name': "libuv's pipes are sockets, which have no name to open",
    'passes on no descriptor but those asked for': 'libuv leaves open what the host itself inherited',
  },
})
