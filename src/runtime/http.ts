// Requests and replies as plain data, and the headers of replies: caching, CORS and conditional requests.
import { maskCleartextKeys } from '../api/keys.ts'
import { ignoredParameters } from '../api/parameters.ts'
import type { Target, Version } from '../api/request.ts'
import type { Pairs } from '../api/routes.ts'
import type { RateState } from './rate-limit.ts'

/** A request as received. */
export interface HttpRequest {
  readonly method: string
  /** Path and query, percent-encoded, with the leading `/`. */
  readonly target: string
  /** The address by which requests without a key are counted, as the host reports it; '' if unknown. */
  readonly clientAddress: string
  /** Reads the body; null if it has more than `bytesMax` bytes. Absent if the host does not pass it on. */
  readonly readBody?: (bytesMax: number) => Promise<Uint8Array | null>
  /** Returns a header by its name in lower case; null if absent. Values of repeated headers are joined with `, `. */
  header(name: string): string | null
}

/** A header of a reply. The name is in lower case. */
export type Header = readonly [name: string, value: string]

/** The source of a response: the cache, a written file, the index, or `none` for replies without content. */
export type ReplySource = 'cache' | 'file' | 'index' | 'none'

/** A reply, ready to send. */
export interface HttpReply {
  readonly status: number
  /** Includes `content-length` when there is content, also for HEAD. */
  readonly headers: readonly Header[]
  /** Null for 304, 204, 308 and HEAD. Long bodies are sent in pieces. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  readonly source: ReplySource
}

/** The CORS headers of every reply, which allow pages of any origin to read it. */
export const corsHeaders: readonly Header[] = [
  ['access-control-allow-origin', '*'],
  [
    'access-control-expose-headers',
    'ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Ignored-Parameters, X-Request-Id',
  ],
]

/** Headers of the reply to OPTIONS. */
export const preflightHeaders: readonly Header[] = [
  ...corsHeaders,
  ['access-control-allow-methods', 'GET, HEAD, OPTIONS'],
  ['access-control-allow-headers', 'Authorization, If-None-Match'],
  ['access-control-max-age', '86400'],
  ['allow', 'GET, HEAD, OPTIONS'],
]

/** Returns a reply that only pages of an origin may read; no page for null. */
export function forOrigin({ headers, ...rest }: HttpReply, origin: string | null): HttpReply {
  const others = headers.filter(([name]) => name !== 'access-control-allow-origin')
  const own: Header[] = origin === null ? [] : [['access-control-allow-origin', origin]]
  return { ...rest, headers: [...others, ...own, ['vary', 'Origin']] }
}

/** The default `Cache-Control` of v1. */
const publicControl = 'public, max-age=60, s-maxage=300, stale-while-revalidate=86400'

/**
 * Returns `Cache-Control` that ends with the next publication or expiry in the workspace. If there is one, it omits the
 * times for stale responses, because shortened times would reveal it a day ahead.
 *
 * @param validUntil end of validity of the whole workspace, never of a filtered list; `Infinity` for none
 * @param control `Cache-Control` of v1
 */
export function cacheControl(
  version: Version,
  validUntil: number,
  now: number,
  control: string = publicControl,
): string {
  const left = Math.max(0, Math.floor((validUntil - now) / 1000))
  const cut = (age: string | number) => Math.min(Number(age), left)
  if (version === 'v2') return `private, max-age=${cut(60)}`
  if (left === Number.POSITIVE_INFINITY) return control
  return control
    .replace(/, ?stale-[a-z-]+=\d+/g, '')
    .replace(/(?<=max-?age=)\d+/g, (age) => String(cut(age)))
}

/** Compares ETags weakly (RFC 9110 §13.1.2). An ETag with the suffix of an encoding, `"…-br"`, also matches. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch === etag) return true
  return ifNoneMatch.split(',').some((item) => {
    const tag = item
      .trim()
      .replace(/^W\//, '')
      .replace(/-(br|gzip|deflate)"$/, '"')
    return tag === '*' || tag === etag
  })
}

/** Returns a header with the names of ignored parameters, without keys; none if there are no such parameters. */
export function ignoredHeaders(target: Target, pairs: Pairs): readonly Header[] {
  const names = ignoredParameters(target, pairs)
  const shown = new Set(names.map(maskCleartextKeys).map(encodeURIComponent))
  return shown.size === 0 ? [] : [['x-ignored-parameters', [...shown].join(', ')]]
}

/** Returns the headers with the state of the client's rate limit. */
export function rateHeaders(state: RateState | null): readonly Header[] {
  if (state === null) return []
  const headers: Header[] = [
    ['ratelimit-limit', String(state.limit)],
    ['ratelimit-remaining', String(state.remaining)],
    ['ratelimit-reset', String(state.resetSeconds)],
  ]
  if (!state.isAllowed) headers.push(['retry-after', String(state.resetSeconds)])
  return headers
}

/** A header for development only, because duration and source depend on the data that was read. */
export function timingHeader({ source }: HttpReply, milliseconds: number): Header {
  return ['server-timing', `app;dur=${milliseconds.toFixed(2)};desc="${source}"`]
}
