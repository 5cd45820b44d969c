// What the service says of itself: its state, its interface and where to begin.
// Knows nothing of content.
import { openApiDocument } from '../api/openapi.ts'
import { operations } from '../api/routes.ts'
import type { HttpRequest } from './http.ts'
import type { ServedSite } from './site.ts'

/** The JSON of a path about the service; null for every other path. */
export function serviceJson(path: string, site: ServedSite): string | null {
  if (path === '/status') return JSON.stringify({ status: 'ok', build: site.build })
  if (path === '/openapi.json') return JSON.stringify(openApiDocument())
  if (path !== '/') return null
  return JSON.stringify({
    service: 'quarry',
    build: site.build,
    openapi: '/openapi.json',
    operations: operations.map(({ template }) => `GET ${template}`),
  })
}

/** True for browsers: they name HTML in `Accept`, where programs take anything. */
export function wantsPage(request: HttpRequest): boolean {
  return /\btext\/html\b/i.test(request.header('accept') ?? '')
}
