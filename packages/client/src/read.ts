// Reads a list or a resource: from its precomputed file when the client prefers files, else from the API.
import { failureOf, type Result, recordOf } from './failure.ts'
import type { SiteFunction } from './site.ts'
import { type RequestOptions, send, type TransportOptions } from './transport.ts'
import { fileOf, pathOf, type Query, searchOf } from './url.ts'

/** The URL of the API and the workspace: that of a key (v2), or a public one (v1). */
export type ClientOptions = TransportOptions & {
  /** `https://content.example.com`; a path in it is preserved. */
  readonly url: string
} & (
    | {
        readonly key: string
        readonly workspace?: undefined
        readonly files?: undefined
        readonly site?: undefined
      }
    | {
        readonly workspace: string
        readonly key?: undefined
        /**
         * Requests precomputed files by their own URLs, and falls back to the API when there is no file. For hosts
         * without a function, which ignore the query string. @default false
         */
        readonly files?: boolean
        /**
         * Responds by itself to what has no file, over the files of a build with `browser: true`. For hosts without a
         * function; implies `files`. @default false
         */
        readonly site?: boolean
      }
  )

/** The requested resource. */
interface Target {
  readonly kind: string
  /** Absent for a list. */
  readonly identifier?: string
  readonly query: Query
}

type Body = Readonly<Record<string, unknown>>

/** Returns the body of a response. A response that is not the API's becomes the failure `unexpected`. */
export async function read(
  options: ClientOptions,
  target: Target,
  init?: RequestOptions,
): Promise<Result<Body>> {
  const { kind, identifier, query } = target
  const isDocument = documents.includes(kind)
  const file =
    !(options.files || options.site) || query['since']
      ? null
      : isDocument
        ? '.json'
        : fileOf(kind, identifier, query)
  if (file !== null) {
    const found = await get(options, target, file, init)
    // With a site the function decides: its host may be out of reach, or send a page for every file.
    if (found.ok || !(options.site || found.error.type === 'not-found')) return found
  }
  const name = identifier === undefined ? '' : `/${pathOf(identifier, kind)}`
  const path = `${name}${searchOf(query, kind)}`
  if (!options.site) return get(options, target, path, init)
  const ask: typeof fetch = async (input, sent) => {
    const respond = await siteFunction(options)
    return respond(new Request(input, sent))
  }
  return get({ ...options, fetch: ask }, target, path, init)
}

/** The function of a site, whose loader is imported when it is needed. */
export async function siteFunction({
  url,
  fetch,
}: Pick<ClientOptions, 'url' | 'fetch'>): Promise<SiteFunction> {
  const { functionOf } = await import('./site.ts')
  return functionOf(`${rootOf(url)}/`, fetch)
}

/** @param path relative to the path of the kind */
async function get(
  options: ClientOptions,
  target: Target,
  path: string,
  init: RequestOptions | undefined,
): Promise<Result<Body>> {
  const { url, workspace, key } = options
  const scope = workspace === undefined ? 'v2' : `v1/${encodeURIComponent(workspace)}`
  const base = `${rootOf(url)}/${scope}/${target.kind}`
  const result = await send(`${base}${path}`, key && `Bearer ${key}`, options, init)
  if (!result.ok) return result
  const data = recordOf(result.data)
  if (isBodyOf(target, data)) return { ok: true, data }
  return { ok: false, error: failureOf(200, undefined, 0) }
}

/** The URL without slashes at its end. */
function rootOf(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end -= 1
  return url.slice(0, end)
}

function isBodyOf({ kind, identifier }: Target, data: Body): boolean {
  const { nextPage } = recordOf(data['pagination'])
  const isPaged = nextPage === null || typeof nextPage === 'number'
  if (identifier === undefined)
    return (
      Array.isArray(data[kind.includes('/') ? 'items' : kind]) &&
      (isPaged || documents.includes(kind))
    )
  return 'id' in recordOf(data['post'] ?? data['item'] ?? data) || 'singleton' in data
}

/** Lists without pages. */
const documents: readonly string[] = ['redirects', 'changes', 'collections']
