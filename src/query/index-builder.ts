// The search index of a workspace, made from what is known of each of its posts.
// Knows nothing of files: it gives arrays and bytes, and says where the bytes may be cut.
import { type FoundPairs, type HeavyPairs, heavyPairs } from './heavy-pairs.ts'
import type { KnownIndex } from './known-index.ts'
import type { KnownPosts } from './known-posts.ts'
import { storeLexicon, storeTerms } from './lexicon.ts'
import { pairsPostsMin } from './pairs-posts-min.ts'
import type { CostlyPart } from './part-unions.ts'
import { type GivenPosts, type JoinedPosts, PostJoiner } from './post-joiner.ts'
import { hashOf } from './post-terms.ts'
import { unionTerm } from './query-parts.ts'
import { readyUnions } from './ready-unions.ts'
import { ListWriter, type StoredLists } from './stored-lists.ts'
import { knownTerms } from './term-table.ts'
import { decodeTerms } from './term-texts.ts'
import type { lexiconNames, numberNames } from './text-index.ts'
import { costOfRun, nearCost, unionCostMin } from './union-costs.ts'
import { links } from './words.ts'

/** What is made ready beyond plain lists, and from where on. No setting changes what is found. */
export interface IndexSettings {
  /** Posts from which on neighbours of heavy words are kept. @default 1024 */
  readonly pairsFrom?: number
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
  /** The posts, latest first, such that another builder may begin with them; none where they have too many terms. */
  readonly known: (() => KnownPosts) | undefined
  /** The posts that the builder began with would do as well, if few are others: no other words have become common. */
  readonly wereKnown: boolean
  /** The index, such that one with a few other posts can be made of it; none where it has heavy words. */
  readonly knownIndex: (() => KnownIndex) | undefined
}

/** An index as it is stored, and nothing else. */
export type LaidOutIndex = Omit<StoredIndex, 'known' | 'wereKnown' | 'knownIndex'>

/** Takes posts, in any order, and makes their index. */
export class IndexBuilder {
  readonly #joiner: PostJoiner
  readonly #pairsFrom: number
  readonly #unionCost: number
  readonly #given: GivenPosts | undefined

  /** @param given posts that have the first numbers already */
  constructor(
    { pairsFrom = pairsPostsMin, unionCost = unionCostMin }: IndexSettings = {},
    given?: GivenPosts,
  ) {
    this.#joiner = new PostJoiner(given)
    this.#pairsFrom = pairsFrom
    this.#unionCost = unionCost
    this.#given = given
  }

  /** @param post what `postTerms` gave @returns its number */
  add(post: Uint8Array): number {
    return this.#joiner.add(post)
  }

  /** @param latestFirst numbers of the posts to index; nothing may be added afterwards */
  finish(latestFirst: readonly number[]): StoredIndex {
    const joined = this.#joiner.finish(latestFirst)
    const lists = new ListWriter(joined.postCount)
    const bytes = lists.addAll(joined, joined.hashes)
    const lexicons = joined.lexicons.map(storeTerms)
    const plain = [lists.bytes, ...lexicons.map(({ length }) => length)].reduce((a, b) => a + b)
    const isSmall = joined.postCount < this.#pairsFrom
    const pairs = isSmall
      ? noPairs
      : heavyPairs(joined, pairBytes(joined, plain), this.#given?.known.pairs)
    const parts = addUnions(joined, lists, withoutHeavy(bytes, pairs.heavy), this.#unionCost)
    addPairs(joined, lists, pairs)
    const isKept = joined.posts.length <= knownTermsMax
    const known = isKept ? () => ({ ...joined.known(), pairs: pairs.known() }) : undefined
    const laidOut = lists.finish()
    const ready = parts.filter(({ cost }) => cost >= this.#unionCost)
    const knownIndex = (): KnownIndex => ({
      ...knownTerms(joined),
      ...laidOut.placed(),
      postCount: joined.postCount,
      unionCost: this.#unionCost,
      lexicons,
      lists: laidOut.bytes,
      cuts: Uint32Array.from(laidOut.cuts),
      parts,
    })
    return {
      ...storeIndex(
        lexicons,
        laidOut,
        ready.map(({ part }) => unionTerm(part)),
        pairs,
      ),
      known,
      wereKnown: this.#given !== undefined && pairs.wereKnown,
      knownIndex: isSmall ? knownIndex : undefined,
    }
  }
}

/** Terms of all posts that are worth being kept as they were joined: 64 MiB, which each build writes again. */
const knownTermsMax = 16 * 1024 * 1024

/**
 * What the lists of pairs may take: all of the index is to stay within 15 % of the text, of which some is left for
 * tables and unions. Where words are many for the text, still a little.
 */
function pairBytes({ textBytes }: JoinedPosts, plain: number): number {
  return Math.max(0.129 * textBytes - plain, 0.005 * textBytes)
}

const noPairs: FoundPairs = {
  heavy: new Uint32Array(0),
  rows: new Uint32Array(1),
  seconds: new Uint32Array(0),
  starts: new Uint32Array(1),
  posts: new Uint32Array(0),
  wereKnown: true,
  known: () => undefined,
}

/** What it costs to unite each term's posts with others; 0 for heavy ones. */
function withoutHeavy(bytes: Uint32Array, heavy: Uint32Array): Uint32Array {
  const light = bytes.map(costOfRun)
  for (const term of heavy) light[term] = 0
  return light
}

/** Adds the ready unions; gives their parts in the order of their lists, and those that are nearly so costly. */
function addUnions(
  { lexicons, starts, posts, postCount }: JoinedPosts,
  lists: ListWriter,
  costs: Uint32Array,
  costMin: number,
): readonly CostlyPart[] {
  const [ascii, other] = lexicons
  const text = `\0${decodeTerms(ascii)}${decodeTerms(other)}`
  const runStarts = new Uint32Array(ascii.count + other.count + 1)
  for (let at = 0, run = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 0) runStarts[run++] = at + 1
  }
  const parts: CostlyPart[] = []
  const found = readyUnions(
    {
      postCount,
      text,
      starts: runStarts,
      costs: costs.subarray(0, runStarts.length - 1),
      posts,
      postStarts: starts,
    },
    costMin,
    nearCost(costMin),
  )
  for (const { part, cost, posts: union } of found) {
    parts.push({ part, cost })
    const bytes = encoder.encode(unionTerm(part))
    if (union !== null) lists.add(union, hashOf(bytes, 0, bytes.length))
  }
  return parts
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
 * @param unions parts that have a ready union, in the order of their lists
 */
export function storeIndex(
  [ascii = emptyLexicon, other = emptyLexicon, pairs = emptyLexicon]: readonly Uint8Array[],
  { bytes, areaStarts, areaLengths, refs, cuts }: Omit<StoredLists, 'placed'>,
  unions: readonly string[],
  { heavy, rows, seconds }: HeavyPairs = noPairs,
): LaidOutIndex {
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
