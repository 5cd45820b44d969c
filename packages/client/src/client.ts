// The client: lists, single resources, and iteration over all pages. Responses come from precomputed files if the
// client prefers files, otherwise from the API.
import { ContentError, failureOf, type Result, recordOf, unwrap } from './failure.ts'
import type { SiteFunction } from './site.ts'
import { type RequestOptions, send, type TransportOptions } from './transport.ts'
import type {
  Changes,
  Collection,
  CollectionCount,
  CollectionsOf,
  FieldValue,
  ItemQuery,
  Page,
  PostQuery,
  Redirect,
  SearchableCollection,
  SingleItemQuery,
  SinglePostQuery,
  Singleton,
  SiteTypes,
  TermQuery,
} from './types.ts'
import { fileOf, pathOf, type Query, searchOf } from './url.ts'

/** The URL of the API, and a key (v2) or a public workspace (v1). */
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
         * Requests precomputed files by their own URLs, and falls back to the API if there is no file. For hosts
         * without a function, which ignore the query string. @default false
         */
        readonly files?: boolean
        /**
         * Makes responses that have no file in the client, from the files of a build with `browser: true`. For hosts
         * without a function; implies `files`. @default false
         */
        readonly site?: boolean
      }
  )

/** A client of one workspace, with one member for each kind of resource. */
export interface Client<Site extends SiteTypes = SiteTypes> {
  readonly posts: SearchableCollection<Site, 'posts', PostQuery<Site>, SinglePostQuery<Site>>
  readonly categories: Collection<Site, 'categories', TermQuery, TermQuery>
  readonly tags: Collection<Site, 'tags', TermQuery, TermQuery>
  readonly authors: Collection<Site, 'authors', TermQuery, TermQuery>
  /** The items of a collection. */
  collection<Name extends keyof CollectionsOf<Site> & string>(
    name: Name,
  ): SearchableCollection<
    Site,
    `collections/${Name}`,
    ItemQuery<CollectionsOf<Site>[Name]>,
    SingleItemQuery<CollectionsOf<Site>[Name]>
  >
  /** Lists the collections and the number of their items. */
  collections(init?: RequestOptions): Promise<Result<readonly CollectionCount[]>>
  /** Fetches a singleton. */
  singleton<Fields = FieldValue>(
    name: string,
    query?: { readonly format?: 'html' | 'markdown'; readonly locale?: string },
    init?: RequestOptions,
  ): Promise<Result<Singleton<Fields>>>
  /** Lists former slugs of posts and their current slugs, for a router that redirects. */
  redirects(init?: RequestOptions): Promise<Result<readonly Redirect[]>>
  /** @param since the `build` of an earlier result; a 410 if it is no longer stored. @default all stored changes */
  changes(since?: string, init?: RequestOptions): Promise<Result<Changes>>
  /** With `site`, fetches all data of the workspace, so that no query needs the network. @throws if it fails */
  sync(): Promise<void>
}

/**
 * Returns a client. `createClient<Site>(…)` adds the types of a workspace's names and custom fields; `quarry schema`
 * writes `Site`.
 *
 * @throws TypeError if `url` is missing, or has no scheme
 */
export function createClient<Site extends SiteTypes = SiteTypes>(
  given: ClientOptions,
): Client<Site> {
  const { url } = given
  // An environment variable may be unset, or lack the scheme. A browser resolves a path against its page.
  if (!/^(?:[a-z][a-z\d+.-]*:\/)?\/|^\./i.test(url))
    throw new TypeError(`createClient needs a \`url\` such as http://${url || 'localhost:4321'}`)
  const options = { ...given, url: url.replace(/(?<!\/)\/+$/, '') } as ClientOptions
  const member = async (name: string, kind: string, asked: Asked, init?: RequestOptions) => {
    const result = await read(options, kind, asked, init)
    return result.ok ? { ok: true, data: result.data[name] } : result
  }
  // The types describe the responses; tests check that the API agrees with them.
  return {
    posts: collection('posts', options),
    categories: collection('categories', options),
    tags: collection('tags', options),
    authors: collection('authors', options),
    collection: (name: string) => collection(`collections/${encodeURIComponent(name)}`, options),
    collections: (init?: RequestOptions) => member('collections', 'collections', {}, init),
    singleton: (name: string, query: Query = {}, init?: RequestOptions) =>
      member('singleton', 'singletons', { query, identifier: name }, init),
    redirects: (init?: RequestOptions) => member('redirects', 'redirects', {}, init),
    changes: (since?: string, init?: RequestOptions) =>
      read(options, 'changes', { query: { since } }, init),
    sync: async () => {
      if (options.site) await (await siteFunction(options)).sync(options.workspace ?? '')
    },
  } as unknown as Client<Site>
}

