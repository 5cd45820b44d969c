// Replies of every kind: content, documents about the service, errors and redirects.
import { hex, joinBytes, parseJson, sha256, utf8 } from '../api/bytes.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import type { Scope } from '../api/keys.ts'
import { filePath, isServedFile } from '../api/paths.ts'
import type { ApiRequest, Target } from '../api/request.ts'
import { decodeUnreserved, errorFormOf, operations } from '../api/routes.ts'
import { ChangedError, fastSha256, type Storage } from '../snapshot/storage.ts'
import {
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
  type ReplySource,
  rateHeaders,
} from './http.ts'
import type { ServedRows, ServedSite } from './open-build.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'

/** Returns a reply with content, without the body for HEAD. */
export function contentReply(
  { method }: Pick<HttpRequest, 'method'>,
  content: Omit<HttpReply, 'source'> & {
    readonly length?: number
    readonly source?: ReplySource
    /** @default the media type of JSON */
    readonly contentType?: string | undefined
  },
): HttpReply {
  const { status, body, contentType = 'application/json', source = 'none' } = content
  const { length = body instanceof Uint8Array ? body.length : 0 } = content
  const type = [
    ['content-type', contentType],
    ['content-length', String(length)],
  ] as const
  const headers = [...corsHeaders, ...content.headers, ...type]
  return { status, headers, body: method === 'HEAD' ? null : body, source }
}

/** @param failingSince milliseconds since 1970, when reading a newer build first failed; null for no failure */
export function statusReply(
  { request, headers: earned, site }: RequestContext,
  failingSince: number | null,
): HttpReply {
  const since = failingSince !== null && {
    originFailingSince: new Date(failingSince).toISOString(),
  }
  const body = utf8(JSON.stringify({ status: 'ok', build: site.build, ...since }))
  const headers: readonly Header[] = [...earned, ['cache-control', 'no-store']]
  return contentReply(request, { status: 200, headers, body })
}

/** Returns a reply in the form of the errors of the requested path. */
export function errorReply(
  request: Pick<HttpRequest, 'method' | 'target'>,
  error: ApiError,
  earned: readonly Header[] = [],
): HttpReply {
  const { status } = error
  const [path = ''] = request.target.split('?', 1)
  const body = utf8(errorJson(errorFormOf(decodeUnreserved(path)), error))
  const headers: Header[] = [['cache-control', 'no-store']]
  if (status === 401) headers.push(['www-authenticate', 'Bearer'])
  if (status === 405) headers.push(['allow', 'GET, HEAD, OPTIONS'])
  headers.push(...earned)
  return contentReply(request, { status, headers, body })
}

/** Redirects a path with trailing slashes to the path without them. */
export function redirectReply({ path, query, headers: earned }: RequestContext): HttpReply {
  const isSlash = (at: number) => path[at] === '/' || path[at] === '\\'
  let [start, end] = [0, path.length]
  while (start < end && isSlash(start)) start++
  while (start < end && isSlash(end - 1)) end--
  // The location has exactly one leading slash: `//host/` would be a URL of another site.
  const location = `/${path.slice(start, end)}${query === '' ? '' : `?${query}`}`
  const headers: readonly Header[] = [...corsHeaders, ...earned, ['location', location]]
  return { status: 308, headers, body: null, source: 'none' }
}

/** Returns the reply to methods other than POST, which agents use only for sessions and streams. */
export function agentMethodReply(request: HttpRequest, earned: readonly Header[]): HttpReply {
  const error = new ApiError(405, 'Agents send POST.')
  const reply = errorReply(request, error, earned)
  const headers = reply.headers.filter(([name]) => name !== 'allow')
  return { ...reply, headers: [...headers, ['allow', 'POST, OPTIONS']] }
}

/** Returns an internal error. The log has the text of the cause, the client gets the request's id. */
export function internalError(requestId: string): ApiError {
  return new ApiError(500, `Something went wrong on our side. Request ${requestId}.`)
}

/** The error of other methods than GET, HEAD and OPTIONS. */
export const badMethod: ApiError = new ApiError(405, 'Only GET, HEAD and OPTIONS are supported.')

/** Returns the error of every v2 request without a valid key, for existing and missing resources alike. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'Missing or invalid API key.')
}

/**
 * Returns the reply to `/` and `/openapi.json`. Caches must revalidate it. It changes only with the build.
 *
 * @param page the page that `/` shows to browsers; null for JSON
 * @param etags cache of the ETags of documents
 */
export async function documentReply(
  { request, path, headers: earned, site }: RequestContext,
  page: Uint8Array | null,
  etags: WeakMap<Uint8Array, string>,
): Promise<HttpReply> {
  const { build, openapi } = site
  const paths = operations.map((template) => `GET ${template}`)
  const index = { service: 'quarry', build, openapi: '/openapi.json', operations: paths }
  const bytes = path === '/openapi.json' ? await openapi() : (page ?? utf8(JSON.stringify(index)))
  const etag = etags.get(bytes) ?? `"${hex(sha256(bytes).subarray(0, 16))}"`
  etags.set(bytes, etag)
  const headers: Header[] = [...earned, ['etag', etag], ['cache-control', 'no-cache']]
  if (path === '/') headers.push(['vary', 'Accept'])
  // The page contains its own policy, except for frames, which HTML cannot restrict.
  if (page) headers.push(['content-security-policy', "frame-ancestors 'none'"])
  if (page) headers.push(['x-content-type-options', 'nosniff'])
  if (matchesEtag(request.header('if-none-match'), etag))
    return { status: 304, headers: [...corsHeaders, ...headers], body: null, source: 'none' }
  const contentType = page ? 'text/html; charset=utf-8' : undefined
  return contentReply(request, { status: 200, headers, body: bytes, contentType })
}

