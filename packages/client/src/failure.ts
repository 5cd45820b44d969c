// Failures of requests, as a tagged union.

/** An invalid parameter and its error. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** A requested page beyond the last one. */
export interface PageError {
  readonly message: string
  readonly totalPages: number
  readonly requestedPage: number
}

/** The reason why a request failed, by `type`. The union is complete. */
export type Failure =
  /** 400; `details` lists every invalid parameter, or describes a page beyond the last one. */
  | {
      readonly type: 'bad-request'
      readonly message: string
      readonly details: readonly FieldError[] | PageError | null
    }
  /** 401: the key is missing, malformed, unknown, expired or revoked. */
  | { readonly type: 'unauthorized'; readonly message: string }
  /** 403: the key lacks the permission for this request. */
  | { readonly type: 'forbidden'; readonly message: string }
  /** 404: the resource does not exist. */
  | { readonly type: 'not-found'; readonly message: string }
  /** 429: the rate limit was exceeded, even after the last retry. */
  | {
      readonly type: 'rate-limited'
      readonly message: string
      readonly retryAfterSeconds: number
    }
  /** Any other status, or a response that is not from the API: HTML from a proxy, truncated JSON. */
  | { readonly type: 'unexpected'; readonly message: string; readonly status: number }
  /** The request got no response, or the connection broke during the response. */
  | { readonly type: 'network'; readonly message: string; readonly cause: unknown }
  /** The caller's signal aborted the request, or the wait before a retry. */
  | { readonly type: 'aborted'; readonly message: string; readonly cause: unknown }

/** The data of a response, or the reason for its absence. */
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

/** Returns the data of a result. @throws ContentError if the request failed */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.data
  throw new ContentError(result.error)
}

/** Returns `value` if it is an object, otherwise an empty object. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Returns the failure that a response represents. @param body the parsed body; `undefined` if it is not JSON */
export function failureOf(status: number, body: unknown, retryAfterSeconds: number): Failure {
  const { message: given, details } = recordOf(body)
  const isOurs = typeof given === 'string'
  const message = isOurs ? given : `The response with status ${status} is not from the API.`
  const type = types.find(([known]) => known === status)?.[1]
  if (type === 'rate-limited') return { type, message, retryAfterSeconds }
  if (type === undefined) return { type: 'unexpected', message, status }
  if (type !== 'bad-request') return { type, message }
  return { type, message, details: (details as PageError | undefined) ?? null }
}

const types = [
  [400, 'bad-request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [429, 'rate-limited'],
] as const
