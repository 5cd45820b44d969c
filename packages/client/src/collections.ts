// The operations of each kind of resource. Types alone.
import type { Result } from './failure.ts'
import type {
  PostOf,
  PostPage,
  PostQuery,
  SinglePostOf,
  SinglePostQuery,
  TermQuery,
  WithPosts,
} from './queries.ts'
import type { Page, SiteTypes, SlugOf } from './resources.ts'
import type { RequestOptions } from './transport.ts'

/** Known slugs are proposed; any other text may be the slug of something newer, or an id. */
type Identifier<Slug extends string> = Slug | (string & NoQuery)

/** A call without a query. */
type NoQuery = Readonly<Record<never, never>>

/** Posts of a site. */
export interface PostCollection<Site extends SiteTypes> {
  /** One page. */
  list<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PostPage<Site, Query>>>
  /** One page of the posts in which a text occurs. */
  search<const Query extends Omit<PostQuery<Site>, 'query'> = NoQuery>(
    text: string,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PostPage<Site, Query>>>
  /** One post, by slug or id. */
  get<const Query extends SinglePostQuery = NoQuery>(
    identifier: Identifier<SlugOf<Site, 'posts'>>,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<SinglePostOf<Site, Query>>>
  /**
   * Page after page, each requested when it is needed.
   *
   * @throws ContentError at the first page that fails
   */
  pages<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<PostPage<Site, Query>, void, undefined>
  /**
   * Every item of all pages.
   *
   * @throws ContentError at the first page that fails
   */
  all<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<PostOf<Site, Query>, void, undefined>
  /** The items of all pages in one array. */
  collect<const Query extends PostQuery<Site> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<readonly PostOf<Site, Query>[]>>
}

/** Categories, tags or authors of a site; methods as those of posts. */
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
