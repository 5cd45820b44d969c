// The resources of the API as a client receives them. Types alone: nothing of this is in a bundle.

/**
 * Names and custom fields of a site, as `quarry schema` writes them for `createClient<Site>(…)`. A name that is left out
 * is any text.
 */
export interface SiteTypes {
  readonly posts?: string
  readonly categories?: string
  readonly tags?: string
  readonly authors?: string
  /** `undefined` where the workspace defines none: its posts have no `fields`. */
  readonly fields?: object | undefined
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
}

/** A category or a tag, as posts name it. */
export interface Term<Slug extends string = string> {
  readonly id: string
  readonly name: string
  readonly slug: Slug
  readonly description: string | null
}

/** A category or a tag as a separate resource. */
export interface CountedTerm<Slug extends string = string> extends Term<Slug> {
  readonly count: { readonly posts: number }
}

/** A value of a custom field; dates are `YYYY-MM-DDTHH:MM:SS.sssZ`, null is one that a post does not state. */
export type FieldValue = string | number | boolean | readonly string[] | null

/** Values by the names of a workspace's custom fields, in the order of their definitions. */
export type CustomFields = Readonly<Record<string, FieldValue>>

/** A post without its content and its custom fields. Dates are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface PostSummary<Site extends SiteTypes = SiteTypes> {
  readonly id: string
  readonly slug: SlugOf<Site, 'posts'>
  readonly title: string
  readonly featured: boolean
  readonly coverImage: string | null
  readonly description: string
  readonly publishedAt: string
  readonly updatedAt: string
  readonly attribution: string | null
  /** In the order of the front matter. */
  readonly authors: readonly Author<SlugOf<Site, 'authors'>>[]
  readonly category: Term<SlugOf<Site, 'categories'>>
  /** In the order of the front matter. */
  readonly tags: readonly Term<SlugOf<Site, 'tags'>>[]
  readonly derived?: Derived
}

/** The custom fields that the workspace adds to a post. */
export type WithFields<Site extends SiteTypes> = SiteTypes extends Site
  ? { readonly fields?: CustomFields }
  : 'fields' extends keyof Site
    ? Site['fields'] extends object
      ? { readonly fields: Site['fields'] }
      : unknown
    : { readonly fields?: CustomFields }

/** Values of the body, those that the workspace names under `derived`. */
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
  }[]
}

/** A whole post. */
export type Post<Site extends SiteTypes = SiteTypes> = PostSummary<Site> &
  WithFields<Site> & { readonly content: string }

/** A post as it is listed under a category, a tag or an author. */
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

/** A change of a post. */
export interface Change {
  readonly type: 'published' | 'updated' | 'removed'
  readonly id: string
  readonly slug: string
  /** Of the post in HTML, with its quotes. */
  readonly etag: string
  /** ISO 8601. */
  readonly at: string
}

/** Changes of posts, the latest first. */
export interface Changes {
  /** The id of the build, for the next request. */
  readonly build: string
  readonly changes: readonly Change[]
}

/** A slug that a post had before, and the slug that it has now. */
export interface Redirect {
  readonly from: string
  readonly to: string
}

/** A parameter of a bad request and what is wrong with it. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

/** The requested page, when it is beyond the last one. */
export interface PageError {
  readonly message: string
  readonly totalPages: number
  readonly requestedPage: number
}
