// Text search over an index: posts whose folded title or text has the folded query in it, all of them and no other.
// Knows no storage: lists and texts come through a reader.
import {
  addAll,
  addOrdinal,
  type Bitmap,
  common,
  emptyBitmap,
  ordinalsIn,
  without,
} from './bitmaps.ts'
import { eachTermWith, findTerm } from './lexicon.ts'
import { addStored } from './list-coding.ts'
import { cutQuery, type QueryRun, unionTerm } from './query-parts.ts'
import type { Steps } from './steps.ts'
import { isHeavy, isSingle, listLength, refMask } from './stored-lists.ts'
import type { TextIndex, TextReader } from './text-index.ts'
import { verify } from './text-verify.ts'
import { links } from './words.ts'

/**
 * Posts that have a text in them.
 *
 * A text within one run is a part of a term: the vocabulary is looked through and the posts of all terms that
 * have it are united. One or two characters that are no run are a term themselves. Anything else narrows the
 * posts down to those that have all its terms, and those are looked at.
 *
 * @param needle folded, not empty
 * @returns ordinals from the latest post on, ascending
 */
export function* searchText(
  index: TextIndex,
  reader: TextReader,
  needle: string,
): Steps<Uint32Array> {
  const search = new Search(index, reader)
  const { runs, pairs, isWhole } = cutQuery(needle)
  const [first] = runs
  if (isWhole) {
    if (first !== undefined) return search.ordinals(yield* search.postsOfRun(first))
    return search.ordinals(yield* search.postsOfPair(needle))
  }
  const { certain, possible } = yield* search.narrow(runs, pairs)
  const open = ordinalsOf(without(possible, certain), index.postCount)
  for (const post of yield* verify(index, reader, open, needle)) {
    addOrdinal(certain, index.postCount - 1 - post)
  }
  return search.ordinals(certain)
}

/** Runs of the index that match a run of the query, and their posts. */
interface MatchedRun {
  /** Posts of the light ones. */
  readonly light: Bitmap
  /** The heavy ones. */
  readonly heavy: readonly number[]
  /** The heavy one that the run of the query is, or -1. */
  readonly word: number
  /** Posts of the heavy ones. */
  readonly heavyPosts: Bitmap
}

/** One search: what it has read of the index so far. */
class Search {
  readonly #index: TextIndex
  readonly #reader: TextReader
  readonly #matched = new Map<string, MatchedRun>()

  constructor(index: TextIndex, reader: TextReader) {
    this.#index = index
    this.#reader = reader
  }

