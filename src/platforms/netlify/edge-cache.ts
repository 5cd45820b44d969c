// The headers by which Netlify's own cache keeps responses of v1 until the next deployment, which empties it.
// https://docs.netlify.com/build/caching/caching-overview, read on 2026-11-23
import { decidingParameters } from '../../api/served-files.ts'

/** In seconds. Nothing is scheduled: only a deployment changes the response. */
const untilNextDeployment = 31_536_000

/**
 * A response with the headers for Netlify's cache, where it may keep the response.
 *
 * A cache of Netlify knows a request by its path and the parameters of `Netlify-Vary`. A kept response therefore
 * depends on nothing else: none that names ignored parameters, and none to a query whose spelling Netlify could read
 * in another way (`%70age=2`, `page=1&page=2`). Counts of a rate limit are those of another client, and are removed.
 *
 * @param hasFields true where custom fields are filters: then every parameter is a part of the cache's key, because
 *   names such as `fields.rating[gte]` are more than a list can have
 */
export function withEdgeCache(
  request: Pick<Request, 'method' | 'url'>,
  response: Response,
  hasFields = false,
): Response {
  const seconds = keptSeconds(request, response)
  if (seconds === null) return response
  const headers = new Headers(response.headers)
  for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'])
    headers.delete(name)
  headers.set('netlify-cdn-cache-control', `public, durable, max-age=${seconds}`)
  headers.set('netlify-vary', hasFields ? 'query' : `query=${decidingParameters.join('|')}`)
  return new Response(response.body, { status: response.status, headers })
}

/** Null for what is not kept: v2, errors, and everything but GET. */
function keptSeconds(
  { method, url }: Pick<Request, 'method' | 'url'>,
  { status, headers }: Response,
): number | null {
  const control = headers.get('cache-control') ?? ''
  if (method !== 'GET' || status !== 200 || !control.startsWith('public,')) return null
  if (headers.has('x-ignored-parameters') || !isPlain(new URL(url).search.slice(1))) return null
  // Present exactly where nothing is scheduled in the workspace.
  if (control.includes('stale-while-revalidate=')) return untilNextDeployment
  return Number(/\bs-maxage=(\d+)/.exec(control)?.[1] ?? 0)
}

/** True for a query that every reader splits alike: no escape, and no name twice. */
function isPlain(query: string): boolean {
  const names = query.split('&').map((part) => part.split('=', 1)[0])
  return /^[\w.~,=&-]*$/.test(query) && new Set(names).size === names.length
}
