import { type Mounted, mount, plug } from 'dsh-contracts/mount'
import { ShellError } from 'dsh-errors'
import { PermissionService, type Role } from 'dsh-permission'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AnyTool, defineTool, type ToolExecution, ToolRegistry } from '../src/index.ts'

let mounted: Mounted
let calls: unknown[]
let roleInside: Role | undefined

beforeEach(async () => {
  calls = []
  roleInside = undefined
  mounted = await mount(async (ctx) => {
    await plug(ctx, PermissionService, { admins: ['cli:admin'], users: ['cli:user'] })
    await plug(ctx, ToolRegistry, {})
  })
})
afterEach(() => mounted.dispose())

const tool = (name: string, over: Partial<AnyTool> = {}): AnyTool => ({
  ...defineTool({
    name,
    description: `the tool ${name}`,
    parameters: z.strictObject({
      text: z.string().min(2).describe('Some text.'),
      count: z.number().int().positive().optional(),
      nested: z.strictObject({ flag: z.boolean() }).optional(),
    }),
    minRole: 'admin',
    visibility: 'essential',
    mainAgentOnly: true,
    execute: async (args) => {
      calls.push(args)
      roleInside = mounted.ctx.permission.role()
      return { echoed: args.text }
    },
    render: ({ echoed }) => `echo: ${echoed}`,
  }),
  ...over,
})

const as = (id: string, over: Partial<ToolExecution> = {}): ToolExecution => ({
  callId: 'call-1',
  principal: { id },
  agentKind: 'main',
  ...over,
})
const admin = as('cli:admin')

const failure = async (promise: Promise<unknown>): Promise<ShellError> => {
  const error: unknown = await promise.then(
    () => new Error('nothing was thrown'),
    (reason: unknown) => reason,
  )
  if (ShellError.is(error)) return error
  throw error
}

/** What the registry adds where there is something to discover. */
const discovery = ['get_tool_schema', 'list_tools']

describe('listing', () => {
  beforeEach(() => {
    mounted.ctx.tools.register(tool('b'))
    mounted.ctx.tools.register(tool('a', { minRole: 'guest', visibility: 'discoverable' }))
    mounted.ctx.tools.register(tool('c', { minRole: 'user' }))
  })

  it('shows a role what it may use, sorted, and nothing else', () => {
    const { tools } = mounted.ctx
    expect(tools.names('guest')).toEqual(['a', ...discovery])
    expect(tools.names('user')).toEqual(['a', 'c', ...discovery])
    expect(tools.names('admin')).toEqual(['a', 'b', 'c', ...discovery])
  })

  it('tells essential tools from discoverable ones', () => {
    const { tools } = mounted.ctx
    expect(tools.listEssential('admin').map(({ name }) => name)).toEqual(['b', 'c', ...discovery])
    expect(tools.listDiscoverable('admin').map(({ name }) => name)).toEqual(['a'])
    expect(tools.listEssential('guest').map(({ name }) => name)).toEqual(discovery)
  })

  it('gives the JSON Schema of the arguments to whoever may see the tool', () => {
    const { tools } = mounted.ctx
    expect(tools.schema('b', 'admin').parameters).toMatchObject({
      type: 'object',
      required: ['text'],
      additionalProperties: false,
      properties: { text: { type: 'string', minLength: 2, description: 'Some text.' } },
    })
    expect(() => tools.schema('b', 'user')).toThrowError(
      expect.objectContaining({ code: 'PERMISSION_DENIED' }) as Error,
    )
    expect(() => tools.schema('z', 'admin')).toThrowError(expect.objectContaining({ code: 'TOOL_NOT_FOUND' }) as Error)
  })
})

describe('registration', () => {
  it('refuses a name that is taken', () => {
    mounted.ctx.tools.register(tool('a'))
    expect(() => mounted.ctx.tools.register(tool('a'))).toThrowError(/"a": the name is taken/)
  })

  it('takes a tool away when asked, and when the plugin that added it ends', async () => {
    const { ctx } = mounted
    const remove = ctx.tools.register(tool('a'))
    remove()
    expect(ctx.tools.names('admin')).toEqual([])
    const plugin = ctx.plugin({ inject: ['tools'], apply: (inner) => void inner.tools.register(tool('b')) })
    await plugin
    expect(ctx.tools.names('admin')).toEqual(['b'])
    await plugin.dispose()
    expect(ctx.tools.names('admin')).toEqual([])
    ctx.tools.register(tool('b'))
  })
})

describe('execution', () => {
  beforeEach(() => {
    mounted.ctx.tools.register(tool('echo'))
  })
  const execute = (args: unknown, execution = admin) => mounted.ctx.tools.execute('echo', args, execution)

  it('gives the result, and the text that the model sees', async () => {
    expect(await execute({ text: 'hi' })).toEqual({ tool: 'echo', result: { echoed: 'hi' }, text: 'echo: hi' })
  })

  it('runs the tool as the principal of the execution', async () => {
    await execute({ text: 'hi' })
    expect(roleInside).toBe('admin')
    expect(mounted.ctx.permission.current()).toBeUndefined()
  })

  it('runs nothing for a role that is too low', async () => {
    for (const id of ['cli:user', 'cli:nobody']) {
      expect((await failure(execute({ text: 'hi' }, as(id)))).code).toBe('PERMISSION_DENIED')
    }
    expect(calls).toEqual([])
  })

  it('runs nothing for a sub-agent', async () => {
    expect((await failure(execute({ text: 'hi' }, { ...admin, agentKind: 'sub' }))).code).toBe('PERMISSION_DENIED')
    expect(calls).toEqual([])
  })

  it('names an unknown tool and what there is', async () => {
    const error = await failure(mounted.ctx.tools.execute('eccho', {}, admin))
    expect(error.code).toBe('TOOL_NOT_FOUND')
    expect(error.message).toContain('There are: echo')
  })

  it.each([
    ['a missing argument', {}, 'text', 'nothing'],
    ['an argument of another type', { text: 5 }, 'text', '5'],
    ['an argument out of bounds', { text: 'x' }, 'text', "'x'"],
    ['a number that is not positive', { text: 'hi', count: 0 }, 'count', '0'],
    ['a nested argument', { text: 'hi', nested: { flag: 'yes' } }, 'nested.flag', "'yes'"],
    ['an argument that does not exist', { text: 'hi', role: 'admin' }, 'role', "'admin'"],
    ['a nested one that does not exist', { text: 'hi', nested: { flag: true, x: 1 } }, 'nested.x', '1'],
    ['no object at all', 'text', '', "'text'"],
    ['null', null, '', 'null'],
  ])('refuses %s, naming field, value and rule', async (_title, args, field, value) => {
    const error = await failure(execute(args))
    expect(error.code).toBe('INVALID_REQUEST')
    expect(error.details['field']).toBe(field)
    expect(error.message).toContain(`got ${value}`)
    expect(String(error.details['rule']).length).toBeGreaterThan(5)
    expect(calls).toEqual([])
  })

  it('repeats only the beginning of a long value', async () => {
    const error = await failure(execute({ text: 'hi', role: 'x'.repeat(10_000) }))
    expect(error.message.length).toBeLessThan(400)
  })

  it('passes on what the tool throws', async () => {
    const boom = new Error('boom')
    mounted.ctx.tools.register(tool('fails', { execute: () => Promise.reject(boom) }))
    await expect(mounted.ctx.tools.execute('fails', { text: 'hi' }, admin)).rejects.toBe(boom)
  })
})
