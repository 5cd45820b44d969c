// Queries, and what a resource looks like for each of them. Types alone.
import type {
  Page,
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
  /** The format of the content. @default 'html' */
  readonly format?: 'html' | 'markdown'
  /** Leaves `content` out. @default false */
  readonly excludeContent?: boolean
  /** Only these keys of each post, and `id`. */
  readonly select?: readonly PostKey[]
  readonly featured?: boolean
  /** By custom fields with `index: true`: a value, or conditions such as `{ gte: 4 }`. */
  readonly fields?: { readonly [Name in keyof FieldsOf<Site>]?: FieldValue | FieldConditions }
  /**
   * Drafts need a key with the scope `drafts:read`, and a build with `--drafts`; posts have a `status` then.
   *
   * @default 'published'
   */
  readonly status?: PostStatus
  /**
   * `facets`: how many of the posts have each category, tag and author; `matches`: with `query`, the parts of each post that
   * it is in.
   */
  readonly include?: readonly ('facets' | 'matches')[]
}

/** The state of posts: `'all'` is published posts and drafts. */
export type PostStatus = 'published' | 'draft' | 'all'

/** A value of a custom field in a query; dates are those of ISO 8601. */
export type FieldValue = string | number | boolean

/** Conditions on a custom field, all of them. */
export interface FieldConditions {
  /** Not this value; posts without a value stay. */
  readonly ne?: FieldValue
  /** Any of these. */
  readonly in?: readonly (string | number)[]
  /** This number or date, or more. */
  readonly gte?: string | number
  /** This number or date, or less. */
  readonly lte?: string | number
}

type FieldsOf<Site extends SiteTypes> = Site['fields'] extends object
  ? Site['fields']
  : Readonly<Record<string, unknown>>

/** A key of a post. */
export type PostKey = keyof PostSummary | 'content' | 'fields'

/** How one post is shown. */
export interface SinglePostQuery extends Pick<PostQuery, 'format' | 'select' | 'status'> {
  /** `neighbours`: the previous and the next post; `related`: five posts with most tags and the category in common. */
  readonly include?: readonly ('neighbours' | 'related')[]
}

/** How categories, tags or authors are shown; of one of them, `limit` and `page` are those of its posts. */
export interface TermQuery {
  /** 1 to 100. @default 10 */
  readonly limit?: number
  /** From 1. @default 1 */
  readonly page?: number
  readonly include?: readonly 'posts'[]
}

/** A post of a list with a query: without `content` where the query excludes it, with the keys that it selects. */
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

/** A part of a post that the `query` is in. */
export interface Match {
  readonly field: 'title' | 'content'
  /** At most 160 code points of the title, or of what a reader sees of the content. */
  readonly text: string
  /** Where the query is in `text`: half-open, in units of `text.slice`. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/** Whether a list has an item for certain. */
type HasItem<List, Item> = List extends readonly [infer First, ...infer Rest]
  ? [First] extends [Item]
    ? true
    : HasItem<Rest, Item>
  : false

/** A single post with a query, and what its `include` adds. */
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

/** A page of posts; `facets` where the query includes them. */
export type PostPage<Site extends SiteTypes, Query> = Page<PostOf<Site, Query>> &
  (HasItem<ValueOf<Query, 'include'>, 'facets'> extends true
    ? { readonly facets: Facets<Site> }
    : unknown)

/** How many posts have each term, by count and then by name. */
export interface Facets<Site extends SiteTypes = SiteTypes> {
  readonly categories: readonly Facet<SlugOf<Site, 'categories'>>[]
  readonly tags: readonly Facet<SlugOf<Site, 'tags'>>[]
  readonly authors: readonly Facet<SlugOf<Site, 'authors'>>[]
}

/** A term, and how many posts have it. */
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

/** The additions of a query's `include` to a category, a tag or an author. */
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
