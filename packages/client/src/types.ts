// Resources of the API as a client receives them, queries, and the methods of each kind. These are only types, which
// bundles do not contain.
import type { Result } from './failure.ts'
import type { RequestOptions } from './transport.ts'

/**
 * Names and custom fields of a site; `quarry schema` writes them for `createClient<Site>(…)`. An omitted name accepts
 * any text.
 */
export interface SiteTypes {
  readonly posts?: string
  readonly categories?: string
  readonly tags?: string
  readonly authors?: string
  /** `undefined` if the workspace defines none. Its posts then have no `fields`. */
  readonly fields?: object | undefined
  /** Names of the fields that have `index: true`. @default all */
  readonly indexed?: string
  /** Collections that the workspace defines. */
  readonly collections?: { readonly [name: string]: CollectionTypes }
}

/** The names and fields of a collection. */
export interface CollectionTypes {
  readonly slug: string
  /** `undefined` if the collection defines none. Its items then have no `fields`. */
  readonly fields: object | undefined
  readonly indexed?: string
}

/** The collections of a site, or any name if none are known. */
export type CollectionsOf<Site extends SiteTypes> = Site['collections'] extends object
  ? Site['collections']
  : Readonly<Record<string, { readonly slug: string; readonly fields: CustomFields | undefined }>>

/** Members of posts and items of a workspace with a `locale`. */
export interface Translated {
  readonly locale?: string
  /** The visible translations. */
  readonly translations?: readonly {
    readonly locale: string
    readonly workspaceId: string
    readonly id: string
    readonly slug: string
  }[]
}

/** An item of a collection, without its content. */
export interface Item<Types extends CollectionTypes = CollectionTypes> extends Translated {
  readonly id: string
  readonly slug: Types['slug']
  readonly title: string
  /** HTML or Markdown; absent for data, and with `excludeContent`. */
  readonly content?: string
  readonly publishedAt: string | null
  readonly updatedAt: string | null
  readonly fields: Types['fields']
}

/** The summary of a resource in a field or a tree. */
export type ItemSummary = Pick<Item, 'id' | 'slug' | 'title'>

/** A collection and the number of its items. */
export interface CollectionCount {
  readonly name: string
  readonly count: { readonly items: number }
}

/** A singleton: data, with `content` if its file is Markdown. */
export interface Singleton<Fields = FieldValue> {
  readonly name: string
  readonly content?: string
  readonly fields: Fields
}

/** The slugs of a kind of resource. */
export type SlugOf<
  Site extends SiteTypes,
  Kind extends 'posts' | TermKind,
> = Site[Kind] extends string ? Site[Kind] : string

/** A link to a profile. */
export interface Social {
  /** Absolute URL. */
  readonly url: string
  readonly platform: string
}

export interface Author<Slug extends string = string> {
  readonly id: string
  readonly name: string
  readonly image: string | null
  readonly slug: Slug
  readonly bio: string | null
  readonly role: string | null
  readonly socials: readonly Social[]
  /** Only for an author as a resource, if `fieldsOf` defines fields. */
  readonly fields?: CustomFields
}

/** A category or a tag, as embedded in a post. */
export interface Term<Slug extends string = string> {
  readonly id: string
  readonly name: string
  readonly slug: Slug
  readonly description: string | null
  /** Only for a term as a resource, if `fieldsOf` defines fields. */
  readonly fields?: CustomFields
}

/** A category or a tag as a resource, with its number of posts. */
export interface CountedTerm<Slug extends string = string> extends Term<Slug> {
  readonly count: { readonly posts: number }
}

/** A value of a custom field. Dates are `YYYY-MM-DDTHH:MM:SS.sssZ`; null if the post has no value. */
export type FieldValue =
  | string
  | number
  | boolean
  | null
  | readonly FieldValue[]
  | { readonly [key: string]: FieldValue }

/** Values by custom field, in the order of the workspace's definitions. */
export type CustomFields = Readonly<Record<string, FieldValue>>

