import { AsyncLocalStorage } from 'node:async_hooks'
import { ShellError } from 'dsh-errors'
import { isSamePrincipal, ownPrincipal, type Principal } from './principal.ts'

interface Acting {
  readonly principal: Principal
  readonly outer: Acting | undefined
  over: boolean
}

/** Who acts in an asynchronous context, from the start of an action until what it returns settles. */
export class ActingPrincipal {
  private readonly storage = new AsyncLocalStorage<Acting>()

  /**
   * Runs `action`, and all that it awaits, as `principal`.
   * @throws ShellError PERMISSION_DENIED inside an action for somebody else, or for one that has ended.
   */
  run<T>(principal: Principal, action: () => T): T {
    const outer = this.storage.getStore()
    if (outer) assertMayActFor(outer, principal)
    const acting: Acting = { principal: ownPrincipal(principal), outer, over: false }
    const end = (): void => {
      acting.over = true
    }
    let result: T
    try {
      result = this.storage.run(acting, action)
    } catch (error) {
      end()
      throw error
    }
    if (isThenable(result)) return Promise.resolve(result).finally(end) as T
    end()
    return result
  }

  /** Undefined when nobody acts: outside of {@link run}, and in what an action has left running. */
  current(): Principal | undefined {
    const acting = this.storage.getStore()
    return acting && !isOver(acting) ? acting.principal : undefined
  }
}

function assertMayActFor(outer: Acting, principal: Principal): void {
  if (isOver(outer)) {
    throw denied(`The call for "${outer.principal.id}" has ended; nobody acts any more.`)
  }
  if (isSamePrincipal(outer.principal, principal)) return
  throw denied(`A call for "${outer.principal.id}" may not act for "${principal.id}".`)
}

function denied(message: string): ShellError {
  return new ShellError('PERMISSION_DENIED', message, { gate: 'execution' })
}

/** An action ends with the one around it. */
function isOver(acting: Acting): boolean {
  return acting.over || (acting.outer !== undefined && isOver(acting.outer))
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function'
}
