// The terms of each post, inverted from the posts of each term, and computations on both.

import type { TermKind } from '../api/resources.ts'
import type { Ordinals } from '../api/snapshot.ts'
import { partitionPoint } from '../api/visibility.ts'
import { addOrdinal, type Bitmap, countInBoth, emptyBitmap, keepFrom } from './bitmaps.ts'
import { type BitmapCache, ListBitmaps } from './list-bitmaps.ts'
import { OrdinalSet } from './ordinal-set.ts'
import { listAt, type PackedLists } from './packed-lists.ts'
import type { PostIndex } from './post-index.ts'

/** The terms of each post; each kind is inverted on first use. */
export class PostTermsTable {
  readonly #index: PostIndex
  readonly #known: BitmapCache | undefined
  readonly #lists: Partial<Record<TermKind, PackedLists>> = {}

  /** @param known bitmaps of the same index */
  constructor(index: PostIndex, known?: BitmapCache) {
    this.#index = index
    this.#known = known
  }

  /**
   * Counts the posts of each term of a kind.
   *
   * @param posts from the first visible one on
   *
   * Cost: O(terms × log posts) for a contiguous range such as all posts. Else the cheaper of two ways: over the posts
   * and their terms, or per term over its posts or over the words of two bitmaps.
   */
  countsOf(kind: TermKind, posts: Ordinals, first: number): Uint32Array {
    const { postings } = this.#index.terms[kind]
    const universe = this.#index.all.length
    const termCount = postings.offsets.length - 1
    // An empty set has no last post.
    if (posts.length === 0) return new Uint32Array(termCount)
    const lists = Array.from({ length: termCount }, (_, term) => listAt(postings, term))
    const [start = 0, last = 0] = [posts.at(0), posts.at(posts.length - 1)]
    if (last - start === posts.length - 1)
      return Uint32Array.from(lists, (list) => countBetween(list, start, last))
    const words = universe / 32
    const cost = lists.reduce((sum, { length }) => sum + Math.min(length, words), 0)
    if (posts.length * stepsPerPost < cost) return this.#countByPost(kind, posts)
    const bitmaps = new ListBitmaps(universe, this.#known)
    const bits = bitsOf(posts, universe, first)
    return Uint32Array.from(lists, (list, term) =>
      list.length < words
        ? countAmong(list, bits)
        : countInBoth(bitmaps.of([{ name: `${kind} ${term}`, posts: list }]), bits),
    )
  }

  #countByPost(kind: TermKind, posts: Ordinals): Uint32Array {
    const { offsets, ordinals } = this.#of(kind)
    const counts = new Uint32Array(this.#index.terms[kind].postings.offsets.length - 1)
    for (const post of posts.slice(0, posts.length)) {
      const end = offsets[post + 1] ?? 0
      for (let at = offsets[post] ?? 0; at < end; at++) {
        const term = ordinals[at] ?? 0
        counts[term] = (counts[term] ?? 0) + 1
      }
    }
    return counts
  }

  /**
   * Returns the visible posts most related to a post: one point per shared tag and one for the category, at least one
   * point.
   *
   * @param most maximum number of posts
   * @param among ascending; other posts are excluded
   * @returns most points first, then newest first
   *
   * Cost: O(posts + posts of its terms).
   */
  related(post: number, first: number, most: number, among?: Uint32Array): readonly number[] {
    const points = new Uint16Array(this.#index.all.length)
    for (const kind of ['categories', 'tags'] as const) {
      for (const term of listAt(this.#of(kind), post)) {
        for (const other of listAt(this.#index.terms[kind].postings, term))
          points[other] = (points[other] ?? 0) + 1
      }
    }
    points[post] = 0
    const best: number[] = []
    const pointsOf = (other: number | undefined) => points[other ?? -1] ?? 0
    for (const other of among ?? this.#index.all.subarray(first)) {
      const own = pointsOf(other)
      if (own === 0 || (best.length === most && own <= pointsOf(best.at(-1)))) continue
      const place = best.findIndex((each) => pointsOf(each) < own)
      best.splice(place === -1 ? best.length : place, 0, other)
      best.length = Math.min(best.length, most)
    }
    return best
  }

  #of(kind: TermKind): PackedLists {
    const made =
      this.#lists[kind] ?? inverted(this.#index.terms[kind].postings, this.#index.all.length)
    this.#lists[kind] = made
    return made
  }
}

/** The cost of visiting the terms of one post, in words of two bitmaps or posts of a list (2026-11). */
const stepsPerPost = 5

/** The posts as bits, none below `first`. */
function bitsOf(posts: Ordinals, universe: number, first: number): Bitmap {
  if (posts instanceof OrdinalSet && posts.last === undefined)
    return first === 0 ? posts.bits : keepFrom(posts.bits.slice(), first)
  const bits = emptyBitmap(universe)
  for (const post of posts.slice(0, posts.length)) addOrdinal(bits, post)
  return bits
}

/** The number of ordinals in a list from `start` to `last`, inclusive. */
function countBetween(list: Uint32Array, start: number, last: number): number {
  const placeOf = (bound: number) =>
    partitionPoint(list.length, (place) => (list[place] ?? bound) < bound)
  return placeOf(last + 1) - placeOf(start)
}

function countAmong(list: Uint32Array, among: Bitmap): number {
  let count = 0
  for (const post of list) count += ((among[post >>> 5] ?? 0) >>> post) & 1
  return count
}

/** Inverts lists: the lists that contain each ordinal. @param universe the number of ordinals */
function inverted({ offsets, ordinals }: PackedLists, universe: number): PackedLists {
  const starts = new Uint32Array(universe + 1)
  for (const ordinal of ordinals) starts[ordinal + 1] = (starts[ordinal + 1] ?? 0) + 1
  for (let at = 0; at < universe; at++) starts[at + 1] = (starts[at + 1] ?? 0) + (starts[at] ?? 0)
  const next = starts.slice()
  const lists = new Uint32Array(ordinals.length)
  for (let list = 0; list + 1 < offsets.length; list++) {
    for (let at = offsets[list] ?? 0; at < (offsets[list + 1] ?? 0); at++) {
      const ordinal = ordinals[at] ?? 0
      const place = next[ordinal] ?? 0
      lists[place] = list
      next[ordinal] = place + 1
    }
  }
  return { offsets: starts, ordinals: lists }
}
