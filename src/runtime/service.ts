// What the service says of itself: its state, its interface and where to begin.
// Knows nothing of content.

import { utf8 } from '../api/bytes.ts'
import { operations } from '../api/routes.ts'
import type { HttpRequest } from './http.ts'
import type { ServedSite } from './site.ts'

/** The JSON of a path about the service; null for every other path. */
export function serviceJson(path: string, { build, openapi }: ServedSite): Uint8Array | null {
  if (path === '/status') return encode({ status: 'ok', build })
  if (path === '/openapi.json') return openapi
  if (path !== '/') return null
  const paths = operations.map(({ template }) => `GET ${template}`)
  return encode({ service: 'quarry', build, openapi: '/openapi.json', operations: paths })
}

function encode(value: object): Uint8Array {
  return utf8(JSON.stringify(value))
}

/** True for browsers: they name HTML in `Accept`, where programs take anything. */
export function wantsPage(request: HttpRequest): boolean {
  return /\btext\/html\b/i.test(request.header('accept') ?? '')
}
