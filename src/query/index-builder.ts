// Builds the search index of a workspace from shards.
import { type CommonGrams, commonGrams } from './common-grams.ts'
import { dictionariesOf, type InvertedTerms, mergeTerms, startsOf } from './inverted-terms.ts'
import { materializedUnions, type TokenCosts } from './materialized-unions.ts'
import { unionTerm } from './query-parts.ts'
import type { Shard } from './shard.ts'
import { ListWriter, type StoredLists } from './stored-lists.ts'
import { storeTermDictionary, storeTerms } from './term-dictionary.ts'
import { decodeTerms } from './term-texts.ts'
import type { dictionaryNames, numberNames } from './text-index.ts'
import { costOfToken, unionCostMin } from './union-costs.ts'

/** Thresholds of optional structures. They never change search results. */
export interface IndexSettings {
  /**
   * Cost of uniting lists (their bytes, plus 16 per list) from which on their union is materialized. @default 245,760
   */
  readonly unionCost?: number
}

/** An index as stored, without the places of the texts. */
export interface StoredIndex {
  readonly dictionaries: Readonly<Record<(typeof dictionaryNames)[number], Uint8Array>>
  readonly refs: Uint8Array
  readonly numbers: Readonly<Record<(typeof numberNames)[number], Uint32Array>>
  /** All posting lists. */
  readonly lists: Uint8Array
  /** Offsets at which the lists may be split into files, ascending. */
  readonly cuts: readonly number[]
}

/** Builds the index of shards; with common grams when all shards have them. */
export function buildIndex(
  oldestFirst: readonly Shard[],
  { unionCost = unionCostMin }: IndexSettings = {},
): StoredIndex {
  const terms = mergeTerms(oldestFirst)
  const postings = { starts: startsOf(terms.frequencies), posts: terms.posts }
  const {
    postCount,
    counts: [ascii = 0, other = 0],
  } = terms
  const lists = new ListWriter(postCount)
  const bytes = lists.addAll(postings.starts, terms.posts)
  const dictionaries = dictionariesOf(terms)
  const stored = dictionaries.map(storeTerms)
  const plain = [lists.bytes, ...stored.map(({ length }) => length)].reduce((a, b) => a + b)
  const hasGrams = oldestFirst.every(({ grams }) => grams !== null)
  const grams = hasGrams ? commonGrams(terms, oldestFirst, gramBytes(terms, plain)) : noGrams
  const text = `\0${dictionaries.slice(0, 2).map(decodeTerms).join('')}`
  const costs = costsWithout(bytes.subarray(0, ascii + other), grams.words)
  const unions = addUnions({ text, costs, postCount, postings }, lists, unionCost)
  lists.addAll(grams.starts, grams.posts)
  return storeIndex(stored, lists.finish(), unions, grams)
}

/**
 * The budget for gram lists: the whole index stays within 15 % of the text, with a reserve for tables and unions. A
 * small minimum applies when the terms are many relative to the text.
 */
function gramBytes({ textBytes }: InvertedTerms, plain: number): number {
  return Math.max(0.129 * textBytes - plain, 0.005 * textBytes)
}

const noGrams: CommonGrams = {
  words: new Uint32Array(0),
  rows: new Uint32Array(1),
  seconds: new Uint32Array(0),
  starts: new Uint32Array(1),
  posts: new Uint32Array(0),
}

/** The cost of uniting each token's posts with others; 0 for common words. */
function costsWithout(bytes: Uint32Array, words: Uint32Array): Uint32Array {
  const costs = bytes.map(costOfToken)
  for (const term of words) costs[term] = 0
  return costs
}

/** Adds the materialized unions. @returns their terms, in the order of their lists */
function addUnions(tokens: TokenCosts, lists: ListWriter, costMin: number): readonly string[] {
  const terms: string[] = []
  for (const { part, posts } of materializedUnions(tokens, costMin)) {
    terms.push(unionTerm(part))
    lists.add(posts)
  }
  return terms
}

/**
 * Returns an index as stored.
 *
 * @param dictionaries as stored: ASCII tokens, other tokens, unigrams and bigrams
 * @param unions terms of materialized unions, in the order of their lists
 */
function storeIndex(
  [
    ascii = emptyDictionary,
    other = emptyDictionary,
    bigrams = emptyDictionary,
  ]: readonly Uint8Array[],
  { bytes, areaStarts, areaLengths, refs, cuts }: StoredLists,
  unions: readonly string[],
  { words, rows, seconds }: CommonGrams,
): StoredIndex {
  const unionOrder = [...unions.keys()].sort((a, b) =>
    (unions[a] ?? '') < (unions[b] ?? '') ? -1 : 1,
  )
  const sorted = storeTermDictionary(unionOrder.map((at) => unions[at] ?? ''))
  return {
    dictionaries: { ascii, other, bigrams, unions: sorted },
    refs,
    numbers: {
      areaStarts,
      areaLengths,
      unionOrder: Uint32Array.from(unionOrder),
      commonTerms: words,
      gramRows: rows,
      gramSeconds: seconds,
    },
    lists: bytes,
    cuts,
  }
}

const emptyDictionary = storeTermDictionary([])
