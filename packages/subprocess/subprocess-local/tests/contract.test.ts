import { plug } from 'dsh-contracts/mount'
import { testSubprocess } from 'dsh-contracts/subprocess'
import LocalSubprocessRuntime from 'dsh-subprocess-local'

testSubprocess({
  name: 'execa launcher',
  mount: (ctx) => plug(ctx, LocalSubprocessRuntime, {}),
  skip: {
    'opens its own standard streams by name': "libuv's pipes are sockets, which have no name to open",
    'passes on no descriptor but those asked for': 'libuv leaves open what the host itself inherited',
  },
})
