// The search index of a workspace, made from what is known of each of its posts.
// Knows nothing of files: it gives arrays and bytes, and says where the bytes may be cut.
import { type HeavyPairs, heavyPairs } from './heavy-pairs.ts'
import type { JoinedPosts } from './joined-posts.ts'
import { storeLexicon, storeTerms } from './lexicon.ts'
import { hashOf } from './post-terms.ts'
import { unionTerm } from './query-parts.ts'
import { readyUnions } from './ready-unions.ts'
import { ListWriter, type StoredLists } from './stored-lists.ts'
import { decodeTerms } from './term-texts.ts'
import type { lexiconNames, numberNames } from './text-index.ts'
import { costOfRun, unionCostMin } from './union-costs.ts'
import { links } from './words.ts'

/** What is made ready beyond plain lists, and from where on. No setting changes what is found. */
export interface IndexSettings {
  /** Keeps neighbours of heavy words, so that few texts are read for a phrase of common words. @default false */
  readonly hasPairs?: boolean
  /** Cost in bytes of lists, and 16 for each, from which on their union is made ready. @default 245,760 */
  readonly unionCost?: number
}

/** An index as it is stored, but for the places of the texts. */
export interface StoredIndex {
  readonly lexicons: Readonly<Record<(typeof lexiconNames)[number], Uint8Array>>
  readonly refs: Uint8Array
  readonly numbers: Readonly<Record<(typeof numberNames)[number], Uint32Array>>
  /** All posting lists. */
  readonly lists: Uint8Array
  /** Where the lists may be cut into files, ascending. */
  readonly cuts: readonly number[]
}

/** The index of posts. */
export function buildIndex(
  joined: JoinedPosts,
  { hasPairs = false, unionCost = unionCostMin }: IndexSettings = {},
): StoredIndex {
  const lists = new ListWriter(joined.postCount)
  const bytes = lists.addAll(joined, joined.hashes)
  const lexicons = joined.lexicons.map(storeTerms)
  const plain = [lists.bytes, ...lexicons.map(({ length }) => length)].reduce((a, b) => a + b)
  const pairs = hasPairs ? heavyPairs(joined, pairBytes(joined, plain)) : noPairs
  const unions = addUnions(joined, lists, withoutHeavy(bytes, pairs.heavy), unionCost)
  addPairs(joined, lists, pairs)
  return storeIndex(lexicons, lists.finish(), unions, pairs)
}

/**
 * What the lists of pairs may take: all of the index is to stay within 15 % of the text, of which some is left for
 * tables and unions. Where words are many for the text, still a little.
 */
function pairBytes({ textBytes }: JoinedPosts, plain: number): number {
  return Math.max(0.129 * textBytes - plain, 0.005 * textBytes)
}

const noPairs: HeavyPairs = {
  heavy: new Uint32Array(0),
  rows: new Uint32Array(1),
  seconds: new Uint32Array(0),
  starts: new Uint32Array(1),
  posts: new Uint32Array(0),
}

/** What it costs to unite each term's posts with others; 0 for heavy ones. */
function withoutHeavy(bytes: Uint32Array, heavy: Uint32Array): Uint32Array {
  const light = bytes.map(costOfRun)
  for (const term of heavy) light[term] = 0
  return light
}

/** Adds the ready unions. @returns their terms, in the order of their lists */
function addUnions(
  { lexicons, starts, posts, postCount }: JoinedPosts,
  lists: ListWriter,
  costs: Uint32Array,
  costMin: number,
): readonly string[] {
  const [ascii, other] = lexicons
  const text = `\0${decodeTerms(ascii)}${decodeTerms(other)}`
  const runStarts = new Uint32Array(ascii.count + other.count + 1)
  for (let at = 0, run = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 0) runStarts[run++] = at + 1
  }
  const runCosts = costs.subarray(0, runStarts.length - 1)
  const runs = { postCount, text, starts: runStarts, costs: runCosts, posts, postStarts: starts }
  const unions: string[] = []
  for (const { part, posts: union } of readyUnions(runs, costMin)) {
    const term = unionTerm(part)
    unions.push(term)
    const bytes = encoder.encode(term)
    lists.add(union, hashOf(bytes, 0, bytes.length))
  }
  return unions
}

function addPairs(
  { hashes }: JoinedPosts,
  lists: ListWriter,
  { heavy, rows, seconds, starts, posts }: HeavyPairs,
): void {
  const hashOfWord = (word: number) => hashes[heavy[word] ?? 0] ?? 0
  const pairHashes = new Uint32Array(seconds.length)
  for (let row = 0; row + 1 < rows.length; row++) {
    const first = Math.imul(hashOfWord(Math.floor(row / links.length)), 31) + (row % links.length)
    for (let pair = rows[row] ?? 0; pair < (rows[row + 1] ?? 0); pair++) {
      pairHashes[pair] = first ^ hashOfWord(seconds[pair] ?? 0)
    }
  }
  lists.addAll({ starts, posts }, pairHashes)
}

/**
 * An index as it is stored.
 *
 * @param lexicons as they are stored: runs of ASCII, other runs, pairs
 * @param unions terms of ready unions, in the order of their lists
 */
function storeIndex(
  [ascii = emptyLexicon, other = emptyLexicon, pairs = emptyLexicon]: readonly Uint8Array[],
  { bytes, areaStarts, areaLengths, refs, cuts }: StoredLists,
  unions: readonly string[],
  { heavy, rows, seconds }: HeavyPairs,
): StoredIndex {
  const unionOrder = [...unions.keys()].sort((a, b) =>
    (unions[a] ?? '') < (unions[b] ?? '') ? -1 : 1,
  )
  const sorted = storeLexicon(unionOrder.map((at) => unions[at] ?? ''))
  return {
    lexicons: { ascii, other, pairs, unions: sorted },
    refs,
    numbers: {
      areaStarts,
      areaLengths,
      unionOrder: Uint32Array.from(unionOrder),
      heavy,
      heavyRows: rows,
      heavySeconds: seconds,
    },
    lists: bytes,
    cuts,
  }
}

const emptyLexicon = storeLexicon([])

const encoder = new TextEncoder()
