// The headers around an answer: caches, cross-origin use and conditional requests.
// Knows nothing of routes and bodies.
import type { Version } from '../api/request.ts'
import type { Header } from './http.ts'

/** On every reply: any page may read it. */
export const corsHeaders: readonly Header[] = [
  ['access-control-allow-origin', '*'],
  [
    'access-control-expose-headers',
    'ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id',
  ],
]

/** On the reply to OPTIONS. */
export const preflightHeaders: readonly Header[] = [
  ...corsHeaders,
  ['access-control-allow-methods', 'GET, HEAD, OPTIONS'],
  ['access-control-allow-headers', 'Authorization, If-None-Match'],
  ['access-control-max-age', '86400'],
  ['allow', 'GET, HEAD, OPTIONS'],
]

/**
 * How long an answer may be kept: v1 by everyone, v2 by its asker alone, neither beyond the moment at which
 * it ceases to be true.
 *
 * @param validUntil milliseconds since 1970, null for ever
 */
export function cacheControl(version: Version, validUntil: number | null, now: number): string {
  const left =
    validUntil === null
      ? Number.POSITIVE_INFINITY
      : Math.max(0, Math.floor((validUntil - now) / 1000))
  const maxAge = Math.min(60, left)
  if (version === 'v2') return `private, max-age=${maxAge}`
  const stale = Math.min(86_400, Math.max(0, left - Math.min(300, left)))
  return `public, max-age=${maxAge}, s-maxage=${Math.min(300, left)}, stale-while-revalidate=${stale}`
}

/** True when `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  return ifNoneMatch.split(',').some((item) => {
    const tag = item.trim().replace(/^W\//, '')
    return tag === '*' || tag === etag
  })
}
