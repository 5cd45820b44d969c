// Resources of the API as a client receives them. Types only: bundles contain none of this.

/**
 * Names and custom fields of a site; `quarry schema` writes them for `createClient<Site>(…)`. An omitted name accepts
 * any text.
 */
export interface SiteTypes {
  readonly posts?: string
  readonly categories?: string
  readonly tags?: string
  readonly authors?: string
  /** `undefined` when the workspace defines none: its posts then have no `fields`. */
  readonly fields?: object | undefined
  /** Own content types. */
  readonly collections?: { readonly [name: string]: CollectionTypes }
}

/** The names and fields of a collection. */
export interface CollectionTypes {
  readonly slug: string
  readonly fields: object
}

/** The collections of a site; any name where none are known. */
export type CollectionsOf<Site extends SiteTypes> = Site['collections'] extends object
  ? Site['collections']
  : { readonly [name: string]: { readonly slug: string; readonly fields: CustomFields } }

/** Members of posts and items of a workspace with a `locale`. */
export interface Translated {
  readonly locale?: string
  /** The visible ones. */
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

/** A resource as a field or a tree names it. */
export type ItemSummary = Pick<Item, 'id' | 'slug' | 'title'>

/** A collection and the number of its items. */
export interface CollectionCount {
  readonly name: string
  readonly count: { readonly items: number }
}

/** A single file of data, or of Markdown with `content`. */
export interface Singleton<Fields = FieldValue> {
  readonly name: string
  readonly content?: string
  readonly fields: Fields
}

/** The slugs of a kind of resource. */
export type SlugOf<
  Site extends SiteTypes,
  Kind extends 'posts' | 'categories' | 'tags' | 'authors',
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
  /** Only of an author as a resource, where `fieldsOf` defines some. */
  readonly fields?: CustomFields
}

/** A category or a tag, as embedded in a post. */
export interface Term<Slug extends string = string> {
  readonly id: string
  readonly name: string
  readonly slug: Slug
  readonly description: string | null
  /** Only of a term as a resource, where `fieldsOf` defines some. */
  readonly fields?: CustomFields
}

/** A category or a tag as a resource, with its number of posts. */
export interface CountedTerm<Slug extends string = string> extends Term<Slug> {
  readonly count: { readonly posts: number }
}

/** A value of a custom field. Dates are `YYYY-MM-DDTHH:MM:SS.sssZ`; null when the post has no value. */
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
export type WithFields<Site extends SiteTypes> = SiteTypes extends Site
  ? { readonly fields?: CustomFields }
  : 'fields' extends keyof Site
    ? Site['fields'] extends object
      ? { readonly fields: Site['fields'] }
      : unknown
    : { readonly fields?: CustomFields }

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
    /** Smaller copies, and the image itself last: for `srcset`. Only with `media.widths`. */
    readonly variants?: readonly { readonly url: string; readonly width: number }[]
    /** A `data:` URL of an image of 16 pixels. Only with `media.preview`. */
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
  /** The id of the build: pass it as `since` to the next call. */
  readonly build: string
  readonly changes: readonly Change[]
}

/** An old slug of a post and its current slug. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/** An invalid parameter and its error. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** A requested page beyond the last one. */
export interface PageError {
  readonly message: string
  readonly totalPages: number
  readonly requestedPage: number
}
