import type { ErrorCode } from './codes.ts'

export { ERROR_CODES, type ErrorCode } from './codes.ts'

/** Two copies of this package may be loaded in one host: a brand tells what `instanceof` cannot. */
const brand = Symbol.for('dsh.ShellError')

/** What could not happen, and why. What did happen is never an error: it is a field of a result. */
export class ShellError extends Error {
  override readonly name = 'ShellError'
  readonly code: ErrorCode
  /** Machine-readable facts beside the message, such as `errno` or `path`. */
  readonly details: Readonly<Record<string, unknown>>
  readonly [brand] = true

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> = {}, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.details = details
  }

  /** True for a ShellError of any loaded copy of this package; with `code`, for that code alone. */
  static is(error: unknown, code?: ErrorCode): error is ShellError {
    return (
      typeof error === 'object' && error !== null && brand in error && (!code || (error as ShellError).code === code)
    )
  }
}