function collection(kind: string, options: ClientOptions) {
  const list = async (query: Query = {}, init?: RequestOptions): Promise<Result<Page<unknown>>> => {
    const result = await read(options, kind, { query }, init)
    if (!result.ok) return result
    const { [listName(kind)]: items, ...rest } = result.data
    return { ok: true, data: { ...rest, items } as Page<unknown> }
  }
  async function* pages(query: Query = {}, init?: RequestOptions) {
    for (let page = query['page'] as number | null | undefined; page !== null; ) {
      const data: Page<unknown> = unwrap(await list({ ...query, page }, init))
      yield data
      page = data.pagination.nextPage
    }
  }
  async function* all(query?: Query, init?: RequestOptions) {
    for await (const { items } of pages(query, init)) yield* items
  }
  return {
    list,
    pages,
    all,
    search: (text: string, query?: Query, init?: RequestOptions) =>
      list({ ...query, query: text }, init),
    get: async (identifier: string, query: Query = {}, init?: RequestOptions) => {
      // JavaScript code may pass undefined.
      const result = await read(options, kind, { identifier: identifier ?? '', query }, init)
      if (!result.ok) return result
      const { post, item, ...rest } = result.data
      return { ok: true, data: { ...(post ?? item ?? {}), ...rest } }
    },
    collect: async (query?: Query, init?: RequestOptions): Promise<Result<readonly unknown[]>> => {
      const data: unknown[] = []
      try {
        for await (const item of all(query, init)) data.push(item)
        return { ok: true, data }
      } catch (error) {
        if (error instanceof ContentError) return { ok: false, error: error.failure }
        throw error
      }
    },
  }
}

type Body = Readonly<Record<string, unknown>>

/** The identifier is absent for a list. */
interface Asked {
  readonly identifier?: string
  readonly query?: Query
}

/** Lists without pages. */
const documents: readonly string[] = ['redirects', 'changes', 'collections']

function listName(kind: string): string {
  return kind.includes('/') ? 'items' : kind
}

/** Returns the body of a response. A response that is not from the API becomes the failure `unexpected`. */
async function read(
  options: ClientOptions,
  kind: string,
  { identifier, query = {} }: Asked,
  init: RequestOptions | undefined,
): Promise<Result<Body>> {
  // Empty segments, `.`, `..` and lone surrogates make a wrong URL or none.
  if (identifier !== undefined && /(?:^|\/)\.{0,2}(?:\/|$)|\p{Cs}/u.test(identifier))
    return { ok: false, error: failureOf(404, { message: 'No resource has this identifier.' }, 0) }
  const { url, workspace, key } = options
  const scope = workspace === undefined ? 'v2' : `v1/${encodeURIComponent(workspace)}`
  const isDocument = documents.includes(kind)
  const isBody = (data: Body): boolean => {
    if (identifier !== undefined)
      return 'id' in recordOf(data['post'] ?? data['item'] ?? data) || 'singleton' in data
    const { nextPage } = recordOf(data['pagination'])
    const isPaged = isDocument || nextPage === null || typeof nextPage === 'number'
    return isPaged && Array.isArray(data[listName(kind)])
  }
  const get = async (path: string, transport: TransportOptions): Promise<Result<Body>> => {
    const from = `${url}/${scope}/${kind}${path}`
    const result = await send(from, key && `Bearer ${key}`, transport, init)
    if (!result.ok) return result
    const data = recordOf(result.data)
    return isBody(data) ? { ok: true, data } : { ok: false, error: failureOf(200, undefined, 0) }
  }
  const hasFiles = (options.files || options.site) && !query['since']
  const file = hasFiles ? (isDocument ? '.json' : fileOf(kind, identifier, query)) : null
  if (file !== null) {
    const found = await get(file, options)
    // With `site`, the function always responds next: its host may be unreachable, or send a page for every file.
    if (found.ok || !(options.site || found.error.type === 'not-found')) return found
  }
  const ask: typeof fetch = async (input, sent) =>
    (await siteFunction(options))(new Request(input, sent))
  const name = identifier === undefined ? '' : `/${pathOf(identifier, kind)}`
  const path = `${name}${searchOf(query, kind)}`
  return get(path, options.site ? { ...options, fetch: ask } : options)
}

/** Returns the function of a site. Imports its loader when it is needed. */
async function siteFunction({ url, fetch }: ClientOptions): Promise<SiteFunction> {
  const { functionOf } = await import('./site.ts')
  return functionOf(`${url}/`, fetch)
}
