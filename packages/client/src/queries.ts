// Queries, and the type of a resource for each query. Types only.
import type {
  Item,
  Page,
  Pagination,
  PostItem,
  PostSummary,
  SiteTypes,
  SlugOf,
  WithFields,
} from './resources.ts'

/** Selects posts and the form of each post. */
export interface PostQuery<Site extends SiteTypes = SiteTypes> {
  /** Items per page, 1 to 100; `'all'` returns everything as one page. @default 10 */
  readonly limit?: number | 'all'
  /** Page number, from 1. @default 1 */
  readonly page?: number
  /** `'desc'`: newest first, or Z to A by title. @default 'desc' */
  readonly order?: 'asc' | 'desc'
  /** @default 'publishedAt' */
  readonly orderBy?:
    | 'publishedAt'
    | 'updatedAt'
    | 'title'
    /** By a custom field with `index: true`; posts without a value are last. */
    | `fields.${keyof FieldsOf<Site> & string}`
  /** Posts in any of these categories. */
  readonly categories?: readonly SlugOf<Site, 'categories'>[]
  /** Posts in none of these categories. */
  readonly excludeCategories?: readonly SlugOf<Site, 'categories'>[]
  /** Posts with any of these tags. */
  readonly tags?: readonly SlugOf<Site, 'tags'>[]
  /** `'all'`: posts with every one of `tags`. @default 'any' */
  readonly tagsMatch?: 'any' | 'all'
  /** Posts with none of these tags. */
  readonly excludeTags?: readonly SlugOf<Site, 'tags'>[]
  /** Posts by any of these authors. */
  readonly authors?: readonly SlugOf<Site, 'authors'>[]
  /** `'all'`: posts by every one of `authors`. @default 'any' */
  readonly authorsMatch?: 'any' | 'all'
  /** Posts by none of these authors. */
  readonly excludeAuthors?: readonly SlugOf<Site, 'authors'>[]
  /** Published at this time or later: an ISO 8601 date, with or without time and zone. */
  readonly publishedAfter?: string
  /** Published before this time. */
  readonly publishedBefore?: string
  /** Updated at this time or later. */
  readonly updatedAfter?: string
  /** Updated before this time. */
  readonly updatedBefore?: string
  /** Posts with any of these slugs, at most 100. */
  readonly slugs?: readonly SlugOf<Site, 'posts'>[]
  /** Posts with any of these ids, at most 100. */
  readonly ids?: readonly string[]
  /** A text in the title or in the visible content, at most 256 characters. */
  readonly query?: string
  /** `'words'`: up to 16 words, each somewhere in the post. @default 'phrase' */
  readonly match?: 'phrase' | 'words'
  /** The format of the content. @default 'html' */
  readonly format?: 'html' | 'markdown'
  /** Omits `content`. @default false */
  readonly excludeContent?: boolean
  /** Only these keys of each post, plus `id`. */
  readonly select?: readonly PostKey[]
  readonly featured?: boolean
  /** Filters by custom fields with `index: true`: a value, or conditions such as `{ gte: 4 }`. */
  readonly fields?: { readonly [Name in keyof FieldsOf<Site>]?: FieldValue | FieldConditions }
  /**
   * Drafts need a key with the scope `drafts:read` and a build with `--drafts`; every post then has a `status`.
   *
   * @default 'published'
   */
  readonly status?: PostStatus
  /** The language of a workspace that is a translation of this one, or its original. */
  readonly locale?: string
  /**
   * `facets`: the number of posts per category, tag and author. `matches`: with `query`, the excerpts of each post
   * that contain it; not with `limit: 'all'`.
   */
  readonly include?: readonly ('facets' | 'matches')[]
}

/** Selects items of a collection. Without `orderBy`, they are in the order of the collection. */
export interface ItemQuery
  extends Pick<
    PostQuery,
    | 'limit'
    | 'page'
    | 'order'
    | 'slugs'
    | 'ids'
    | 'query'
    | 'match'
    | 'format'
    | 'excludeContent'
    | 'status'
    | 'fields'
    | 'locale'
  > {
  readonly orderBy?: 'publishedAt' | 'updatedAt' | 'title' | `fields.${string}`
  readonly select?: readonly (keyof Item)[]
  /** Fields whose targets come whole; for a single item also `parent` and `children`. */
  readonly include?: readonly string[]
}

/** The status of posts; `'all'` means published posts and drafts. */
export type PostStatus = 'published' | 'draft' | 'all'

