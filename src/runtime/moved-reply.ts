// Redirects from an old slug of a post to the post.
import { type CacheTimes, cacheControl, corsHeaders } from './headers.ts'
import type { Header, HttpReply } from './http.ts'
import type { RequestContext } from './request-context.ts'
import type { RouteMatch } from './route-match.ts'

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
