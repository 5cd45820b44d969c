// The data behind a response: one workspace's posts and terms by ordinal, and their stored JSON.
import type { Change, Match } from '#client'
import type { FieldFilter, Reference } from './parameter-values.ts'
import type { TermKind } from './resources.ts'

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>

/** Reference to stored JSON bytes. */
export type JsonRef =
  | {
      readonly of: 'posts'
      readonly part: PostPart
      readonly ordinal: number
      /** Stands for the text in a JSON string literal. */
      readonly isText?: true
    }
  | { readonly of: TermKind; readonly part: 'resource'; readonly ordinal: number }

/** `head` and `tail` enclose the content. `html` and `markdown` are JSON string literals. Terms list `item`. */
export type PostPart = 'head' | 'html' | 'markdown' | 'tail' | 'item'

/** A filter of posts. Empty lists, `null` and `''` do not filter; all conditions are combined with AND. */
export interface PostFilter {
  readonly categories: readonly string[]
  readonly excludeCategories: readonly string[]
  readonly tags: readonly string[]
  readonly excludeTags: readonly string[]
  /** Whether a post must have any or all of the tags. */
  readonly tagsMatch: 'any' | 'all'
  readonly authors: readonly string[]
  readonly excludeAuthors: readonly string[]
  readonly authorsMatch: 'any' | 'all'
  /** Posts published at or after this time, in milliseconds since 1970. */
  readonly publishedAfter: number | null
  /** Posts published before this time, in milliseconds since 1970. */
  readonly publishedBefore: number | null
  readonly updatedAfter: number | null
  readonly updatedBefore: number | null
  readonly slugs: readonly string[]
  readonly ids: readonly string[]
  readonly featured: boolean | null
  readonly fields: readonly FieldFilter[]
  /** Text to find in the title or the visible text, not yet normalized. */
  readonly query: string
  /** Whether the whole text must occur, or each of its words anywhere. */
  readonly match: 'phrase' | 'words'
}

/** Orders of posts. `fields.NAME` sorts by a custom field; `own` is the order of a collection. */
export type OrderBy = 'publishedAt' | 'updatedAt' | 'title' | 'own' | `fields.${string}`

/** An order and its direction. */
export interface PostOrder {
  readonly orderBy: OrderBy
  readonly order: 'desc' | 'asc'
}

/** The posts that pass a filter. */
export interface PostSelection {
  /** Ordinals, in the order of the request. */
  readonly posts: Uint32Array
  /** Number of posts per term of a kind, ignoring the filter by that kind; indexed by term ordinal. */
  countsOf(kind: TermKind): Uint32Array
  /** Returns the parts of a post that match the search text; null if the filter has none. */
  matchesIn(title: string, html: string): readonly Match[] | null
}

/**
 * One workspace at one build. Posts are in publication order, latest first, so that a point in time splits every list of
 * ordinals in two; terms are in name order.
 */
export interface Snapshot {
  readonly postCount: number
  /** Ordinals of drafts; empty except in the index for requests for drafts. */
  readonly drafts: ReadonlySet<number>
  /** Posts that expire. */
  readonly expiries: readonly Expiry[]
  /** Ordinals of the visible posts, ascending. Before `viewAt`, these are all posts. */
  readonly shown: Uint32Array
  /** Reports whether a post is visible; false for -1. */
  isShown(post: number): boolean
  termCount(kind: TermKind): number
  /** Milliseconds since 1970; non-increasing by ordinal. */
  publishedAt(post: number): number
  /** Returns the ordinal of the visible post with a slug or id, or -1. */
  findPost(identifier: string): number
  /** Returns the ordinal of the term with a slug or id, or -1. */
  findTerm(kind: TermKind, identifier: string): number
  /** Returns the visible posts of a term: ascending, unique. */
  postsOf(kind: TermKind, term: number): Uint32Array
  /** Reports whether a term has no file or list entry. */
  isCreated(kind: TermKind, term: number): boolean
  /** @param among ascending; other posts are excluded before any text is read. @default all posts */
  select(filter: PostFilter, by: PostOrder, among?: Uint32Array): Promise<PostSelection>
  /** Returns visible posts by the number of tags, and the category, that they share with a post; then latest first. */
  related(post: number, most: number, among?: Uint32Array): readonly number[]
  /** Returns a facet as JSON, up to its count: `{"slug":"…","name":"…","count":`. */
  facetHead(kind: TermKind, term: number): string
  /** The aliases of posts, scheduled ones included; by `from`, in code unit order. */
  readonly aliases: readonly Alias[]
  /** The site that shows the posts; null if their URLs are not absolute. */
  readonly channel: Channel | null
  /** Functions that open the workspace (its name is empty) and its collections, in order of definition. */
  readonly spaces: ReadonlyMap<string, () => Awaitable<Snapshot>>
  /** Fields that refer to other resources. */
  readonly references: readonly Reference[]
  /** False if resources that fields of the workspace refer to may appear or expire. */
  readonly areReferencesLasting: boolean
  /** Reports whether an item is data without content. */
  isData(row: number): boolean
  /** Returns the parent of an item, -1 for none, and its children in own order. All may be invisible. */
  family(row: number): { readonly parent: number; readonly children: readonly number[] }
  /** Absent for a workspace without a locale, and for singletons. */
  readonly language?: Language
  /** Returns the visible translations of a row; absent before `snapshotAt`. */
  readonly translationsOf?: (row: number) => readonly Translation[]
  /** Names of the files that it reads, except its index. */
  readonly dataFiles: readonly string[]
  /** Returns the history of the workspace. */
  history(): Awaitable<History>
  /** Returns images and custom fields, which are read on the first request. */
  assets(): Promise<Assets>
  /** Returns lengths and digests of stored JSON. */
  sums(refs: readonly JsonRef[]): Promise<readonly Sum[]>
  /** Returns stored JSON in UTF-8. Costs one read of each file, so ask for many at once. */
  read(refs: readonly JsonRef[]): Promise<readonly Uint8Array[]>
}