/** A post without content and custom fields. Dates are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface PostSummary<Site extends SiteTypes = SiteTypes> extends Translated {
  readonly id: string
  readonly slug: SlugOf<Site, 'posts'>
  readonly title: string
  readonly featured: boolean
  readonly coverImage: string | null
  readonly description: string
  readonly publishedAt: string
  readonly updatedAt: string
  readonly attribution: string | null
  /** In front-matter order. */
  readonly authors: readonly Author<SlugOf<Site, 'authors'>>[]
  readonly category: Term<SlugOf<Site, 'categories'>>
  /** In front-matter order. */
  readonly tags: readonly Term<SlugOf<Site, 'tags'>>[]
  readonly derived?: Derived
}

/** The custom fields of the workspace's posts. */
export type WithFields<Site extends SiteTypes, Query = unknown> = SiteTypes extends Site
  ? { readonly fields?: CustomFields }
  : 'fields' extends keyof Site
    ? Site['fields'] extends object
      ? { readonly fields: FieldsWith<Site['fields'], Query> }
      : unknown
    : { readonly fields?: CustomFields }

/** Fields in which whole resources replace the summaries that a query includes. */
type FieldsWith<Fields, Query> =
  ValueOf<Query, 'include'> extends readonly (infer Name)[]
    ? { readonly [Key in keyof Fields]: Key extends Name ? WholeOf<Fields[Key]> : Fields[Key] }
    : Fields

/** A whole resource in place of its summary. */
type WholeOf<Value> = Value extends readonly (infer Item)[]
  ? readonly (Item & CustomFields)[]
  : Value extends object
    ? Value & CustomFields
    : Value

/** Values computed from the body, as selected by `derived` in the workspace's configuration. */
export interface Derived {
  readonly excerpt?: string
  readonly wordCount?: number
  readonly readingTimeSeconds?: number
  readonly toc?: readonly {
    readonly id: string | null
    readonly text: string
    readonly depth: number
  }[]
  readonly images?: readonly {
    readonly src: string
    readonly alt: string
    readonly width: number | null
    readonly height: number | null
    readonly type: string | null
    readonly bytes: number | null
    /** Smaller copies, and the image itself last, for `srcset`. Only with `media.widths`. */
    readonly variants?: readonly { readonly url: string; readonly width: number }[]
    /** A `data:` URL of a 16-pixel image. Only with `media.preview`. */
    readonly preview?: string | null
  }[]
  /** Null for a post without a cover. */
  readonly cover?: Omit<NonNullable<Derived['images']>[number], 'alt'> | null
}

/** A complete post. */
export type Post<Site extends SiteTypes = SiteTypes> = PostSummary<Site> &
  WithFields<Site> & { readonly content: string }

/** A post in the list of a category, a tag or an author. */
export type PostItem<Site extends SiteTypes = SiteTypes> = Pick<
  PostSummary<Site>,
  'id' | 'title' | 'slug' | 'description' | 'coverImage' | 'publishedAt'
>

export interface Pagination {
  readonly limit: number
  readonly currentPage: number
  readonly nextPage: number | null
  readonly previousPage: number | null
  readonly totalPages: number
  readonly totalItems: number
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination
}

/** A change of a resource. */
export interface Change {
  readonly type: 'published' | 'updated' | 'removed'
  /** The path of the resource, up to its slug: `posts`, `tags`, `media`, `singletons`, `collections/guides`. */
  readonly kind: string
  readonly id: string
  readonly slug: string
  /** The ETag of the resource in HTML, without counts, including the quotes. */
  readonly etag: string
  /** ISO 8601 time. */
  readonly at: string
}

/** Changes of resources, newest first. */
export interface Changes {
  /** The id of the build, which can be passed as `since` to the next call. */
  readonly build: string
  readonly changes: readonly Change[]
}

