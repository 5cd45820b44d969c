// The index of one workspace: times, orders, identifiers and posting lists.
import type { TermKind } from '../api/resources.ts'
import type { Awaitable, StoredOrder } from '../api/snapshot.ts'
import type { FieldIndex } from './field-index.ts'
import type { IdentifierTable } from './identifiers.ts'
import type { OrdinalSet } from './ordinal-set.ts'
import type { PackedLists } from './packed-lists.ts'
import type { PostNames } from './post-names.ts'

/** Terms of one kind: ordinals in name order. */
export interface TermIndex {
  /** Slugs and ids. */
  readonly identifiers: IdentifierTable
  /** Slugs alone: what a filter names. */
  readonly slugs: IdentifierTable
  /** Posts of each term. */
  readonly postings: PackedLists
  /** Terms that no file states: ascending ordinals. */
  readonly created: Uint32Array
}

/** Posts of one workspace: ordinals in publication order, latest first. */
export interface PostIndex {
  /** Milliseconds since 1970, never rising. */
  readonly publishedAt: Float64Array
  /** Milliseconds since 1970. */
  readonly updatedAt: Float64Array
  /** Every ordinal in each order, the latest or last one first; ties by id, descending. */
  readonly orders: Readonly<Record<StoredOrder, Uint32Array>>
  readonly names: PostNames
  /** Every ordinal. */
  readonly all: Uint32Array
  readonly featured: Uint32Array
  /** None but in an index with drafts. */
  readonly drafts: Uint32Array
  readonly terms: Readonly<Record<TermKind, TermIndex>>
  /** By the names of indexed custom fields; absent where there are none. */
  readonly fields?: Readonly<Record<string, FieldIndex>>
}

/** Finds posts by text. */
export interface TextSearch {
  /**
   * @param query folded, not empty
   * @param first posts before this ordinal are left out before any text is read; 0 without it
   * @returns ascending and unique
   */
  search(query: string, first?: number): Awaitable<Uint32Array | OrdinalSet>
}
