// The resources as a client receives them. Types alone: nothing of this is in a bundle.
import type { Pagination } from '../api/pagination.ts'
import type {
  Author,
  CustomFields,
  FieldValue,
  Post as PostFields,
  PostItem,
  Term,
} from '../api/resources.ts'

export type { Author, CustomFields, FieldValue, Pagination, PostItem }

/**
 * A post; `content` is not there where `excludeContent` was asked for.
 *
 * `Fields` are those that the workspace defines; where it defines none, no post has `fields`.
 */
export interface Post<Fields extends object | undefined = CustomFields | undefined>
  extends Omit<PostFields, 'fields'> {
  readonly content?: string
  readonly fields: Fields
}

/** A category or a tag as a resource of its own. */
export interface CountedTerm extends Term {
  readonly count: { readonly posts: number }
}

/** What `include: ['posts']` adds. */
export interface WithPosts {
  readonly posts?: { readonly data: readonly PostItem[]; readonly pagination: Pagination }
}

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Pagination
}

/** Which posts, and how they are shown. */
export interface PostQuery {
  /** Items a page. @default 10 */
  readonly limit?: number | 'all'
  /** From 1. @default 1 */
  readonly page?: number
  /** By publication. @default 'desc' */
  readonly order?: 'asc' | 'desc'
  /** Slugs: any of them. */
  readonly categories?: readonly string[]
  /** Slugs: none of them. */
  readonly excludeCategories?: readonly string[]
  /** Slugs: at least one of them. */
  readonly tags?: readonly string[]
  /** Slugs: none of them. */
  readonly excludeTags?: readonly string[]
  /** A text in the title or in what a reader sees. */
  readonly query?: string
  /** @default 'html' */
  readonly format?: 'html' | 'markdown'
  /** Leaves `content` out. */
  readonly excludeContent?: boolean
  readonly featured?: boolean
}

/** How a list of categories, tags or authors is shown, or the posts of one of them. */
export interface TermQuery {
  /** @default 10 */
  readonly limit?: number
  /** From 1. @default 1 */
  readonly page?: number
  readonly include?: readonly 'posts'[]
}