/** A former slug of a post and its current slug. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/** Selects posts and the form of each post. */
export interface PostQuery<Site extends SiteTypes = SiteTypes> {
  /** Items per page, 1 to 100; `'all'` returns everything as one page. @default 10 */
  readonly limit?: number | 'all'
  /** Page number, from 1. @default 1 */
  readonly page?: number
  /** `'desc'`: newest first, or Z to A by title. @default 'desc' */
  readonly order?: 'asc' | 'desc'
  /** A custom field needs `index: true`; posts without a value come last. @default 'publishedAt' */
  readonly orderBy?: 'publishedAt' | 'updatedAt' | 'title' | `fields.${IndexedOf<Site>}`
  /** Posts in any of these categories. */
  readonly categories?: readonly SlugOf<Site, 'categories'>[]
  /** Posts in none of these categories. */
  readonly excludeCategories?: readonly SlugOf<Site, 'categories'>[]
  /** Posts with any of these tags. */
  readonly tags?: readonly SlugOf<Site, 'tags'>[]
  /** `'all'` means posts with all of `tags`. @default 'any' */
  readonly tagsMatch?: 'any' | 'all'
  /** Posts with none of these tags. */
  readonly excludeTags?: readonly SlugOf<Site, 'tags'>[]
  /** Posts by any of these authors. */
  readonly authors?: readonly SlugOf<Site, 'authors'>[]
  /** `'all'` means posts by all of `authors`. @default 'any' */
  readonly authorsMatch?: 'any' | 'all'
  /** Posts by none of these authors. */
  readonly excludeAuthors?: readonly SlugOf<Site, 'authors'>[]
  /** Posts published at this time or later: an ISO 8601 date, with or without time and zone. */
  readonly publishedAfter?: string
  /** Posts published before this time. */
  readonly publishedBefore?: string
  /** Posts updated at this time or later. */
  readonly updatedAfter?: string
  /** Posts updated before this time. */
  readonly updatedBefore?: string
  /** Posts with any of these slugs, at most 100. */
  readonly slugs?: readonly SlugOf<Site, 'posts'>[]
  /** Posts with any of these ids, at most 100. */
  readonly ids?: readonly string[]
  /** A text to find in the title or in the visible content, at most 256 characters. */
  readonly query?: string
  /** `'words'` finds up to 16 words, each anywhere in the post. @default 'phrase' */
  readonly match?: 'phrase' | 'words'
  /** The format of the content. @default 'html' */
  readonly format?: 'html' | 'markdown'
  /** Omits `content`. @default false */
  readonly excludeContent?: boolean
  /** The keys of each post to return, besides `id`. */
  readonly select?: readonly PostKey[]
  readonly featured?: boolean
  /** Filters by custom fields with `index: true`: a value, or conditions such as `{ gte: 4 }`. */
  readonly fields?: FieldFilters<Site>
  /**
   * Drafts require a key with the scope `drafts:read` and a build with `--drafts`. Posts of v2 then have a `status`.
   *
   * @default 'published'
   */
  readonly status?: PostStatus
  /** The language of a workspace that is a translation of this one, or its original. */
  readonly locale?: string
  /**
   * `facets`: the number of posts per category, tag and author. `matches`: with `query`, the excerpts of each post
   * that contain it; not with `limit: 'all'`. Other names: fields whose resources are returned whole.
   */
  readonly include?: readonly ('facets' | 'matches' | NameOf<FieldsOf<Site>>)[]
}

/** Selects items of a collection. Without `orderBy`, they are in the order of the collection. */
export interface ItemQuery<Types extends CollectionTypes = CollectionTypes>
  extends Pick<
    PostQuery,
    | 'limit'
    | 'page'
    | 'order'
    | 'ids'
    | 'query'
    | 'match'
    | 'format'
    | 'excludeContent'
    | 'status'
    | 'locale'
  > {
  readonly slugs?: readonly Types['slug'][]
  readonly fields?: FieldFilters<Types>
  readonly orderBy?: 'publishedAt' | 'updatedAt' | 'title' | `fields.${IndexedOf<Types>}`
  readonly select?: readonly (keyof Item)[]
  /** Fields whose resources are returned whole. */
  readonly include?: readonly NameOf<Types['fields']>[]
}

/** Selects the form of a single item. */
export interface SingleItemQuery<Types extends CollectionTypes = CollectionTypes>
  extends Pick<ItemQuery<Types>, 'format' | 'select' | 'status' | 'locale'> {
  /** `parent` and `children`: the neighbours in the tree of slugs. Other names as in a list. */
  readonly include?: readonly ('parent' | 'children' | NameOf<Types['fields']>)[]
}

/** The status of posts; `'all'` means published posts and drafts. */
export type PostStatus = 'published' | 'draft' | 'all'

/** A value of a custom field in a query. Dates are ISO 8601; references are slugs or ids. */
type FilterOf<Value> = unknown extends Value
  ? string | number | boolean
  : Value extends string | number | boolean
    ? Value
    : Value extends readonly (infer Item extends string)[]
      ? Item
      : Value extends object
        ? string
        : never

