// The search index of a workspace, made from what is known of each of its posts.
// Knows nothing of files: it gives arrays and bytes, and says where the bytes may be cut.
import { bitmapBytes } from './bitmaps.ts'
import { type HeavyPairs, heavyPairs } from './heavy-pairs.ts'
import { type StoredLexicon, storeLexicon } from './lexicon.ts'
import { type JoinedPosts, PostJoiner } from './post-joiner.ts'
import { hashOf } from './post-terms.ts'
import { unionTerm } from './query-parts.ts'
import { readyUnions } from './ready-unions.ts'
import { isHeavy, ListWriter, type StoredLists } from './stored-lists.ts'
import type { lexiconNames, numberNames } from './text-index.ts'

/** What is made ready beyond plain lists, and from where on. No setting changes what is found. */
export interface IndexSettings {
  /** Posts from which on neighbours of heavy runs are kept. @default 1024 */
  readonly pairsFrom?: number
  /** Cost in bytes of lists, and 16 for each, from which on their union is made ready. @default 262,144 */
  readonly unionCost?: number
}

/** An index as it is stored, but for the places of the texts. */
export interface StoredIndex {
  readonly lexicons: Readonly<Record<(typeof lexiconNames)[number], StoredLexicon>>
  readonly numbers: Readonly<
    Record<Exclude<(typeof numberNames)[number], `text${string}`>, Uint32Array>
  >
  /** All posting lists. */
  readonly lists: Uint8Array
  /** Where the lists may be cut into files, ascending. */
  readonly cuts: readonly number[]
}

/** Takes posts, latest first, and makes their index. */
export class IndexBuilder {
  readonly #joiner = new PostJoiner()
  readonly #pairsFrom: number
  readonly #unionCost: number

  constructor({ pairsFrom = 1024, unionCost = 256 * 1024 }: IndexSettings = {}) {
    this.#pairsFrom = pairsFrom
    this.#unionCost = unionCost
  }

  /** @param post what `postTerms` gave */
  add(post: Uint8Array): void {
    this.#joiner.add(post)
  }

  finish(): StoredIndex {
    const joined = this.#joiner.finish()
    const lists = new ListWriter(joined.postCount)
    const bytes = addTerms(joined, lists)
    const heavy = joined.postCount < this.#pairsFrom ? new Uint32Array(0) : heaviest(joined, bytes)
    const unions = addUnions(joined, lists, withoutHeavy(bytes, heavy), this.#unionCost)
    const pairs = addPairs(joined, lists, heavy)
    return stored(joined, lists.finish(), { heavy, unions, pairs })
  }
}

/** Bytes of each term's list, 0 for a single post. */
function addTerms({ hashes, starts, posts }: JoinedPosts, lists: ListWriter): Uint32Array {
  return hashes.map((hash, term) => lists.add(posts.subarray(starts[term], starts[term + 1]), hash))
}

const heavyMax = 1024

/** Runs whose lists are bitmaps, ascending; those of most posts where there are too many. */
function heaviest({ postCount, lexicons, starts }: JoinedPosts, bytes: Uint32Array): Uint32Array {
  const runs = lexicons[0].length + lexicons[1].length
  const full = bitmapBytes(postCount)
  const count = (term: number) => (starts[term + 1] ?? 0) - (starts[term] ?? 0)
  return Uint32Array.from(
    Array.from(bytes.subarray(0, runs).keys())
      .filter((term) => bytes[term] === full)
      .sort((a, b) => count(b) - count(a) || a - b)
      .slice(0, heavyMax),
  ).sort()
}

/** What it costs to find a run and its list, in bytes that could be read of a list in that time. */
const runCost = 16

/** What it costs to unite each term's posts with others; 0 for heavy ones. */
function withoutHeavy(bytes: Uint32Array, heavy: Uint32Array): Uint32Array {
  const light = bytes.map((length) => length + runCost)
  for (const term of heavy) light[term] = 0
  return light
}

/** Adds the ready unions; gives their parts, in the order of their lists. */
function addUnions(
  { lexicons, starts, posts, postCount }: JoinedPosts,
  lists: ListWriter,
  costs: Uint32Array,
  costMin: number,
): readonly string[] {
  const runs = [...lexicons[0], ...lexicons[1]]
  const runStarts = new Uint32Array(runs.length + 1)
  runStarts[0] = 1
  runs.forEach((run, index) => {
    runStarts[index + 1] = (runStarts[index] ?? 0) + run.length + 1
  })
  const parts: string[] = []
  const found = readyUnions(
    {
      postCount,
      text: `\0${runs.join('\0')}\0`,
      starts: runStarts,
      costs: costs.subarray(0, runs.length),
      postsOf: (run) => posts.subarray(starts[run], starts[run + 1]),
    },
    costMin,
  )
  for (const union of found) {
    const part = unionTerm(union.part)
    parts.push(part)
    const bytes = encoder.encode(part)
    lists.add(union.posts, hashOf(bytes, 0, bytes.length))
  }
  return parts
}

function addPairs(joined: JoinedPosts, lists: ListWriter, heavy: Uint32Array): HeavyPairs {
  const pairs = heavyPairs(joined, heavy)
  const { rows, seconds, starts, posts } = pairs
  for (let first = 0; first < heavy.length; first++) {
    const hash = joined.hashes[heavy[first] ?? 0] ?? 0
    for (let pair = rows[first] ?? 0; pair < (rows[first + 1] ?? 0); pair++) {
      const other = joined.hashes[heavy[seconds[pair] ?? 0] ?? 0] ?? 0
      lists.add(posts.subarray(starts[pair], starts[pair + 1]), Math.imul(hash, 31) ^ other)
    }
  }
  return pairs
}

function stored(
  { lexicons: [ascii, other, pairs], hashes }: JoinedPosts,
  { bytes, areas, refs, cuts }: StoredLists,
  made: {
    readonly heavy: Uint32Array
    readonly unions: readonly string[]
    readonly pairs: HeavyPairs
  },
): StoredIndex {
  const termRefs = refs.slice(0, hashes.length)
  for (const term of made.heavy) termRefs[term] = ((termRefs[term] ?? 0) | isHeavy) >>> 0
  const firstPair = hashes.length + made.unions.length
  const unionRefs = new Map(made.unions.map((part, at) => [part, refs[hashes.length + at] ?? 0]))
  const unions = [...made.unions].sort()
  return {
    lexicons: {
      ascii: storeLexicon(ascii),
      other: storeLexicon(other),
      pairs: storeLexicon(pairs),
      unions: storeLexicon(unions),
    },
    numbers: {
      refs: termRefs,
      areaStarts: areas.starts,
      areaLengths: areas.lengths,
      heavy: made.heavy,
      heavyRows: made.pairs.rows,
      heavySeconds: made.pairs.seconds,
      heavyPairRefs: refs.slice(firstPair),
      unionRefs: Uint32Array.from(unions, (part) => unionRefs.get(part) ?? 0),
    },
    lists: bytes,
    cuts,
  }
}

const encoder = new TextEncoder()
