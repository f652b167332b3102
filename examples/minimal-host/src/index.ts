import { boot } from 'dsh-agent-host'
import type {} from 'dsh-tools'

/** Boots a composition, lets its bash answer one question, and leaves nothing running. */
export async function ask(composition: string, command: string): Promise<string> {
  const host = await boot(composition)
  try {
    const outcome = await host.ctx.tools.execute(
      'bash',
      { command },
      { callId: 'call-1', principal: { id: 'cli:local' }, agentKind: 'main' },
    )
    return outcome.text
  } finally {
    await host.dispose()
  }
}
