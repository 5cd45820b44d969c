// The operations of each kind of resource. Types only.
import type { Result } from './failure.ts'
import type {
  ItemQuery,
  PostOf,
  PostPage,
  PostQuery,
  SinglePostOf,
  SinglePostQuery,
  TermQuery,
  WithPosts,
} from './queries.ts'
import type { CollectionTypes, Item, ItemSummary, Page, SiteTypes, SlugOf } from './resources.ts'
import type { RequestOptions } from './transport.ts'

/** Completes known slugs in editors; accepts any other slug or id as well. */
type Identifier<Slug extends string> = Slug | (string & NoQuery)

/** The query of a call without one. */
type NoQuery = Readonly<Record<never, never>>

/** The posts of a site. */
export interface PostCollection<Site extends SiteTypes> {
  /** Fetches one page. */
  list<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PostPage<Site, Query>>>
  /** Fetches one page of the posts that contain a text. */
  search<const Query extends Omit<PostQuery<Site>, 'query'> = NoQuery>(
    text: string,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PostPage<Site, Query>>>
  /** Fetches one post by slug or id. */
  get<const Query extends SinglePostQuery = NoQuery>(
    identifier: Identifier<SlugOf<Site, 'posts'>>,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<SinglePostOf<Site, Query>>>
  /**
   * Iterates over pages; fetches each when the loop reaches it.
   *
   * @throws ContentError at the first page that fails
   */
  pages<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<PostPage<Site, Query>, void, undefined>
  /**
   * Iterates over the posts of all pages.
   *
   * @throws ContentError at the first page that fails
   */
  all<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<PostOf<Site, Query>, void, undefined>
  /** Fetches all pages and returns their posts in one array. */
  collect<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<readonly PostOf<Site, Query>[]>>
}

/** The items of a collection, with the methods of `PostCollection`. */
export interface ItemCollection<Types extends CollectionTypes> {
  list(query?: ItemQuery, options?: RequestOptions): Promise<Result<Page<Item<Types>>>>
  search(
    text: string,
    query?: ItemQuery,
    options?: RequestOptions,
  ): Promise<Result<Page<Item<Types>>>>
  /** Fetches one item by slug or id; `include` names `parent`, `children` and fields that refer to others. */
  get(
    identifier: Identifier<Types['slug']>,
    query?: Pick<ItemQuery, 'format' | 'select' | 'status' | 'include' | 'locale'>,
    options?: RequestOptions,
  ): Promise<Result<Item<Types> & ItemFamily>>
  pages(
    query?: ItemQuery,
    options?: RequestOptions,
  ): AsyncGenerator<Page<Item<Types>>, void, undefined>
  all(query?: ItemQuery, options?: RequestOptions): AsyncGenerator<Item<Types>, void, undefined>
  collect(query?: ItemQuery, options?: RequestOptions): Promise<Result<readonly Item<Types>[]>>
}

/** The neighbours of an item in the tree of slugs. */
interface ItemFamily {
  readonly parent?: ItemSummary | null
  readonly children?: readonly ItemSummary[]
}

/** The categories, tags or authors of a site, with the methods of `PostCollection`. */
export interface Collection<Item, Slug extends string, Site extends SiteTypes> {
  list<const Query extends TermQuery = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<Page<Item & WithPosts<Site, Query>>>>
  get<const Query extends TermQuery = NoQuery>(
    identifier: Identifier<Slug>,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<Item & WithPosts<Site, Query>>>
  pages<const Query extends TermQuery = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<Page<Item & WithPosts<Site, Query>>, void, undefined>
  all<const Query extends TermQuery = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<Item & WithPosts<Site, Query>, void, undefined>
  collect<const Query extends TermQuery = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<readonly (Item & WithPosts<Site, Query>)[]>>
}
