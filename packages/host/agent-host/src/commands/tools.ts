import type { Context } from 'cordis'
import type {} from 'dsh-system-prompt'
import { parsePrincipal } from '../principal.ts'
import { need } from '../services.ts'
import type { Terminal } from './exec.ts'

/** Lists what a principal may call, with the schemas. */
export function tools(ctx: Context, options: { as: string; json: boolean }, terminal: Terminal): number {
  const registry = need(ctx, 'tools', 'dsh-tools')
  const principal = parsePrincipal(options.as)
  const role = need(ctx, 'permission', 'dsh-permission').roleOf(principal)
  const list = registry.names(role).map((name) => registry.schema(name, role))
  if (options.json) {
    const systemPrompt = ctx.get('systemPrompt')?.render() ?? ''
    terminal.stdout(`${JSON.stringify({ ok: true, principal, role, tools: list, systemPrompt })}\n`)
    return 0
  }
  terminal.stdout(
    `${principal.id} has the role ${role} and may use ${list.length === 0 ? 'no tool' : `${list.length} tools`}.\n`,
  )
  for (const tool of list) {
    terminal.stdout(`\n${tool.name} (${tool.visibility})\n${indent(tool.description)}\n`)
    terminal.stdout(`${indent(JSON.stringify(tool.parameters, null, 2))}\n`)
  }
  return 0
}

function indent(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ')
}
