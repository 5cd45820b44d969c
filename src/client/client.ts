// A client for the content API: lists, single resources, and iteration over all pages. Needs `fetch` alone.
// Knows nothing of how a request is sent.
import { type Result, unwrap } from './failure.ts'
import type {
  Author,
  CountedTerm,
  CustomFields,
  Page,
  Pagination,
  Post,
  PostQuery,
  TermQuery,
  WithPosts,
} from './resources.ts'
import { type RequestOptions, send, type TransportOptions } from './transport.ts'

/** Where the API is, and as whom it is asked: with a key (v2), or of a workspace (v1). */
export type ClientOptions = TransportOptions & {
  /** `https://content.example.com`; a path in it is kept. */
  readonly url: string
} & (
    | { readonly key: string; readonly workspace?: undefined }
    | { readonly workspace: string; readonly key?: undefined }
  )

/** A kind of resource. */
export interface Collection<Item, ListQuery, SingleQuery> {
  /** One page. */
  list(query?: ListQuery, options?: RequestOptions): Promise<Result<Page<Item>>>
  /** One resource, by slug or id. */
  get(identifier: string, query?: SingleQuery, options?: RequestOptions): Promise<Result<Item>>
  /**
   * Every item, page after page; the next page is asked for when it is needed.
   *
   * @throws ContentError when a page cannot be had
   */
  all(query?: ListQuery, options?: RequestOptions): AsyncGenerator<Item, void, undefined>
}

/** All kinds of resources; `Fields` are those that the workspace gives its posts. */
export interface Client<Fields extends object | undefined = CustomFields | undefined> {
  readonly posts: Collection<Post<Fields>, PostQuery, Pick<PostQuery, 'format'>>
  readonly categories: Collection<CountedTerm & WithPosts, TermQuery, TermQuery>
  readonly tags: Collection<CountedTerm & WithPosts, TermQuery, TermQuery>
  readonly authors: Collection<Author & WithPosts, TermQuery, TermQuery>
}

/**
 * A client.
 *
 * ```ts
 * const content = createClient({ url: 'https://content.example.com', workspace: 'handbook' })
 * const result = await content.posts.list({ tags: ['caching'], limit: 5 })
 * if (result.ok) for (const post of result.data.items) console.log(post.title)
 * ```
 *
 * `createClient<Fields>(…)` gives posts the fields of a workspace; `quarry schema` writes that type.
 */
export function createClient<Fields extends object | undefined = CustomFields | undefined>(
  options: ClientOptions,
): Client<Fields> {
  return {
    posts: collection('posts', 'post', options),
    categories: collection('categories', undefined, options),
    tags: collection('tags', undefined, options),
    authors: collection('authors', undefined, options),
  }
}

/** A query of any kind: lists are joined with commas. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** @param wrapper the key under which a single resource stands; undefined for none */
function collection<Item, ListQuery extends object, SingleQuery extends object>(
  kind: string,
  wrapper: string | undefined,
  options: ClientOptions,
): Collection<Item, ListQuery, SingleQuery> {
  const ask = (path: string, query: object | undefined, request: RequestOptions | undefined) =>
    send(addressOf(options, `${kind}${path}`, { ...query }), headersOf(options), options, {
      ...request,
    })
  const list = async (query?: ListQuery, request?: RequestOptions): Promise<Result<Page<Item>>> => {
    const result = await ask('', query, request)
    if (!result.ok) return result
    const data = result.data as Readonly<Record<string, unknown>>
    const items = data[kind] as readonly Item[]
    return { ok: true, data: { items, pagination: data['pagination'] as Pagination } }
  }
  return {
    list,
    get: async (identifier, query, request) => {
      // As a path these are other addresses; no resource has such a name.
      if (/^\.{0,2}$/.test(identifier)) return nobody
      const result = await ask(`/${encodeURIComponent(identifier)}`, query, request)
      if (!result.ok || wrapper === undefined) return result as Result<Item>
      return { ok: true, data: (result.data as Record<string, Item>)[wrapper] as Item }
    },
    async *all(query, request) {
      for (let page: number | null = 1; page !== null; ) {
        const { items, pagination }: Page<Item> = unwrap(
          await list({ ...(query as ListQuery), page }, request),
        )
        yield* items
        page = pagination.nextPage
      }
    },
  }
}

const nobody: Result<never> = {
  ok: false,
  error: { type: 'not-found', message: 'No resource has such an identifier.' },
}

function addressOf({ url, workspace }: ClientOptions, path: string, query: Query): string {
  const base = workspace === undefined ? 'v2' : `v1/${encodeURIComponent(workspace)}`
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString()
  return `${url.replace(/\/+$/, '')}/${base}/${path}${search === '' ? '' : `?${search}`}`
}

function headersOf({ key }: ClientOptions): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` }
}