/** Conditions on a custom field; all must hold. */
export interface FieldConditions<Value = unknown> {
  /** Every value but this one. Posts without a value match. */
  readonly ne?: FilterOf<Value>
  /** Any of these values. */
  readonly in?: readonly FilterOf<Value>[]
  /** At least, or at most, this number or date. */
  readonly gte?: BoundOf<Value>
  readonly lte?: BoundOf<Value>
}

/** Names of a `select` have no order. */
type BoundOf<Value> = Value extends number ? number : string extends Value ? string : never

/** Filters by name of a field. */
type FieldFilters<Types extends SiteTypes | CollectionTypes> = {
  readonly [Name in keyof FieldsOf<Types>]?: Name extends IndexedOf<Types>
    ? FilterOf<FieldsOf<Types>[Name]> | FieldConditions<FieldsOf<Types>[Name]>
    : never
}

type NameOf<Fields> = keyof Fields & string

/** Names of fields by which a query can filter and order. */
type IndexedOf<Types extends SiteTypes | CollectionTypes> = NameOf<FieldsOf<Types>> &
  (Types extends { readonly indexed: infer Name } ? Name : string)

type FieldsOf<Types extends SiteTypes | CollectionTypes> = Types['fields'] extends object
  ? Types['fields']
  : Readonly<Record<string, unknown>>

/** A key of a post. */
export type PostKey = keyof PostSummary | 'content' | 'fields'

/** Selects the form of a single post. */
export interface SinglePostQuery<Site extends SiteTypes = SiteTypes>
  extends Pick<PostQuery, 'format' | 'select' | 'status' | 'locale'> {
  /**
   * `neighbours`: the previous and the next post. `related`: the five posts that share the most tags and the category.
   * Other names as in a list.
   */
  readonly include?: readonly ('neighbours' | 'related' | NameOf<FieldsOf<Site>>)[]
}

/** Options for categories, tags and authors. For a single one, `limit` and `page` apply to its posts. */
export interface TermQuery extends Pick<PostQuery, 'page' | 'locale'> {
  /** Items per page, 1 to 100. @default 10 */
  readonly limit?: number
  readonly include?: readonly 'posts'[]
}

/** A post in a list. A query with `excludeContent` omits `content`; one with `select` keeps only some keys. */
export type PostOf<Site extends SiteTypes, Query> = SelectedOf<
  PostSummary<Site> & WithFields<Site, Query> & ContentOf<ValueOf<Query, 'excludeContent'>>,
  ValueOf<Query, 'select'>
> &
  Included<Query, 'matches', { readonly matches?: readonly Match[] }> &
  StatusOf<ValueOf<Query, 'status'>>

type StatusOf<Status> = [Status] extends [undefined | 'published']
  ? unknown
  : { readonly status?: 'published' | 'draft' }

/** The members that a name in `include` adds. They are optional if the list is not known. */
type Included<Query, Name, Added> =
  ValueOf<Query, 'include'> extends infer List
    ? HasItem<List, Name> extends true
      ? Added
      : List extends readonly (infer Known)[]
        ? Name extends Known
          ? Partial<Added>
          : unknown
        : unknown
    : never

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

type SelectedOf<Post, Keys> = [Keys] extends [undefined | readonly []]
  ? Post
  : [Keys] extends [readonly (infer Key)[]]
    ? Pick<Post, Extract<keyof Post, Key | 'id'>>
    : Partial<Post>