/** Length and digest of stored bytes. */
export interface Sum {
  readonly size: number
  /** First 16 bytes of the SHA-256. */
  readonly digest: Uint8Array
}

/** The language of a workspace, and the translations of its rows in the other workspaces of its group. */
export interface Language {
  /** A BCP 47 tag. */
  readonly locale: string
  readonly others: readonly OtherLanguage[]
  /** Translations by row. */
  readonly rows: readonly (readonly TranslationRow[])[]
}

/** Another workspace of a group. */
export interface OtherLanguage {
  readonly locale: string
  readonly workspaceId: string
  /** URL template of its posts, absolute or a path; null for none. */
  readonly postLink: string | null
  /** True for a private workspace whose translations v1 must not name in a public one. */
  readonly isHidden: boolean
}

/** A translation. Times are milliseconds since 1970; `until` is null if it does not expire; `url` is its own URL. */
export type TranslationRow = readonly [
  other: number,
  id: string,
  slug: string,
  from: number,
  until: number | null,
  url: string | null,
]

/** A visible translation. */
export interface Translation {
  readonly locale: string
  readonly workspaceId: string
  readonly id: string
  readonly slug: string
  /** URL of a post on the site; null if it is not absolute. */
  readonly url: string | null
}

/** A post, and the time from which it is not visible, milliseconds since 1970. */
export type Expiry = readonly [post: number, at: number]

/** A former slug of a post. */
export interface Alias {
  /** The former slug. */
  readonly from: string
  /** The current slug. */
  readonly to: string
  /** Ordinal of the post. */
  readonly post: number
}

/** The site that shows the posts of a workspace. */
export interface Channel {
  readonly workspace: string
  /** Name of the workspace. */
  readonly name: string
  /** URL template of posts: absolute, with the same host for all. */
  readonly postLink: string
  /** Own URLs of posts by id; absent if there are none. */
  readonly urls?: Readonly<Record<string, string>>
  /** URL of the API, without a trailing slash; '' if unknown. */
  readonly baseUrl: string
}

/** Changes from one build to the next, by workspace, or by `v1/WORKSPACE` and `v2/WORKSPACE` if they may differ. */
export interface BuildStep {
  /** Id of the earlier build. */
  readonly since: string
  readonly changes: Readonly<Record<string, readonly Change[]>>
}

/** The history of a workspace. */
export interface History {
  readonly workspace: string
  /** Id of this build. */
  readonly build: string
  /** Number of posts that were scheduled at this build. */
  readonly scheduled: number
  /** Latest first. */
  readonly steps: readonly BuildStep[]
}

/** The vendor's kinds of media files. Images and downloads are published. */
export type MediaType = 'image' | 'video' | 'audio' | 'document'

/** An image or a download of a published post. Keys are in the vendor's order. */
export interface MediaItem {
  /** Name of the published file, without its extension. */
  readonly id: string
  /** Name of the file in the content. */
  readonly name: string
  readonly url: string
  /** Always null: alternative texts belong to posts. */
  readonly alt: null
  /** Bytes. */
  readonly size: number
  readonly mimeType: string
  /** Pixels; null where the format does not contain them. */
  readonly width: number | null
  readonly height: number | null
  readonly duration: null
  readonly blurHash: null
  readonly type: 'image' | 'document'
  /** Publication date of the first post that shows the image, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly createdAt: string
  /** Equal to `createdAt`: an image with other bytes is another image. */
  readonly updatedAt: string
}

/** Definition of a custom field. Keys are in the vendor's order; definitions from a file have no dates. */
export interface FieldItem {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly description: string | null
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select' | 'multiselect'
  readonly required: boolean
  readonly position: number
  readonly options: readonly {
    readonly id: string
    readonly value: string
    readonly label: string
    readonly position: number
  }[]
}

/** Images and custom fields of a workspace. */
export interface Assets {
  /** Sorted by `createdAt`, then `id`, both descending, so images of scheduled posts come first. */
  readonly media: readonly MediaItem[]
  /** Custom fields, in order of definition. */
  readonly fields: readonly FieldItem[]
  /** Times when images of only expiring posts disappear, by id, in milliseconds since 1970. @default none */
  readonly expiries?: Readonly<Record<string, number>>
}
