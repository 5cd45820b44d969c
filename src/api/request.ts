// A request for content as data: which operation, on what, with every parameter in its final form.
// Knows neither URLs nor answers.
import type { MediaType } from './assets.ts'
import type { DocumentKind } from './documents.ts'
import type { ResourceKind } from './resources.ts'
import type { OrderBy, PostFilter } from './snapshot.ts'

export type Version = 'v1' | 'v2'

/** Both versions, in order. */
export const versions: readonly Version[] = ['v1', 'v2']

export type Format = 'html' | 'markdown'

/** Both formats, the default first. */
export const formats: readonly Format[] = ['html', 'markdown']

/** Which posts are wanted, by their state. Scheduled posts have no status. */
export type PostStatus = 'published' | 'draft' | 'all'

/** Newest or oldest first. */
export type Order = 'desc' | 'asc'

/** The additions to a resource in its response. */
export type IncludeName = 'posts' | 'facets' | 'matches' | 'neighbours' | 'related'

/** Every parameter of every operation; those that an operation does not take hold their default. */
export interface Parameters extends PostFilter {
  /** 1 to 100, or `all` on a post list. */
  readonly limit: number | 'all'
  /** From 1. */
  readonly page: number
  readonly order: Order
  readonly orderBy: OrderBy
  readonly format: Format
  readonly excludeContent: boolean
  /** Keys of posts, in the order of the document; none for all. */
  readonly select: readonly string[]
  /** In the order of `includeTable`. */
  readonly include: readonly IncludeName[]
  /** Id of a build; '' for none. */
  readonly since: string
  /** Only requests with a key have another one than the default. */
  readonly status: PostStatus
  /** The type of media files; null for every type. On the surface of the vendor's SDKs alone. */
  readonly type: MediaType | null
}

/** The filter that every post passes. */
export const noFilter: PostFilter = {
  categories: [],
  excludeCategories: [],
  tags: [],
  excludeTags: [],
  authors: [],
  excludeAuthors: [],
  publishedAfter: null,
  publishedBefore: null,
  updatedAfter: null,
  updatedBefore: null,
  slugs: [],
  ids: [],
  featured: null,
  fields: [],
  query: '',
}

/** The parameters of a request that has none. */
export const defaultParameters: Parameters = {
  ...noFilter,
  limit: 10,
  page: 1,
  order: 'desc',
  orderBy: 'publishedAt',
  format: 'html',
  excludeContent: false,
  select: [],
  include: [],
  since: '',
  status: 'published',
  type: null,
}

/** True where posts are listed with a category, a tag or an author. */
export function includesPosts({ include }: Pick<Parameters, 'include'>): boolean {
  return include.includes('posts')
}

/** Everything that a path can name: images and custom fields are on the surface of the vendor's SDKs alone. */
export type TargetKind = ResourceKind | DocumentKind | AssetKind

/** Kinds of `Assets`. */
export type AssetKind = 'media' | 'fields'

export const assetKinds: readonly AssetKind[] = ['media', 'fields']

/** A place in the interface: a list, or one resource when there is an identifier. */
export interface Target {
  /** True on the surface of the vendor's SDKs, `/v1/{kind}`, which is v2 in other wrappings. @default false */
  readonly isSdk?: boolean
  readonly version: Version
  /** Null in a v2 path, where the key decides. */
  readonly workspace: string | null
  readonly resource: TargetKind
  /** Slug or id, decoded; null for the list. */
  readonly identifier: string | null
}

/** A whole request, ready to be answered. */
export interface ApiRequest extends Target {
  readonly workspace: string
  readonly parameters: Parameters
}