/** A value of a custom field in a query; dates are ISO 8601. */
export type FieldValue = string | number | boolean

/** Conditions on a custom field; all must hold. */
export interface FieldConditions {
  /** Not this value; posts without a value match. */
  readonly ne?: FieldValue
  /** Any of these values. */
  readonly in?: readonly (string | number)[]
  /** This number or date, or greater. */
  readonly gte?: string | number
  /** This number or date, or less. */
  readonly lte?: string | number
}

type FieldsOf<Site extends SiteTypes> = Site['fields'] extends object
  ? Site['fields']
  : Readonly<Record<string, unknown>>

/** A key of a post. */
export type PostKey = keyof PostSummary | 'content' | 'fields'

/** Selects the form of a single post. */
export interface SinglePostQuery
  extends Pick<PostQuery, 'format' | 'select' | 'status' | 'locale'> {
  /**
   * `neighbours`: the previous and the next post. `related`: the five posts that share the most tags and the category.
   */
  readonly include?: readonly ('neighbours' | 'related')[]
}

/** Options for categories, tags and authors. For a single one, `limit` and `page` apply to its posts. */
export interface TermQuery extends Pick<PostQuery, 'page' | 'locale'> {
  /** Items per page, 1 to 100. @default 10 */
  readonly limit?: number
  readonly include?: readonly 'posts'[]
}

/** A post of a list, by query: without `content` where `excludeContent` is true, with only the keys of `select`. */
export type PostOf<Site extends SiteTypes, Query> = SelectedOf<
  PostSummary<Site> & WithFields<Site> & ContentOf<ValueOf<Query, 'excludeContent'>>,
  ValueOf<Query, 'select'>
> &
  (HasItem<ValueOf<Query, 'include'>, 'matches'> extends true
    ? { readonly matches?: readonly Match[] }
    : unknown) &
  StatusOf<ValueOf<Query, 'status'>>

type StatusOf<Status> = [Status] extends [undefined | 'published']
  ? unknown
  : [Status] extends ['draft' | 'all']
    ? { readonly status: 'published' | 'draft' }
    : { readonly status?: 'published' | 'draft' }

/** An excerpt of a post that contains the `query`. */
export interface Match {
  readonly field: 'title' | 'content'
  /** At most 160 code points of the title or of the visible content. */
  readonly text: string
  /** Half-open ranges of the query in `text`, in UTF-16 code units (as for `text.slice`). */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/** `true` when a list certainly contains an item. */
type HasItem<List, Item> = List extends readonly [infer First, ...infer Rest]
  ? [First] extends [Item]
    ? true
    : HasItem<Rest, Item>
  : false

/** A single post, by query, with the additions of `include`. */
export type SinglePostOf<Site extends SiteTypes, Query> = PostOf<Site, Query> &
  LinkedOf<Site, ValueOf<Query, 'include'>>

type SelectedOf<Post, Keys> = [Keys] extends [undefined | readonly []]
  ? Post
  : [Keys] extends [readonly (infer Key)[]]
    ? Pick<Post, Extract<keyof Post, Key | 'id'>>
    : Partial<Post>

type LinkedOf<Site extends SiteTypes, Included> = [Included] extends [undefined | readonly []]
  ? unknown
  : {
      readonly neighbours?: {
        readonly previous: PostItem<Site> | null
        readonly next: PostItem<Site> | null
      }
      readonly related?: readonly PostItem<Site>[]
    }

/** A page of posts, with `facets` when the query includes them. */
export type PostPage<Site extends SiteTypes, Query> = Page<PostOf<Site, Query>> &
  (HasItem<ValueOf<Query, 'include'>, 'facets'> extends true
    ? { readonly facets: Facets<Site> }
    : unknown)

/** The number of posts per term, most posts first, then by name. */
export interface Facets<Site extends SiteTypes = SiteTypes> {
  readonly categories: readonly Facet<SlugOf<Site, 'categories'>>[]
  readonly tags: readonly Facet<SlugOf<Site, 'tags'>>[]
  readonly authors: readonly Facet<SlugOf<Site, 'authors'>>[]
}

/** A term and its number of posts. */
export interface Facet<Slug extends string = string> {
  readonly slug: Slug
  readonly name: string
  readonly count: number
}

type ContentOf<Excluded> = true extends Excluded
  ? [Excluded] extends [true]
    ? unknown
    : { readonly content?: string }
  : { readonly content: string }

/** The additions of `include` to a category, a tag or an author. */
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
