// The handler for Netlify Functions, and headers for Netlify's own cache, which stores v1 responses until the next
// deployment empties it. https://docs.netlify.com/build/caching/caching-overview, read on 2026-11-23

import { decidingParameters } from '../api/paths.ts'
import type { ServedSite } from '../runtime/site.ts'
import { functionFolder } from './folder.ts'
import { createFunctionHandler } from './function.ts'

/** The fields of Netlify's context that the handler reads. */
export interface NetlifyContext {
  /** The client's address as seen by Netlify's edge. */
  readonly ip?: string
}

/** The default export of a function. */
export type NetlifyHandler = (request: Request, context: NetlifyContext) => Promise<Response>

/**
 * Returns a Netlify function for the function's files.
 *
 * @param folder the folder of the function's files, ending in `/`
 */
export function createNetlifyHandler(folder: URL): NetlifyHandler {
  let hasFields = false
  const onSite = ({ workspaces }: ServedSite) => {
    hasFields = [...workspaces.values()].some(
      ({ isV1Private, fields = [] }) => !isV1Private && fields.length > 0,
    )
  }
  const handler = createFunctionHandler({ ...functionFolder(folder), hasResponses: true, onSite })
  return async (request, { ip = '' }) =>
    withEdgeCache(request, await handler(request, ip), hasFields)
}

/** In seconds. Without scheduled posts, only a deployment changes the response. */
const untilNextDeployment = 31_536_000

/**
 * Adds the headers for Netlify's cache to a cacheable response.
 *
 * Netlify's cache key is the path and the parameters of `Netlify-Vary`, so a cached response must depend on nothing
 * else. Responses that name ignored parameters are not cached. Neither are queries that Netlify could parse
 * differently (`%70age=2`, `page=1&page=2`). Rate-limit headers belong to one client and are removed.
 *
 * @param hasFields true when custom fields are filters: the cache key then includes every parameter, because names
 *   such as `fields.rating[gte]` are too many for a list
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

/** Returns null for uncacheable responses: v2, errors, and methods other than GET. */
function keptSeconds(
  { method, url }: Pick<Request, 'method' | 'url'>,
  { status, headers }: Response,
): number | null {
  const control = headers.get('cache-control') ?? ''
  if (method !== 'GET' || status !== 200 || !control.startsWith('public,')) return null
  if (headers.has('x-ignored-parameters') || !isPlain(new URL(url).search.slice(1))) return null
  // Present exactly when the workspace has no scheduled posts.
  if (control.includes('stale-while-revalidate=')) return untilNextDeployment
  return Number(/\bs-maxage=(\d+)/.exec(control)?.[1] ?? 0)
}

/** True for a query that every parser splits alike: no escapes and no repeated names. */
function isPlain(query: string): boolean {
  const names = query.split('&').map((part) => part.split('=', 1)[0])
  return /^[\w.~,=&-]*$/.test(query) && new Set(names).size === names.length
}
