// Replies of every kind: content, documents about the service, errors and redirects.
import { hex, utf8 } from '../api/bytes.ts'
import { ApiError, type ErrorForm, errorJson } from '../api/errors.ts'
import { operations } from '../api/routes.ts'
import { sha256 } from '../api/sha256.ts'
import {
  type CacheTimes,
  cacheControl,
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
  preflightHeaders,
  type ReplySource,
} from './http.ts'
import type { RequestContext, RouteMatch } from './request-context.ts'
import type { ServedSite, SiteHead } from './site.ts'

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

/** The current slug of the post, and the end of the redirect's validity in milliseconds since 1970. */
export interface Move {
  readonly movedTo?: string | undefined
  readonly validUntil: number
  readonly hasDrafts?: boolean
}

/**
 * Returns the redirect, with the query of the request. It is private: a cache whose keys omit parameters would
 * respond with another client's query.
 */
export function movedReply(
  { path, query, headers: earned }: Pick<RequestContext, 'path' | 'query' | 'headers'>,
  { target: { isSdk, version }, now }: RouteMatch & { readonly now: number },
  { movedTo = '', validUntil, hasDrafts }: Move,
  { cacheTimes }: { readonly cacheTimes?: CacheTimes },
): HttpReply {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const location = `${folder}${encodeURIComponent(movedTo)}${query === '' ? '' : `?${query}`}`
  const control =
    isSdk || hasDrafts ? 'private, no-store' : cacheControl('v2', validUntil, now, cacheTimes)
  const varies: readonly Header[] = version === 'v2' ? [['vary', 'Authorization']] : []
  const headers: readonly Header[] = [
    ...corsHeaders,
    ...earned,
    ['location', location],
    ['cache-control', control],
    ...varies,
  ]
  return { status: 308, headers, body: null, source: 'none' }
}

/** The JSON of `/status`. */
export function statusJson({ build }: SiteHead): Uint8Array {
  return encode({ status: 'ok', build })
}

/** The documents of `/` and `/openapi.json`; each is hashed once. */
export class ServiceDocuments {
  readonly #etags = new WeakMap<Uint8Array, string>()

  /** Null for every other path. @param page the page that `/` shows to browsers; null for JSON */
  async find(
    path: string,
    { build, openapi }: ServedSite,
    page: Uint8Array | null,
  ): Promise<ServiceDocument | null> {
    if (path === '/openapi.json') return this.#document(await openapi(), 'application/json', [])
    if (path !== '/') return null
    if (page !== null) return this.#document(page, 'text/html; charset=utf-8', pageHeaders)
    const paths = operations.map(({ template }) => `GET ${template}`)
    const root = { service: 'quarry', build, openapi: '/openapi.json', operations: paths }
    return this.#document(encode(root), 'application/json', varies)
  }

  #document(bytes: Uint8Array, type: string, headers: readonly Header[]): ServiceDocument {
    const etag = this.#etags.get(bytes) ?? `"${hex(sha256(bytes).subarray(0, 16))}"`
    this.#etags.set(bytes, etag)
    return { bytes, type, etag, headers }
  }
}

const varies: readonly Header[] = [['vary', 'Accept']]

/** The page contains its own policy, except for frames, which HTML cannot restrict. */
const pageHeaders: readonly Header[] = [
  ...varies,
  ['content-security-policy', "frame-ancestors 'none'"],
  ['x-content-type-options', 'nosniff'],
]

function encode(value: object): Uint8Array {
  return utf8(JSON.stringify(value))
}

/** True for browsers: they name HTML in `Accept`; programs accept any type. */
export function wantsPage(request: HttpRequest): boolean {
  return /\btext\/html\b/i.test(request.header('accept') ?? '')
}
