// Errors of a request: their status, label and body in each version.
import type { Version } from './request.ts'

/** A field of a bad request and what is wrong with it. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** The requested page, when it is beyond the last one. */
export interface PageError {
  readonly message: string
  readonly totalPages: number
  readonly requestedPage: number
}

/** More about a bad request; null when there is nothing to add. */
export type ErrorDetails = readonly FieldError[] | PageError | null

/** The form of an error's body: that of a version, or of the surface of the vendor's SDKs. */
export type ErrorForm = Version | 'sdk'

/** The statuses that answer a request with an error. */
export type ErrorStatus = keyof typeof errorLabels

/** The label of each error status, as it is in a body's `error`. */
export const errorLabels = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  414: 'URI Too Long',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
} as const

/** A request that cannot be answered, and why. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: ErrorStatus
  readonly details: ErrorDetails
  /** Whole seconds, on 429 only. */
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: ErrorStatus,
    message: string,
    extra: { readonly details?: ErrorDetails; readonly retryAfterSeconds?: number } = {},
  ) {
    super(message)
    this.status = status
    this.details = extra.details ?? null
    this.retryAfterSeconds = extra.retryAfterSeconds
  }
}

/**
 * The body of an error: v1 always has `error`, `details` and `message`; v2 has `error` and `message`, with
 * `details` on 400 alone. Both have `retryAfter` on 429. The SDKs' form is that of v2 but for a page beyond the last.
 */
export function errorJson(form: ErrorForm, error: ApiError): string {
  const { status, message, details } = error
  const label = errorLabels[status]
  const retry = status === 429 ? { retryAfter: error.retryAfterSeconds ?? 1 } : {}
  if (form === 'sdk' && details !== null && 'requestedPage' in details)
    return JSON.stringify({ error: 'Invalid page number', details })
  if (form === 'v1') return JSON.stringify({ error: label, details, message, ...retry })
  return JSON.stringify({ error: label, message, ...(status === 400 ? { details } : {}), ...retry })
}
