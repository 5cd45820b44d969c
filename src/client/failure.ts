// Why a request has no answer, as a union that a program can tell apart.
// Knows nothing of how requests are sent.
import type { FieldError, PageError } from '../api/errors.ts'

/** Why a request has no answer. */
export type Failure =
  /** 400: `details` names every bad parameter, or the page beyond the last one. */
  | {
      readonly type: 'bad-request'
      readonly message: string
      readonly details: readonly FieldError[] | PageError | null
    }
  /** 401: the key is missing, malformed, unknown, expired or revoked. */
  | { readonly type: 'unauthorized'; readonly message: string }
  /** 403: the key may not read this. */
  | { readonly type: 'forbidden'; readonly message: string }
  /** 404 */
  | { readonly type: 'not-found'; readonly message: string }
  /** 429, and still after the last try. */
  | {
      readonly type: 'rate-limited'
      readonly message: string
      readonly retryAfterSeconds: number
    }
  /** Every other status, and what is no answer of the interface. */
  | { readonly type: 'unexpected'; readonly message: string; readonly status: number }
  /** No answer came at all. */
  | { readonly type: 'network'; readonly message: string; readonly cause: unknown }
  /** The caller's signal ended it. */
  | { readonly type: 'aborted'; readonly message: string; readonly cause: unknown }

/** An answer, or why there is none. */
export type Result<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: Failure }

/** What `unwrap` and iterations throw. */
export class ContentError extends Error {
  override readonly name = 'ContentError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.message, 'cause' in failure ? { cause: failure.cause } : undefined)
    this.failure = failure
  }
}

/**
 * The data of a result.
 *
 * @throws ContentError when there is none
 */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data
  throw new ContentError(result.error)
}

/** The failure that a status and a body tell of. */
export function failureOf(status: number, body: unknown, retryAfterSeconds: number): Failure {
  const given = typeof body === 'object' && body !== null ? body : {}
  const message = 'message' in given ? String(given.message) : `The server answered ${status}.`
  const type = types[status]
  if (type === 'bad-request') {
    const details = 'details' in given ? (given.details as readonly FieldError[]) : null
    return { type, message, details }
  }
  if (type === 'rate-limited') return { type, message, retryAfterSeconds }
  return type === undefined ? { type: 'unexpected', message, status } : { type, message }
}

const types: Readonly<
  Record<number, 'bad-request' | 'unauthorized' | 'forbidden' | 'not-found' | 'rate-limited'>
> = {
  400: 'bad-request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  429: 'rate-limited',
}
