// Replies of every kind: content, documents about the service, errors and redirects.
import { hex, utf8 } from '../api/bytes.ts'
import { ApiError, type ErrorForm, errorJson } from '../api/errors.ts'
import { operations } from '../api/routes.ts'
import { sha256 } from '../api/sha256.ts'
import {
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
  type ReplySource,
} from './http.ts'
import type { RequestContext } from './request-context.ts'
import type { ServedSite } from './site.ts'

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

/**
 * The reply to `/status`.
 *
 * @param failingSince milliseconds since 1970 from which on no newer build could be read; null without such a failure
 */
export function statusReply(
  { request, headers: earned }: RequestContext,
  { build }: ServedSite,
  failingSince: number | null,
): HttpReply {
  const since = failingSince === null ? null : new Date(failingSince).toISOString()
  const body = utf8(
    JSON.stringify({ status: 'ok', build, ...(since && { originFailingSince: since }) }),
  )
  const headers: readonly Header[] = [...earned, ['cache-control', 'no-store']]
  return contentReply(request, { status: 200, headers, body, length: body.length, source: 'none' })
}

/** The reply for an error. */
export function errorReply(
  request: HttpRequest,
  form: ErrorForm,
  error: ApiError,
  earned: readonly Header[] = [],
): HttpReply {
  const { status } = error
  const body = utf8(errorJson(form, error))
  const headers: Header[] = [['cache-control', 'no-store']]
  if (status === 401) headers.push(['www-authenticate', 'Bearer'])
  if (status === 405) headers.push(['allow', 'GET, HEAD, OPTIONS'])
  headers.push(...earned)
  return contentReply(request, { status, headers, body, length: body.length, source: 'none' })
}

/** Redirects a path with trailing slashes to the path without them. */
export function redirectReply({ path, query, headers: earned }: RequestContext): HttpReply {
  const isSlash = (at: number) => path[at] === '/' || path[at] === '\\'
  let [start, end] = [0, path.length]
  while (start < end && isSlash(start)) start++
  while (start < end && isSlash(end - 1)) end--
  // Exactly one leading slash: `//host/` would be a URL of another site.
  const location = `/${path.slice(start, end)}${query === '' ? '' : `?${query}`}`
  const headers: readonly Header[] = [...corsHeaders, ...earned, ['location', location]]
  return { status: 308, headers, body: null, source: 'none' }
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

/** The ETags of documents, each hashed once. */
export type DocumentEtags = WeakMap<Uint8Array, string>

/**
 * The reply to `/` and `/openapi.json`. Caches must revalidate it; it changes only with the build.
 *
 * @param page the page that `/` shows to browsers; null for JSON
 */
export async function documentReply(
  { request, path, headers: earned }: RequestContext,
  { build, openapi }: ServedSite,
  page: Uint8Array | null,
  etags: DocumentEtags,
): Promise<HttpReply> {
  const isPage = path === '/' && page !== null
  const paths = operations.map(({ template }) => `GET ${template}`)
  const index = { service: 'quarry', build, openapi: '/openapi.json', operations: paths }
  const bytes = path === '/openapi.json' ? await openapi() : (page ?? utf8(JSON.stringify(index)))
  const etag = etags.get(bytes) ?? `"${hex(sha256(bytes).subarray(0, 16))}"`
  etags.set(bytes, etag)
  const headers: Header[] = [
    ...corsHeaders,
    ...earned,
    ['etag', etag],
    ['cache-control', 'no-cache'],
  ]
  if (path === '/') headers.push(['vary', 'Accept'])
  // The page contains its own policy, except for frames, which HTML cannot restrict.
  if (isPage) headers.push(['content-security-policy', "frame-ancestors 'none'"])
  if (isPage) headers.push(['x-content-type-options', 'nosniff'])
  if (matchesEtag(request.header('if-none-match'), etag)) {
    return { status: 304, headers, body: null, source: 'none' }
  }
  headers.push(['content-type', isPage ? 'text/html; charset=utf-8' : 'application/json'])
  headers.push(['content-length', String(bytes.length)])
  const body = request.method === 'HEAD' ? null : bytes
  return { status: 200, headers, body, source: 'none' }
}