/** The number of posts per term, most posts first, then by name. */
export type Facets<Site extends SiteTypes = SiteTypes> = {
  readonly [Kind in TermKind]: readonly Facet<SlugOf<Site, Kind>>[]
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

/** The posts of a category, a tag or an author, if they are included. */
type WithPosts<Site extends SiteTypes, Query> = Included<
  Query,
  'posts',
  { readonly posts: { readonly data: readonly PostItem<Site>[]; readonly pagination: Pagination } }
>

type ValueOf<Query, Name extends string> = Query extends unknown
  ? Name extends keyof Query
    ? Query[Name]
    : undefined
  : never

type TermKind = 'categories' | 'tags' | 'authors'

/** A kind of rows, by its name in paths. */
export type RowKind = 'posts' | TermKind | `collections/${string}`

type ItemTypes<
  Site extends SiteTypes,
  Kind,
> = Kind extends `collections/${infer Name extends keyof CollectionsOf<Site> & string}`
  ? CollectionsOf<Site>[Name]
  : CollectionTypes

/** A row of a list. */
export type RowOf<Site extends SiteTypes, Kind extends RowKind, Query> = Kind extends 'posts'
  ? PostOf<Site, Query>
  : Kind extends 'authors'
    ? Author<SlugOf<Site, Kind>> & WithPosts<Site, Query>
    : Kind extends 'categories' | 'tags'
      ? CountedTerm<SlugOf<Site, Kind>> & WithPosts<Site, Query>
      : ItemOf<ItemTypes<Site, Kind>, Query>

type ItemOf<Types extends CollectionTypes, Query> = Item<{
  readonly slug: Types['slug']
  readonly fields: FieldsWith<Types['fields'], Query>
}>

/** A single row. */
export type SingleOf<Site extends SiteTypes, Kind extends RowKind, Query> = RowOf<
  Site,
  Kind,
  Query
> &
  (Kind extends 'posts'
    ? Included<Query, 'neighbours', { readonly neighbours: Neighbours<Site> }> &
        Included<Query, 'related', { readonly related: readonly PostItem<Site>[] }>
    : Kind extends TermKind
      ? unknown
      : Included<Query, 'parent', { readonly parent: ItemSummary | null }> &
          Included<Query, 'children', { readonly children: readonly ItemSummary[] }>)

interface Neighbours<Site extends SiteTypes> {
  readonly previous: PostItem<Site> | null
  readonly next: PostItem<Site> | null
}

/** A page of a list, with `facets` if the query includes them. */
export type PageOf<Site extends SiteTypes, Kind extends RowKind, Query> = Page<
  RowOf<Site, Kind, Query>
> &
  (Kind extends 'posts' ? Included<Query, 'facets', { readonly facets: Facets<Site> }> : unknown)

/** A slug or an id. Editors suggest known slugs. */
type Identifier<Site extends SiteTypes, Kind extends RowKind> =
  | (Kind extends 'posts' | TermKind ? SlugOf<Site, Kind> : ItemTypes<Site, Kind>['slug'])
  | (string & NoQuery)

/** The type of an omitted query. */
type NoQuery = Readonly<Record<never, never>>

/** The constraint of the type of a query. It rejects unknown keys, which inferred types may otherwise have. */
export type Exact<Query, Known> = Partial<Known> & {
  readonly [Key in Exclude<keyof Query, keyof Known>]: never
}

/** The posts, categories, tags or authors of a site, or the items of one of its collections. */
export interface Collection<Site extends SiteTypes, Kind extends RowKind, ListQuery, SingleQuery> {
  /** Fetches one page. */
  list<const Query extends Exact<Query, ListQuery> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PageOf<Site, Kind, Query>>>
  /** Fetches one row by slug or id. */
  get<const Query extends Exact<Query, SingleQuery> = NoQuery>(
    identifier: Identifier<Site, Kind>,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<SingleOf<Site, Kind, Query>>>
  /**
   * Iterates over pages. Fetches each page when the loop reaches it.
   *
   * @throws ContentError at the first failed page
   */
  pages<const Query extends Exact<Query, ListQuery> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<PageOf<Site, Kind, Query>, void, undefined>
  /**
   * Iterates over the rows of all pages.
   *
   * @throws ContentError at the first failed page
   */
  all<const Query extends Exact<Query, ListQuery> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): AsyncGenerator<RowOf<Site, Kind, Query>, void, undefined>
  /** Fetches all pages and returns their rows in one array. */
  collect<const Query extends Exact<Query, ListQuery> = NoQuery>(
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<readonly RowOf<Site, Kind, Query>[]>>
}

/** Rows that can be searched. */
export interface SearchableCollection<
  Site extends SiteTypes,
  Kind extends RowKind,
  ListQuery,
  SingleQuery,
> extends Collection<Site, Kind, ListQuery, SingleQuery> {
  /** Fetches one page of the rows that contain a text. */
  search<const Query extends Exact<Query, Omit<ListQuery, 'query'>>>(
    text: string,
    query?: Query,
    options?: RequestOptions,
  ): Promise<Result<PageOf<Site, Kind, Query>>>
}
