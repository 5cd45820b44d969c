// A request for content as data: operation, target, and every parameter with its default.
import type { DocumentKind } from './documents.ts'
import type { Scope } from './keys.ts'
import type { ResourceKind } from './resources.ts'
import type { MediaType, PostFilter, PostOrder } from './snapshot.ts'

export type Version = 'v1' | 'v2'

/** Both versions, in order. */
export const versions: readonly Version[] = ['v1', 'v2']

export type Format = 'html' | 'markdown'

/** Both formats, the default first. */
export const formats: readonly Format[] = ['html', 'markdown']

/** The posts that a request is for, by status. Scheduled posts have no status. */
export type PostStatus = 'published' | 'draft' | 'all'

/** Optional parts of a response. */
export type IncludeName =
  | 'posts'
  | 'facets'
  | 'matches'
  | 'neighbours'
  | 'related'
  | 'parent'
  | 'children'

/** All parameters; those that an operation does not take have their default. */
export interface Parameters extends PostFilter, PostOrder {
  /** 1 to 100, or `all` on a post list. */
  readonly limit: number | 'all'
  /** Page number, from 1. */
  readonly page: number
  readonly format: Format
  readonly excludeContent: boolean
  /** Keys of posts, in document order; empty for all. */
  readonly select: readonly string[]
  /** Optional parts, in the order of `includeTable`. */
  readonly include: readonly IncludeName[]
  /** Fields of items or posts whose targets `include` adds whole, in the order of their definition. */
  readonly targets: readonly string[]
  /** Id of a build; '' for none. */
  readonly since: string
  /** The default, unless the request has a key. */
  readonly status: PostStatus
  /** Type of media files; null for every type. Only in the vendor's SDK API. */
  readonly type: MediaType | null
}

/** Reports whether posts are listed with a category, a tag or an author. */
export function includesPosts({ include }: Pick<Parameters, 'include'>): boolean {
  return include.includes('posts')
}

/** Kinds that a path can name. Images and custom fields are only in the vendor's SDK API. */
export type TargetKind = ResourceKind | DocumentKind | AssetKind | OwnKind

/** Content of types that a workspace defines: the list of collections, the items of a collection, and singletons. */
export type OwnKind = 'collections' | 'items' | 'singletons'

/** Reports whether each resource of a kind is a row with a body, as posts and items are. */
export function hasRows(kind: TargetKind): kind is 'posts' | 'items' {
  return kind === 'posts' || kind === 'items'
}

/** Kinds of `Assets`. */
export type AssetKind = 'media' | 'fields'

export const assetKinds: readonly AssetKind[] = ['media', 'fields']

/** A target: a list, or one resource if there is an identifier. */
export interface Target {
  /** True in the vendor's SDK API, `/v1/{kind}`, which is v2 with other envelopes. @default false */
  readonly isSdk?: boolean
  readonly version: Version
  /** Null in a v2 path, where the key decides. */
  readonly workspace: string | null
  readonly resource: TargetKind
  /** Name of the collection of items; absent for other kinds. */
  readonly collection?: string
  /** Slug or id, decoded; null for a list. Slugs of items may contain `/`. */
  readonly identifier: string | null
}

/** A complete request. */
export interface ApiRequest extends Target {
  readonly workspace: string
  /** Scopes of the key; null for a request without a key. @default null */
  readonly scopes?: readonly Scope[] | null
  readonly parameters: Parameters
}
