// The client: lists, single resources, and iteration over all pages.
import type { Collection, ItemCollection, PostCollection } from './collections.ts'
import { ContentError, type Result, unwrap } from './failure.ts'
import { type ClientOptions, read, siteFunction } from './read.ts'
import type {
  Author,
  Changes,
  CollectionCount,
  CollectionsOf,
  CountedTerm,
  FieldValue,
  Page,
  Redirect,
  Singleton,
  SiteTypes,
  SlugOf,
} from './resources.ts'
import type { RequestOptions } from './transport.ts'
import type { Query } from './url.ts'

/** A client of one workspace, with one member for each kind of resource. */
export interface Client<Site extends SiteTypes = SiteTypes> {
  readonly posts: PostCollection<Site>
  readonly categories: Terms<Site, 'categories'>
  readonly tags: Terms<Site, 'tags'>
  readonly authors: Collection<Author<SlugOf<Site, 'authors'>>, SlugOf<Site, 'authors'>, Site>
  /** The items of a collection. */
  collection<Name extends keyof CollectionsOf<Site> & string>(
    name: Name,
  ): ItemCollection<CollectionsOf<Site>[Name]>
  /** Lists the collections and the number of their items. */
  collections(init?: RequestOptions): Promise<Result<readonly CollectionCount[]>>
  /** Fetches a singleton. */
  singleton<Fields = FieldValue>(
    name: string,
    query?: { readonly format?: 'html' | 'markdown'; readonly locale?: string },
    init?: RequestOptions,
  ): Promise<Result<Singleton<Fields>>>
  /** Lists old slugs of posts and their current slugs, for a router that redirects on its own. */
  redirects(init?: RequestOptions): Promise<Result<readonly Redirect[]>>
  /**
   * Lists changes since a build. Fails with the error of a 410 when the changes since `since` are no longer
   * stored.
   *
   * @param since the `build` of an earlier result. @default all stored changes
   */
  changes(since?: string, init?: RequestOptions): Promise<Result<Changes>>
  /**
   * With `site`, fetches all data of the workspace: then browsers need no network for any query.
   *
   * @throws when it cannot be fetched
   */
  sync(): Promise<void>
}

type Terms<Site extends SiteTypes, Kind extends 'categories' | 'tags'> = Collection<
  CountedTerm<SlugOf<Site, Kind>>,
  SlugOf<Site, Kind>,
  Site
>

/**
 * Returns a client.
 *
 * ```ts
 * const content = createClient({ url: 'https://content.example.com', workspace: 'handbook' })
 * const result = await content.posts.list({ tags: ['caching'], limit: 5 })
 * if (result.ok) for (const post of result.data.items) console.log(post.title)
 * ```
 *
 * `createClient<Site>(…)` adds the types of a workspace's names and custom fields; `quarry schema` writes `Site`.
 *
 * @throws TypeError when `url` is missing
 */
export function createClient<Site extends SiteTypes = SiteTypes>(
  options: ClientOptions,
): Client<Site> {
  // An unset environment variable.
  if (!options.url) throw new TypeError('createClient needs the `url` of the API.')
  // The types describe the responses; tests check that the API agrees with them.
  return {
    posts: collection('posts', options),
    categories: collection('categories', options),
    tags: collection('tags', options),
    authors: collection('authors', options),
    collection: (name: string) => collection(`collections/${encodeURIComponent(name)}`, options),
    collections: (init?: RequestOptions) => listOf('collections', options, init),
    singleton: async (identifier: string, query: Query = {}, init?: RequestOptions) => {
      const result = await read(options, { kind: 'singletons', identifier, query }, init)
      return result.ok ? { ok: true, data: result.data['singleton'] } : result
    },
    redirects: (init?: RequestOptions) => listOf('redirects', options, init),
    changes: (since?: string, init?: RequestOptions) =>
      read(options, { kind: 'changes', query: { since } }, init),
    sync: async () => {
      if (options.site) await (await siteFunction(options)).sync(options.workspace ?? '')
    },
  } as unknown as Client<Site>
}

async function listOf(kind: string, options: ClientOptions, init: RequestOptions | undefined) {
  const result = await read(options, { kind, query: {} }, init)
  return result.ok ? { ok: true, data: result.data[kind] } : result
}

function collection(kind: string, options: ClientOptions) {
  const list = async (query: Query = {}, init?: RequestOptions): Promise<Result<Page<unknown>>> => {
    const result = await read(options, { kind, query }, init)
    if (!result.ok) return result
    const { [kind.includes('/') ? 'items' : kind]: items, ...rest } = result.data
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
      // Empty, `.`, `..` and lone surrogates would make another URL or none; no resource has such a name. Plain
      // JavaScript may pass undefined.
      if (!identifier || /^\.{1,2}$|\p{Cs}/u.test(identifier)) return noSuchName
      const result = await read(options, { kind, identifier, query }, init)
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

const noSuchName: Result<never> = {
  ok: false,
  error: { type: 'not-found', message: 'No resource has such an identifier.' },
}
