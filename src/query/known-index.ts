// An index as it was laid out before, such that one that differs in a few posts can be made of it.
// Knows nothing of where it is kept.
import { readHeaded, storeHeaded } from './headed-sections.ts'
import type { KnownPosts } from './known-posts.ts'
import type { CostlyPart } from './part-unions.ts'
import type { PlacedLists } from './stored-lists.ts'

/** What is known of an index without heavy words. */
export interface KnownIndex
  extends Pick<KnownPosts, 'counts' | 'texts' | 'starts' | 'hashes'>,
    PlacedLists {
  readonly postCount: number
  /** Cost from which on unions are ready. */
  readonly unionCost: number
  /** As they are stored: runs of ASCII, other runs, pairs. */
  readonly lexicons: readonly Uint8Array[]
  /** All posting lists, of terms first and then of ready unions; any four bytes stand behind them. */
  readonly lists: Uint8Array
  readonly cuts: Uint32Array
  /** Parts that are costly, or nearly so. Those that have a union are in the order of their lists. */
  readonly parts: readonly CostlyPart[]
}

/** Bytes that stand behind the lists, as four are read at a time. */
const behindLists = 8

/** A known index as bytes, with something else that is known of it. */
export function storeKnownIndex(
  { postCount, unionCost, lexicons, lists, parts, ...arrays }: KnownIndex,
  rest: object,
): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(lists.length + behindLists)
  padded.set(lists)
  const [ascii = noBytes, other = noBytes, pairs = noBytes] = lexicons
  const head: StoredHead = { postCount, unionCost, parts, rest }
  return storeHeaded({ ...arrays, ascii, other, pairs, lists: padded }, head)
}

/** @param stored what `storeKnownIndex` gave, at an address that is a multiple of 8 @returns views */
export function readKnownIndex(stored: Uint8Array): {
  readonly known: KnownIndex
  readonly rest: unknown
} {
  const { read, head } = readHeaded<StoredHead>(stored)
  const { rest, ...own } = head
  const known = {
    ...own,
    counts: read('counts', 'u32'),
    texts: read('texts', 'u8'),
    starts: read('starts', 'u32'),
    hashes: read('hashes', 'u32'),
    lengths: read('lengths', 'u32'),
    places: read('places', 'u32'),
    cuts: read('cuts', 'u32'),
    lexicons: [read('ascii', 'u8'), read('other', 'u8'), read('pairs', 'u8')],
    lists: read('lists', 'u8').subarray(0, -behindLists),
  }
  return { known, rest }
}

interface StoredHead extends Pick<KnownIndex, 'postCount' | 'unionCost' | 'parts'> {
  readonly rest: unknown
}

const noBytes = new Uint8Array(0)
