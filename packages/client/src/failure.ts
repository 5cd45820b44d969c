// Why a request failed, as a union that a program can tell apart.
import type { FieldError, PageError } from './resources.ts'

/** Why a request failed. Every failure has a `type` and a `message`; there are no others. */
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
  /** Every other status, and a response that is not the API's: HTML of a proxy, JSON that is cut short. */
  | { readonly type: 'unexpected'; readonly message: string; readonly status: number }
  /** No response came, or it broke off. */
  | { readonly type: 'network'; readonly message: string; readonly cause: unknown }
  /** The caller's signal ended the request, or the wait for another try. */
  | { readonly type: 'aborted'; readonly message: string; readonly cause: unknown }

/** Data, or why there is none. */
export type Result<T> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly error: Failure }

/** Thrown by `unwrap`, `pages` and `all`. */
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

/** An object, or an empty one for every other value. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** The failure of a response. @param body parsed, `undefined` for what is not JSON */
export function failureOf(status: number, body: unknown, retryAfterSeconds: number): Failure {
  const { message: given, details } = recordOf(body)
  const isOurs = typeof given === 'string'
  const message = isOurs ? given : `The response with status ${status} is not of the API.`
  const type = types[status]
  if (type === 'rate-limited') return { type, message, retryAfterSeconds }
  if (type === undefined) return { type: 'unexpected', message, status }
  if (type !== 'bad-request') return { type, message }
  return { type, message, details: (details as PageError | undefined) ?? null }
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
