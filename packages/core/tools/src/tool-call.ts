import type { Role } from 'dsh-permission'
import type { ToolExecution, ToolFacts, ToolOutcome } from './types.ts'

/** One call on its way to a tool, as a middleware sees it. */
export interface ToolCall {
  readonly name: string
  /** As they came: nothing is checked yet. */
  readonly args: unknown
  readonly execution: ToolExecution
  /** The principal's role when the call came in. */
  readonly role: Role
  /** What the tool has told so far. */
  readonly facts: ToolFacts
  /** Is told of every further fact, also when the call has returned: of a background job that ends. */
  onFacts(listener: (facts: ToolFacts) => void): void
}

/**
 * Stands around every call, before the gates: it may wait, refuse by throwing, and see what came of it. It cannot change
 * the call.
 */
export type ToolMiddleware = (call: ToolCall, next: () => Promise<ToolOutcome>) => Promise<ToolOutcome>

export class RunningCall implements ToolCall {
  readonly name: string
  readonly args: unknown
  readonly execution: ToolExecution
  readonly role: Role
  facts: ToolFacts = {}
  private readonly listeners: ((facts: ToolFacts) => void)[] = []

  constructor(name: string, args: unknown, execution: ToolExecution, role: Role) {
    this.name = name
    this.args = args
    this.execution = Object.freeze({ ...execution, record: (facts: ToolFacts) => this.record(facts) })
    this.role = role
  }

  onFacts(listener: (facts: ToolFacts) => void): void {
    this.listeners.push(listener)
  }

  private record(facts: ToolFacts): void {
    this.facts = { ...this.facts, ...facts }
    for (const listener of this.listeners) listener(facts)
  }
}
