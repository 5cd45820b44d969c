// The handler for Netlify Functions, and headers for Netlify's own cache, which stores v1 responses until the next
// deployment empties it. https://docs.netlify.com/build/caching/caching-overview, read on 2026-11-23
import { decidingParameters } from '../api/paths.ts'
import { allRows } from '../runtime/open-build.ts'
import { functionHost } from './folder.ts'
import { createFunctionHandler } from './function.ts'

/**
 * Returns a Netlify function for the function's files in a folder, whose URL ends in `/`. Its context has the client's
 * address as seen by Netlify's edge.
 */
export function createNetlifyHandler(
  folder: URL,
): (request: Request, context: { readonly ip?: string }) => Promise<Response> {
  let vary = ''
  const handler = createFunctionHandler({
    ...functionHost(folder),
    onSite: ({ workspaces }) => {
      const open = [...workspaces.values()].filter(({ isV1Private }) => !isV1Private)
      // Filters by custom fields, such as `fields.rating[gte]`, have too many names for a list.
      const rows = open.flatMap(allRows)
      const hasMore = rows.some(({ fields = [], locale }) => fields.length > 0 || locale)
      vary = hasMore ? 'query' : `query=${decidingParameters.join('|')}`
    },
  })
  return async (request, { ip = '' }) => withEdgeCache(request, await handler(request, ip), vary)
}

/**
 * Adds the headers for Netlify's cache to a cacheable response.
 *
 * Netlify's cache key is the path and the parameters of `Netlify-Vary`, so a cached response must depend on nothing
 * else. Responses that name ignored parameters are not cached. Neither are queries that Netlify could parse
 * differently (`%70age=2`, `page=1&page=2`). Rate-limit headers belong to one client and are removed.
 */
function withEdgeCache({ method, url }: Request, response: Response, vary: string): Response {
  const { status } = response
  const control = response.headers.get('cache-control') ?? ''
  const isCacheable = method === 'GET' && status === 200 && control.startsWith('public,')
  const isIgnoring = response.headers.has('x-ignored-parameters')
  // The cache key does not contain the origin.
  const isOfOrigin = /\borigin\b/i.test(response.headers.get('vary') ?? '')
  if (!isCacheable || isIgnoring || isOfOrigin || !isPlainQuery(new URL(url).search.slice(1)))
    return response
  const headers = new Headers(response.headers)
  for (const name of ['limit', 'remaining', 'reset']) headers.delete(`ratelimit-${name}`)
  // The directive is present if no scheduled post can change the response. Then only a deployment or an origin can.
  const isUntilDeployment =
    control.includes('stale-while-revalidate=') && !process.env['QUARRY_SITE']
  const seconds = isUntilDeployment ? 31_536_000 : (/\bs-maxage=(\d+)/.exec(control)?.[1] ?? 0)
  headers.set('netlify-cdn-cache-control', `public, durable, max-age=${seconds}`)
  headers.set('netlify-vary', vary)
  return new Response(response.body, { status, headers })
}

/** Reports whether every parser splits a query in the same way: it has no escapes and no repeated names. */
function isPlainQuery(query: string): boolean {
  const names = query.split('&').map((part) => part.split('=', 1)[0])
  return /^[\w.~,=&-]*$/.test(query) && new Set(names).size === names.length
}
