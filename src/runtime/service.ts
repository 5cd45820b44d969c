// Responses about the service: its status, its OpenAPI description and its start page.

import { hex, utf8 } from '../api/bytes.ts'
import { operations } from '../api/routes.ts'
import { sha256 } from '../api/sha256.ts'
import type { Header, HttpRequest } from './http.ts'
import type { ServiceDocument } from './replies.ts'
import type { ServedSite, SiteHead } from './site.ts'

/** The JSON of `/status`. */
export function statusJson({ build }: SiteHead): Uint8Array {
  return encode({ status: 'ok', build })
}

/** The documents of `/` and `/openapi.json`; each is hashed once. */
export class ServiceDocuments {
  readonly #etags = new WeakMap<Uint8Array, string>()

  /** Null for every other path. @param page the page that `/` shows to browsers; null for JSON */
  find(
    path: string,
    { build, openapi }: ServedSite,
    page: Uint8Array | null,
  ): ServiceDocument | null {
    if (path === '/openapi.json') return this.#document(openapi, 'application/json', [])
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
