// Replies of every kind: content, documents, errors and redirects.

import { utf8 } from '../api/bytes.ts'
import { ApiError, type ErrorForm, errorJson } from '../api/errors.ts'
import { corsHeaders, matchesEtag, preflightHeaders } from './headers.ts'
import type { Header, HttpReply, HttpRequest, ReplySource } from './http.ts'
import type { RequestContext } from './request-context.ts'

/** The reply to OPTIONS. */
export function preflightReply(
  earned: readonly Header[],
  headers: readonly Header[] = preflightHeaders,
): HttpReply {
  return { status: 204, headers: [...headers, ...earned], body: null, source: 'none' }
}

/** A reply with content, without its body for HEAD. */
export function contentReply(
  request: HttpRequest,
  content: {
    readonly status: number
    readonly headers: readonly Header[]
    readonly body: HttpReply['body']
    readonly length: number
    readonly source: ReplySource
    /** @default JSON */
    readonly contentType?: string | undefined
  },
): HttpReply {
  const { status, headers, body, length, source, contentType = 'application/json' } = content
  return {
    status,
    headers: [
      ...corsHeaders,
      ...headers,
      ['content-type', contentType],
      ['content-length', String(length)],
    ],
    body: request.method === 'HEAD' ? null : body,
    source,
  }
}

/** An uncacheable JSON reply. */
export function jsonReply(
  request: HttpRequest,
  body: Uint8Array,
  earned: readonly Header[],
): HttpReply {
  const headers: readonly Header[] = [...earned, ['cache-control', 'no-store']]
  return contentReply(request, { status: 200, headers, body, length: body.length, source: 'none' })
}

/** A document about the service: its OpenAPI description, or the page that shows it. */
export interface ServiceDocument {
  readonly bytes: Uint8Array
  readonly type: string
  /** A strong ETag of the bytes. */
  readonly etag: string
  readonly headers: readonly Header[]
}

/** A reply with a document. Caches must revalidate it; it changes only with the build. */
export function documentReply(
  request: HttpRequest,
  { bytes, type, etag, headers }: ServiceDocument,
  earned: readonly Header[],
): HttpReply {
  const common: readonly Header[] = [
    ...corsHeaders,
    ...earned,
    ['etag', etag],
    ['cache-control', 'no-cache'],
    ...headers,
  ]
  if (matchesEtag(request.header('if-none-match'), etag)) {
    return { status: 304, headers: common, body: null, source: 'none' }
  }
  return {
    status: 200,
    headers: [...common, ['content-type', type], ['content-length', String(bytes.length)]],
    body: request.method === 'HEAD' ? null : bytes,
    source: 'none',
  }
}

/** The reply for an error. */
export function errorReply(
  request: HttpRequest,
  form: ErrorForm,
  error: ApiError,
  headers: readonly Header[] = [],
): HttpReply {
  const body = utf8(errorJson(form, error))
  return contentReply(request, {
    status: error.status,
    headers: [['cache-control', 'no-store'], ...headersOf(error.status), ...headers],
    body,
    length: body.length,
    source: 'none',
  })
}

/** Redirects a path with trailing slashes to the path without them. */
export function redirectReply({ path, query, headers: earned }: RequestContext): HttpReply {
  const isSlash = (at: number) => path[at] === '/' || path[at] === '\\'
  let [start, end] = [0, path.length]
  while (start < end && isSlash(start)) start++
  while (start < end && isSlash(end - 1)) end--
  // Exactly one leading slash: `//host/` would be a URL of another site.
  const location = `/${path.slice(start, end)}${query === '' ? '' : `?${query}`}`
  return {
    status: 308,
    headers: [...corsHeaders, ...earned, ['location', location]],
    body: null,
    source: 'none',
  }
}

/** The reply to a method that agents do not use: there are no sessions and no streams. */
export function agentMethodReply(request: HttpRequest, earned: readonly Header[]): HttpReply {
  const error = new ApiError(405, 'Agents send POST.')
  const reply = errorReply(request, 'v2', error, earned)
  const headers = reply.headers.filter(([name]) => name !== 'allow')
  return { ...reply, headers: [...headers, ['allow', 'POST, OPTIONS']] }
}

/** An internal error. Its text goes to the log, the request's id to the client. */
export function internalError(requestId: string): ApiError {
  return new ApiError(500, `Something went wrong on our side. Request ${requestId}.`)
}

/** The error of every v2 request without a valid key, whether or not the resource exists. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'Missing or invalid API key.')
}

function headersOf(status: number): readonly Header[] {
  if (status === 401) return [['www-authenticate', 'Bearer']]
  return status === 405 ? [['allow', 'GET, HEAD, OPTIONS']] : []
}