  ordinals(posts: Bitmap): Uint32Array {
    return ordinalsOf(posts, this.#index.postCount)
  }

  *postsOfRun(run: QueryRun): Steps<Bitmap> {
    const { light, heavyPosts } = yield* this.#match(run)
    return addAll(light.slice(), heavyPosts)
  }

  *postsOfPair(pair: string): Steps<Bitmap> {
    const { ascii, other, pairs, refs } = this.#index
    const term = findTerm(pairs, pair)
    const before = ascii.starts.length + other.starts.length - 2
    return yield* this.#unite(term === -1 ? [] : [refs[before + term] ?? 0])
  }

  /** Posts that are found already, and all that can be. */
  *narrow(
    runs: readonly QueryRun[],
    pairs: readonly string[],
  ): Steps<{ readonly certain: Bitmap; readonly possible: Bitmap }> {
    // Bits behind the last post too: there is a run or a pair in any needle, and no list has them.
    let possible = emptyBitmap(this.#index.postCount).fill(-1)
    let certain = emptyBitmap(this.#index.postCount)
    for (const pair of pairs) {
      possible = common(possible, yield* this.postsOfPair(pair))
      if (isEmpty(possible)) return { certain, possible }
    }
    for (const [at, run] of runs.entries()) {
      const next = runs[at + 1]
      if (next !== undefined && run.link !== -1) {
        const linked = yield* this.#link(run, next)
        possible = common(possible, linked.possible)
        if (run.isPhrase) certain = linked.certain
      } else if ((runs[at - 1]?.link ?? -1) === -1) {
        possible = common(possible, yield* this.postsOfRun(run))
      }
      if (isEmpty(possible)) return { certain, possible }
    }
    return { certain, possible }
  }

  /**
   * Two runs with a link between. Where a run is a heavy word as it stands, the lists of that word know of every
   * neighbour that is heavy; where it is but a part of some, their lists know of those.
   */
  *#link(first: QueryRun, second: QueryRun) {
    const { heavyRows, heavySeconds, heavyPairRefs } = this.#index
    const [a, b] = [yield* this.#match(first), yield* this.#match(second)]
    const seconds = new Set(b.word === -1 ? b.heavy : [b.word])
    const refs: number[] = []
    for (const word of a.word === -1 ? a.heavy : [a.word]) {
      const row = word * links.length + first.link
      for (let pair = heavyRows[row] ?? 0; pair < (heavyRows[row + 1] ?? 0); pair++) {
        if (seconds.has(heavySeconds[pair] ?? 0)) refs.push(heavyPairRefs[pair] ?? 0)
      }
    }
    const certain = yield* this.#unite(refs)
    const possible = certain.slice()
    if (b.word === -1) addAll(possible, common(addAll(a.light.slice(), a.heavyPosts), b.light))
    if (a.word === -1) addAll(possible, common(a.light, addAll(b.light.slice(), b.heavyPosts)))
    return { certain, possible }
  }

  *#match({ part }: QueryRun): Steps<MatchedRun> {
    const known = this.#matched.get(part)
    if (known !== undefined) return known
    const heavy = [...this.#index.heavy.keys()].filter((run) =>
      this.#index.heavy[run]?.includes(part),
    )
    const matched = {
      light: yield* this.#unite(this.#lightRefs(part)),
      heavy,
      word: this.#index.heavy.indexOf(`\0${part.replaceAll('\0', '')}\0`),
      heavyPosts: yield* this.#unite(heavy.map((run) => this.#index.heavyRefs[run] ?? 0)),
    }
    this.#matched.set(part, matched)
    return matched
  }

  #lightRefs(part: string): readonly number[] {
    const { ascii, other, unions, unionRefs, refs } = this.#index
    const ready = findTerm(unions, unionTerm(part))
    if (ready !== -1) return [unionRefs[ready] ?? 0]
    const found: number[] = []
    let first = 0
    for (const lexicon of [ascii, other]) {
      const add = (term: number) => {
        const ref = refs[first + term] ?? 0
        if (ref >= isSingle || (ref & isHeavy) === 0) found.push(ref)
      }
      eachTermWith(lexicon, part, add)
      first += lexicon.starts.length - 1
    }
    return found
  }

  /** Reads lists, so many at a time, and unites them. */
  *#unite(refs: readonly number[]): Steps<Bitmap> {
    const posts = emptyBitmap(this.#index.postCount)
    const places: number[] = []
    for (const ref of refs) {
      if (ref >= isSingle) addOrdinal(posts, ref & ~isSingle)
      else places.push(ref & refMask)
    }
    // In the order in which they lie: what is read for one list often has the next one in it.
    const ordered = Uint32Array.from(places).sort()
    for (let at = 0; at < ordered.length; at += listsAtOnce) {
      const reads = Array.from(ordered.subarray(at, at + listsAtOnce), (place) =>
        this.#reader.list(place, listLength(this.#index.areas, place)),
      )
      for (const bytes of yield reads) addStored(posts, bytes)
    }
    return posts
  }
}

const listsAtOnce = 256

function isEmpty(posts: Bitmap): boolean {
  return posts.every((word) => word === 0)
}

/** The index counts posts from the oldest, so that a new one moves no other; answers count from the latest. */
function ordinalsOf(posts: Bitmap, postCount: number): Uint32Array {
  return ordinalsIn(posts)
    .reverse()
    .map((post) => postCount - 1 - post)
}
