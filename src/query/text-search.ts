// Text search over an index: posts whose folded title or text has the folded query in it, all of them and no other.
// Knows no storage: lists and texts come through a reader.
import type { Awaitable } from '../api/snapshot.ts'
import { addAll, addOrdinal, type Bitmap, emptyBitmap, keepAll, keepBelow } from './bitmaps.ts'
import { eachTermWith, findTerm } from './lexicon.ts'
import { lastAtOrBefore } from './posting-lists.ts'
import { cutQuery, type QueryRun, unionTerm } from './query-parts.ts'
import type { Steps } from './steps.ts'
import { isHeavy, isSingle, refMask } from './stored-lists.ts'
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
 * @param first posts before this ordinal are left out before any text is read
 * @returns posts counted from the oldest, so that a new post moves no other
 */
export function* searchText(
  index: TextIndex,
  reader: TextReader,
  needle: string,
  first = 0,
): Steps<Bitmap> {
  const search = new Search(index, reader, first)
  const { runs, pairs, isWhole } = cutQuery(needle)
  const possible = yield* search.narrow(runs, pairs)
  if (isWhole) return possible
  const { certain } = search
  if (certain !== undefined) keepAll(possible, keepAll(certain, possible), -1)
  yield* verify(index, reader, possible, needle)
  if (certain !== undefined) addAll(possible, certain)
  return possible
}

/** The same by looking at the text of each post from the first on. */
export function* scanTexts(
  index: TextIndex,
  reader: TextReader,
  needle: string,
  first = 0,
): Steps<Bitmap> {
  const posts = emptyBitmap(index.postCount)
  for (let post = 0; post < index.postCount - first; post++) addOrdinal(posts, post)
  yield* verify(index, reader, posts, needle)
  return posts
}

/** Runs of the index that match a run of the query, and their posts. */
interface MatchedRun {
  readonly posts: Bitmap
  /** Posts of the light ones. */
  readonly light: Bitmap
  /** The heavy ones. */
  readonly heavy: readonly number[]
  /** The heavy one that the run of the query is, or -1. */
  readonly word: number
}

/** One search: what it has read of the index so far. */
class Search {
  readonly #index: TextIndex
  readonly #reader: TextReader
  /** The index counts posts from the oldest: those from here on are left out. */
  readonly #bound: number
  readonly #matched = new Map<string, MatchedRun>()
  /** Posts that are found already, where there may be some. */
  certain: Bitmap | undefined

  constructor(index: TextIndex, reader: TextReader, first: number) {
    this.#index = index
    this.#reader = reader
    this.#bound = index.postCount - first
  }

  /** All posts that can have what is looked for. */
  *narrow(runs: readonly QueryRun[], pairs: readonly string[]): Steps<Bitmap> {
    let possible: Bitmap | undefined
    const narrower = [
      ...pairs.map((pair) => this.#postsOfPair(pair)),
      ...runs.map((run, at) => this.#postsOfRun(run, runs[at + 1])),
    ]
    for (const matching of narrower) {
      const posts: Bitmap = yield* matching
      // These are known by their run too, and may be fewer from then on: no other post can be found.
      possible = possible === undefined ? keepBelow(posts, this.#bound) : keepAll(possible, posts)
      if (possible.every((word) => word === 0)) break
    }
    // There is a run or a pair in any needle.
    return possible as Bitmap
  }

  *#postsOfPair(pair: string): Steps<Bitmap> {
    const { pairs, pairRefs } = this.#index
    const ref = pairRefs[findTerm(pairs, pair)]
    return yield* this.#unite(ref === undefined ? [] : [ref])
  }

  /**
   * Where a run has a link to the next: if a run is a heavy word as it stands, the lists of that word know of every
   * neighbour that is heavy; where it is but a part of some, their lists know of those.
   */
  *#postsOfRun(first: QueryRun, second: QueryRun | undefined): Steps<Bitmap> {
    const a = yield* this.#match(first)
    if (second === undefined || first.link === -1) return a.posts
    const b = yield* this.#match(second)
    const posts = yield* this.#unite(this.#pairRefs(a, b, first.link))
    if (first.isPhrase) this.certain = posts.slice()
    if (b.word === -1) addAll(posts, keepAll(a.posts.slice(), b.light))
    if (a.word === -1) addAll(posts, keepAll(b.posts.slice(), a.light))
    return posts
  }

  #pairRefs(a: MatchedRun, b: MatchedRun, link: number): readonly number[] {
    const { heavyRows, heavySeconds, heavyPairRefs } = this.#index
    const seconds = b.word === -1 ? b.heavy : [b.word]
    const refs: number[] = []
    for (const word of a.word === -1 ? a.heavy : [a.word]) {
      const row = word * links.length + link
      for (let pair = heavyRows[row] ?? 0; pair < (heavyRows[row + 1] ?? 0); pair++) {
        if (seconds.includes(heavySeconds[pair] ?? 0)) refs.push(heavyPairRefs[pair] ?? 0)
      }
    }
    return refs
  }

  *#match({ part }: QueryRun): Steps<MatchedRun> {
    const known = this.#matched.get(part)
    if (known !== undefined) return known
    const { heavy, heavyRefs } = this.#index
    const words = [...heavy.keys()].filter((run) => heavy[run]?.includes(part))
    const light = yield* this.#unite(this.#lightRefs(part))
    const matched = {
      light,
      posts:
        words.length === 0
          ? light
          : yield* this.#unite(
              words.map((run) => heavyRefs[run] ?? 0),
              light.slice(),
            ),
      heavy: words,
      word: heavy.indexOf(`\0${part.replaceAll('\0', '')}\0`),
    }
    this.#matched.set(part, matched)
    return matched
  }

  #lightRefs(part: string): readonly number[] {
    const { ascii, other, unions, unionRefs, refs } = this.#index
    const ready = unionRefs[findTerm(unions, unionTerm(part))]
    if (ready !== undefined) return [ready]
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

  /** Reads lists, so many at a time, and unites them with what is there. */
  *#unite(
    refs: readonly number[],
    posts: Bitmap = emptyBitmap(this.#index.postCount),
  ): Steps<Bitmap> {
    const places: number[] = []
    for (const ref of refs) {
      if (ref >= isSingle) addOrdinal(posts, ref & ~isSingle)
      else places.push(ref & refMask)
    }
    // In the order in which they lie: what is read for one list often has the next one in it.
    const ordered = new Uint32Array(places).sort()
    const { areaStarts, areaLengths } = this.#index
    let later: Awaitable<unknown>[] = []
    let area = 0
    for (const place of ordered) {
      area = lastAtOrBefore(areaStarts, place, area)
      const read = this.#reader.addList(place, areaLengths[area] ?? 0, posts)
      if (read instanceof Promise && later.push(read) === listsAtOnce) {
        yield later
        later = []
      }
    }
    yield later
    return posts
  }
}

const listsAtOnce = 256
