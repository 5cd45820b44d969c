// The index of a workspace: times, orders, identifiers and posting lists.
import type { TermKind } from '../api/resources.ts'
import type { Awaitable, StoredOrder } from '../api/snapshot.ts'
import type { FieldIndex } from './field-index.ts'
import type { IdentifierTable } from './identifiers.ts'
import type { OrdinalSet } from './ordinal-set.ts'
import type { PackedLists } from './packed-lists.ts'
import type { PostNames } from './post-names.ts'

/** The terms of one kind; ordinals are in name order. */
export interface TermIndex {
  /** Slugs and ids. */
  readonly identifiers: IdentifierTable
  /** Slugs only, for filters. */
  readonly slugs: IdentifierTable
  /** The posts of each term. */
  readonly postings: PackedLists
  /** Terms without a file: ascending ordinals. */
  readonly created: Uint32Array
}

/** The posts of a workspace; ordinals are in publication order, newest first. */
export interface PostIndex {
  /** Milliseconds since 1970, non-increasing. */
  readonly publishedAt: Float64Array
  /** Milliseconds since 1970. */
  readonly updatedAt: Float64Array
  /** All ordinals in each order, newest or last first; ties by id, descending. */
  readonly orders: Readonly<Record<StoredOrder, Uint32Array>>
  readonly names: PostNames
  /** Every ordinal. */
  readonly all: Uint32Array
  readonly featured: Uint32Array
  /** Empty except in an index with drafts. */
  readonly drafts: Uint32Array
  readonly terms: Readonly<Record<TermKind, TermIndex>>
  /** By indexed custom field; absent when there are none. */
  readonly fields?: Readonly<Record<string, FieldIndex>>
}

/** Finds posts by text. */
export interface TextSearch {
  /**
   * @param query normalized, not empty
   * @param first excludes posts below this ordinal before any text is read. @default 0
   * @returns ascending and unique
   */
  search(query: string, first?: number): Awaitable<Uint32Array | OrdinalSet>
}
