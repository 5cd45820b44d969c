// Posts as they were joined before, so that only those that are new since have to be joined.
// Knows nothing of where they are kept.
import { readHeaded, storeHeaded } from './headed-sections.ts'

/** Pairs of words that stand next to each other in posts, as they were found before. */
export interface KnownPairs {
  /** The words that were looked for: a pair is numbered by their places, as in `Neighbours`. */
  readonly words: readonly string[]
  /** The pairs of all posts, by the post's number, and where those of each end. */
  readonly pairs: Uint32Array
  readonly ends: Uint32Array
}

/** Posts, numbered as they were given, and their terms, numbered in the order of the lexicons. */
export interface KnownPosts {
  /** How many terms there are in each lexicon. */
  readonly counts: Uint32Array
  /** All terms in UTF-8, each with a NUL behind it; where each begins, and one more. */
  readonly texts: Uint8Array
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  /** Terms of all posts, post after post in the order of `postTerms`, and where each post ends. */
  readonly terms: Uint32Array
  readonly termEnds: Uint32Array
  /** Bytes of each folded text, and where the runs begin in what `postTerms` gave. */
  readonly textSizes: Uint32Array
  readonly runsAt: Uint32Array
  /** None where they are looked for in too few posts, or are too many. */
  readonly pairs?: KnownPairs | undefined
}

/** Known posts as bytes, with something else that is known of them. */
export function storeKnownPosts(
  { terms, pairs, ...arrays }: KnownPosts,
  rest: object,
): Uint8Array<ArrayBuffer> {
  // As narrow as their numbers are: they are most of it.
  const narrow = arrays.hashes.length > 0x10000 ? terms : new Uint16Array(terms)
  const bytes = new Uint8Array(narrow.buffer, narrow.byteOffset, narrow.byteLength)
  const ofPairs = pairs && { pairs: pairs.pairs, pairEnds: pairs.ends }
  const head: StoredHead = { ...(pairs && { words: pairs.words }), rest }
  return storeHeaded({ ...arrays, ...ofPairs, terms: bytes }, head)
}

/** @param stored what `storeKnownPosts` gave, at an address that is a multiple of 8 @returns views */
export function readKnownPosts(stored: Uint8Array): {
  readonly known: KnownPosts
  readonly rest: unknown
} {
  const { read, head } = readHeaded<StoredHead>(stored)
  const { words, rest } = head
  const hashes = read('hashes', 'u32')
  const { buffer, byteOffset, byteLength } = read('terms', 'u8')
  const terms =
    hashes.length > 0x10000
      ? new Uint32Array(buffer, byteOffset, byteLength / 4)
      : new Uint32Array(new Uint16Array(buffer, byteOffset, byteLength / 2))
  const known = {
    hashes,
    terms,
    counts: read('counts', 'u32'),
    texts: read('texts', 'u8'),
    starts: read('starts', 'u32'),
    termEnds: read('termEnds', 'u32'),
    textSizes: read('textSizes', 'u32'),
    runsAt: read('runsAt', 'u32'),
    pairs: words && { words, pairs: read('pairs', 'u32'), ends: read('pairEnds', 'u32') },
  }
  return { known, rest }
}

interface StoredHead {
  /** Of the pairs, where there are some. */
  readonly words?: readonly string[]
  readonly rest: unknown
}
