// The source of a response: one workspace's posts and terms by ordinal, and their stored JSON.
// Knows no storage: builds hold it in memory, a function reads it from its index.
import type { Assets } from './assets.ts'
import type { FieldFilter } from './field-parameters.ts'
import type { History } from './history.ts'
import type { Post, TermKind } from './resources.ts'

/** A pause is allowed where bytes or search blocks are fetched; without one a value comes at once. */
export type Awaitable<T> = T | Promise<T>

/** Names one stored run of JSON bytes. */
export type FragmentRef =
  | { readonly of: 'posts'; readonly part: PostPart; readonly ordinal: number }
  | { readonly of: TermKind; readonly part: 'resource'; readonly ordinal: number }

/**
 * The stored parts of a post: `head` and `tail` around the content, `html` and `markdown` as JSON string
 * literals, `item` as it is listed under a term.
 */
export type PostPart = 'head' | 'html' | 'markdown' | 'tail' | 'item'

/** Which posts a list keeps. Empty lists, `null` and `''` do not filter; all are combined with AND. */
export interface PostFilter {
  /** Category slugs: any of them. */
  readonly categories: readonly string[]
  /** Category slugs: none of them. */
  readonly excludeCategories: readonly string[]
  /** Tag slugs: at least one of them. */
  readonly tags: readonly string[]
  /** Tag slugs: none of them. */
  readonly excludeTags: readonly string[]
  /** Author slugs: at least one of them. */
  readonly authors: readonly string[]
  /** Author slugs: none of them. */
  readonly excludeAuthors: readonly string[]
  /** From then on: milliseconds since 1970. */
  readonly publishedAfter: number | null
  /** Before then: milliseconds since 1970. */
  readonly publishedBefore: number | null
  readonly updatedAfter: number | null
  readonly updatedBefore: number | null
  /** Slugs of posts: any of them. */
  readonly slugs: readonly string[]
  /** Ids of posts: any of them. */
  readonly ids: readonly string[]
  readonly featured: boolean | null
  /** Filters by custom fields: all of them. */
  readonly fields: readonly FieldFilter[]
  /** Text to find in the title or the visible text, not yet folded. */
  readonly query: string
}

/** An order of posts other than that of publication. */
export type StoredOrder = 'updatedAt' | 'title'

/** How posts may be ordered. */
export type OrderBy = 'publishedAt' | StoredOrder

/** The posts that pass a filter. */
export interface PostSelection {
  /** In the order of the request, the latest or last one first. */
  readonly posts: Ordinals
  /** How many posts have each term of a kind, if the filter says nothing of the kind; by the ordinal of the term. */
  countsOf(kind: TermKind): Awaitable<Uint32Array>
  /**
   * Parts of a post that the text of the filter is in; null where the filter has no text.
   *
   * @param html of its body
   */
  matchesIn(title: string, html: string): readonly Match[] | null
}

/** A part of a post that a search text is in. */
export interface Match {
  readonly field: 'title' | 'content'
  /** As a reader sees it; 160 code points at most. */
  readonly text: string
  /** Where the search text is in it: half-open, in UTF-16 units; ascending, each apart from the next. */
  readonly ranges: readonly (readonly [start: number, end: number])[]
}

/** Unique ordinals, ascending where nothing else is said: a list, or what is counted like one and lists no more than is asked for. */
export interface Ordinals {
  readonly length: number
  at(index: number): number | undefined
  /** From a place on. */
  subarray(start: number): Ordinals
  /** A part, in an array of its own. */
  slice(start: number, end: number): Uint32Array
}

/**
 * One workspace at one build.
 *
 * Post ordinals run from 0 in publication order, latest first, so scheduled posts come first and a
 * moment in time splits every list of ordinals in two. Term ordinals run from 0 in name order.
 */
export interface Snapshot {
  readonly postCount: number
  /** Ordinals of drafts; none but in the index that requests for drafts have. */
  readonly drafts: ReadonlySet<number>
  /** The visible posts, ascending, where these are not all posts from an ordinal on. */
  readonly shown?: Uint32Array
  termCount(kind: TermKind): number
  /** Milliseconds since 1970; never rises with the ordinal. */
  publishedAt(post: number): number
  /** Ordinal of the post with this slug or id, or -1. */
  findPost(identifier: string): number
  /** Ordinal of the term with this slug or id, or -1. */
  findTerm(kind: TermKind, identifier: string): number
  /** Posts of a term, scheduled ones too: ascending, unique. */
  postsOf(kind: TermKind, term: number): Uint32Array
  /** Terms that no file states: ascending ordinals. */
  createdTerms(kind: TermKind): Uint32Array
  /**
   * Posts that pass a filter, from an ordinal on.
   *
   * @param first posts before it are left out before any text is read
   * @param among ascending; other posts are left out. @default all posts
   */
  select(
    filter: PostFilter,
    first: number,
    by: OrderBy,
    among?: Uint32Array,
  ): Awaitable<PostSelection>
  /**
   * The visible posts that share most tags with one, and its category: most first, then latest first.
   *
   * @param first ordinal of the latest published post
   * @param most posts at most
   * @param among ascending; other posts are left out. @default all posts
   */
  related(post: number, first: number, most: number, among?: Uint32Array): readonly number[]
  /** A facet as JSON, up to its count: `{"slug":"…","name":"…","count":`. */
  facetHead(kind: TermKind, term: number): string
  /** Old slugs of posts, scheduled ones too; by `from`, in code unit order. */
  aliases(): readonly Alias[]
  /** The site that shows the posts; null where the addresses of posts are not absolute. */
  readonly channel: Channel | null
  /** The past of the workspace. */
  history(): Awaitable<History>
  /** A post without its content. */
  post(ordinal: number): Awaitable<Post>
  /** Images and custom fields; read when they are first requested. */
  assets(): Awaitable<Assets>
  /** 16 bytes that represent a fragment's bytes. */
  digest(fragment: FragmentRef): Uint8Array
  /** A fragment's length in bytes. */
  size(fragment: FragmentRef): number
  /** A fragment's UTF-8 bytes. */
  read(fragment: FragmentRef): Awaitable<Uint8Array>
}

/** An old slug of a post. */
export interface Alias {
  /** The old slug. */
  readonly from: string
  /** The slug of the post. */
  readonly to: string
  /** Ordinal of the post. */
  readonly post: number
}

/** The site that shows the posts of a workspace. */
export interface Channel {
  readonly workspace: string
  /** Name of the workspace. */
  readonly name: string
  /** The template of the addresses of posts: absolute, with the same host for all. */
  readonly postLink: string
  /** Where the API is, without a slash at its end; '' where it is not known. */
  readonly baseUrl: string
}