/** A request in progress, and the headers of every reply to it. */
export class RequestContext {
  readonly id: string = crypto.randomUUID()
  readonly request: HttpRequest
  readonly site: ServedSite
  /** Milliseconds since 1970. */
  readonly now: number
  /** The path, in which unreserved characters are decoded. */
  readonly path: string
  readonly query: string
  /** Headers that do not change. `#rate` has the headers of the last count. */
  readonly #fixed: Header[] = [['x-request-id', this.id]]
  #rate: readonly Header[] = []

  constructor(request: HttpRequest, site: ServedSite, now: number) {
    const [path = ''] = request.target.split('?', 1)
    this.request = request
    this.site = site
    this.now = now
    this.path = decodeUnreserved(path)
    this.query = request.target.slice(path.length + 1)
  }

  /** All headers known so far. */
  get headers(): readonly Header[] {
    return [...this.#fixed, ...this.#rate]
  }

  /** Adds headers that further counts do not replace. */
  addHeaders(headers: readonly Header[]): void {
    this.#fixed.push(...headers)
  }

  /**
   * Charges the known cost of the response, less what was charged before. A response never costs more than the whole
   * limit, so that a client without other requests can get any list.
   */
  charge: (cost: number) => Promise<void> = async () => {}

  /** Counts the request once, before the cost of its response is known. */
  async count(limiter: RateLimiter | undefined, bucket: string): Promise<void> {
    let charged = 1
    const first = await limiter?.take(bucket)
    this.#require(first)
    if (!first) return
    this.charge = async (cost) => {
      const more = Math.min(cost, first.limit) - charged
      if (more < 1) return
      charged += more
      this.#require(await limiter?.take(bucket, more))
    }
  }

  /** Returns the error of a request over the limit. The headers state when requests are allowed again. */
  tooMany(state: RateState): ApiError {
    this.#rate = rateHeaders(state)
    const { resetSeconds } = state
    return new ApiError(429, `Rate limit exceeded. Try again in ${resetSeconds} s.`, {
      retryAfterSeconds: resetSeconds,
    })
  }

  #require(state: RateState | null | undefined): void {
    if (state?.isAllowed === false) throw this.tooMany(state)
    this.#rate = rateHeaders(state ?? null)
  }
}

/** The target of a request, its workspace, and the client's rights. */
export interface RouteMatch {
  readonly target: Target
  readonly workspace: string
  /** The scopes of the key; null without a key, which gives access to everything that is public. */
  readonly scopes: readonly Scope[] | null
}

/** The message for a key without the scope of its request. */
export const forbidden = 'Insufficient permissions for this resource.'

/** A precomputed response, and the period in which it is valid. */
export interface StoredResponse {
  /** ETag, with quotes. */
  readonly etag: string
  /** The number of requests that the response counts as. */
  readonly cost: number
  readonly body: Uint8Array
  /** Milliseconds since 1970. */
  readonly validFrom: number
  /** Milliseconds since 1970; `Infinity` until the next build. */
  readonly validUntil: number
}

/** Returns the key of a canonical request; null for others. Both versions share a key, as their bodies are equal. */
export function responseKey(request: ApiRequest): string | null {
  return filePath({ ...request, version: 'v1' })
}

/** Returns the file of a key, relative to the function's folder. It is a hash, so no client input is in a path. */
export function responseFile(key: string): string {
  return `responses/${hex(sha256(utf8(key)).subarray(0, 16))}.json`
}

/** Encodes a response as the SHA-256 of the rest, a line of JSON, and the body. */
export function encodeResponse(
  key: string,
  { etag, cost }: Pick<StoredResponse, 'etag' | 'cost'>,
  body: Uint8Array,
): Uint8Array {
  const rest = joinBytes([utf8(`${JSON.stringify({ key, etag, cost })}\n`), body])
  return joinBytes([utf8(`${hex(sha256(rest))}\n`), rest])
}

/** Reads a precomputed response; null when the index is needed. @throws ChangedError when the file is damaged */
export async function findStored(
  storage: Storage,
  request: ApiRequest,
  { scheduled, expiring, instants }: ServedRows,
  now: number,
): Promise<StoredResponse | null> {
  const key = responseKey(request)
  const next = instants.findIndex((instant) => instant > now)
  // If a clock was set back to before the last publication, other posts are visible.
  const files = { scheduled, expiring, createsTerms: false }
  const isValid = next !== 0 && isServedFile(request, files)
  if (key === null || !isValid) return null
  const name = responseFile(key)
  let file: Uint8Array
  try {
    file = await storage.read(name)
  } catch {
    return null
  }
  const start = file.indexOf(10) + 1
  const rest = file.subarray(start)
  const sum = hex(await fastSha256(rest))
  const end = rest.indexOf(10)
  if (new TextDecoder().decode(file.subarray(0, start)) !== `${sum}\n`) throw new ChangedError(name)
  const head = parseJson<{ key: string; etag: string; cost: number }>(rest.subarray(0, end))
  if (head.key !== key) throw new ChangedError(name)
  const { etag, cost } = head
  return {
    etag,
    cost,
    body: rest.subarray(end + 1),
    validFrom: instants.at(next === -1 ? -1 : next - 1) ?? Number.NEGATIVE_INFINITY,
    validUntil: instants[next] ?? Number.POSITIVE_INFINITY,
  }
}
