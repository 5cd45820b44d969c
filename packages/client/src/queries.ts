// Queries, and what a resource looks like for each of them. Types alone.
import type {
  Pagination,
  PostItem,
  PostSummary,
  SiteTypes,
  SlugOf,
  WithFields,
} from './resources.ts'

/** Which posts, and how they are shown. */
export interface PostQuery<Site extends SiteTypes = SiteTypes> {
  /** Items a page, 1 to 100; `'all'` is one page. @default 10 */
  readonly limit?: number | 'all'
  /** From 1. @default 1 */
  readonly page?: number
  /** The latest or last one first, or the reverse. @default 'desc' */
  readonly order?: 'asc' | 'desc'
  /** @default 'publishedAt' */
  readonly orderBy?: 'publishedAt' | 'updatedAt' | 'title'
  /** Any of them. */
  readonly categories?: readonly SlugOf<Site, 'categories'>[]
  /** None of them. */
  readonly excludeCategories?: readonly SlugOf<Site, 'categories'>[]
  /** At least one of them. */
  readonly tags?: readonly SlugOf<Site, 'tags'>[]
  /** None of them. */
  readonly excludeTags?: readonly SlugOf<Site, 'tags'>[]
  /** At least one of them. */
  readonly authors?: readonly SlugOf<Site, 'authors'>[]
  /** None of them. */
  readonly excludeAuthors?: readonly SlugOf<Site, 'authors'>[]
  /** Published then or later: a date of ISO 8601, with or without time and zone. */
  readonly publishedAfter?: string
  /** Published earlier. */
  readonly publishedBefore?: string
  /** Updated then or later. */
  readonly updatedAfter?: string
  /** Updated earlier. */
  readonly updatedBefore?: string
  /** Any of these posts, by slug; 100 at most. */
  readonly slugs?: readonly SlugOf<Site, 'posts'>[]
  /** Any of these posts, by id; 100 at most. */
  readonly ids?: readonly string[]
  /** A text in the title or in what a reader sees, 256 characters at most. */
  readonly query?: string
  /** Of the content. @default 'html' */
  readonly format?: 'html' | 'markdown'
  /** Leaves `content` out. @default false */
  readonly excludeContent?: boolean
  readonly featured?: boolean
}

/** How one post is shown. */
export type SinglePostQuery = Pick<PostQuery, 'format'>

/** How categories, tags or authors are shown; of one of them, `limit` and `page` are those of its posts. */
export interface TermQuery {
  /** 1 to 100. @default 10 */
  readonly limit?: number
  /** From 1. @default 1 */
  readonly page?: number
  readonly include?: readonly 'posts'[]
}

/** A post of a list with a query: without `content` where the query excludes it. */
export type PostOf<Site extends SiteTypes, Query> = PostSummary<Site> &
  WithFields<Site> &
  ContentOf<ValueOf<Query, 'excludeContent'>>

type ContentOf<Excluded> = true extends Excluded
  ? [Excluded] extends [true]
    ? unknown
    : { readonly content?: string }
  : { readonly content: string }

/** What a query's `include` adds to a category, a tag or an author. */
export type WithPosts<Site extends SiteTypes, Query> = PostsOf<Site, ValueOf<Query, 'include'>>

type PostsOf<Site extends SiteTypes, Included> = [Included] extends [
  readonly ['posts', ...'posts'[]],
]
  ? { readonly posts: PostItems<Site> }
  : [Included] extends [undefined | readonly []]
    ? unknown
    : { readonly posts?: PostItems<Site> }

interface PostItems<Site extends SiteTypes> {
  readonly data: readonly PostItem<Site>[]
  readonly pagination: Pagination
}

type ValueOf<Query, Name extends string> = Name extends keyof Query ? Query[Name] : undefined
