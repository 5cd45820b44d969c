// Request errors: status, label, and body by version.
import type { FieldError, PageError } from '#client'
import { maskCleartextKeys } from './keys.ts'
import type { Version } from './request.ts'

/** Details of a bad request; null for none. */
export type ErrorDetails = readonly FieldError[] | PageError | null

/** Form of an error body: a version, or the vendor's SDK API. */
export type ErrorForm = Version | 'sdk'

/** Statuses of error responses. */
export type ErrorStatus = keyof typeof errorLabels

/** Label of each error status, which a body has as `error`. */
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

/** A request that fails with a status and a message. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: ErrorStatus
  readonly details: ErrorDetails
  /** Whole seconds; only for 429. */
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

/** Returns an error body. Keys are truncated, because messages repeat names and values of a request. */
export function errorJson(form: ErrorForm, error: ApiError): string {
  return maskCleartextKeys(JSON.stringify(errorBody(form, error)))
}

function errorBody(form: ErrorForm, error: ApiError): object {
  const { status, message, details } = error
  const label = errorLabels[status]
  const retry = status === 429 ? { retryAfter: error.retryAfterSeconds ?? 1 } : {}
  if (form === 'sdk' && details !== null && 'requestedPage' in details)
    return { error: 'Invalid page number', details }
  if (form === 'v1') return { error: label, details, message, ...retry }
  return { error: label, message, ...(status === 400 ? { details } : {}), ...retry }
}
