// Selected posts in an order other than that of their ordinals.
import type { Ordinals } from '../api/snapshot.ts'
import { addOrdinal, emptyBitmap } from './bitmaps.ts'
import { OrdinalSet } from './ordinal-set.ts'

/** An order, and the rank of each ordinal in it. */
export interface PostOrder {
  /** Every ordinal. */
  readonly order: Uint32Array
  /** The rank of each ordinal; computed on first use. */
  readonly placeOf: () => Uint32Array
}

/** Posts in an order; only requested ranges are listed. */
export class OrderedPosts implements Ordinals {
  readonly length: number
  readonly #posts: Ordinals
  readonly #order: PostOrder
  readonly #first: number

  /**
   * @param posts ascending, none before `first`
   * @param first ordinals below it are ignored in the order
   */
  constructor(posts: Ordinals, order: PostOrder, first: number) {
    this.length = posts.length
    this.#posts = posts
    this.#order = order
    this.#first = first
  }

  at(index: number): number | undefined {
    return this.slice(index, index + 1)[0]
  }

  subarray(start: number): Ordinals {
    return this.slice(start, this.length)
  }

  /** Cost: O(ranks up to the nearer end of the range), or O(posts × log posts) for few posts. */
  slice(start: number, end: number): Uint32Array {
    const count = Math.max(0, Math.min(end, this.length) - start)
    const walked =
      (Math.min(start + count, this.length - start) / this.length) * this.#order.order.length
    return walked < 16 * this.length
      ? this.#walk(start, count)
      : this.#sort().slice(start, start + count)
  }

  /** Scans the order from its nearer end. */
  #walk(start: number, count: number): Uint32Array {
    const { order } = this.#order
    const first = this.#first
    const { bits, last } = bitsOf(this.#posts, order.length, first)
    const isForward = start + count <= this.length - start
    const skipped = isForward ? start : this.length - start - count
    const found = new Uint32Array(count)
    const step = isForward ? 1 : -1
    let at = isForward ? 0 : order.length - 1
    for (let seen = -skipped; seen < count; at += step) {
      const post = order[at] ?? -1
      const bit = last === undefined ? post : last - post
      if (post < first || (((bits[bit >>> 5] ?? 0) >>> bit) & 1) === 0) continue
      // Never a negative index: it would become a slow property of the array.
      if (seen >= 0) found[seen] = post
      seen += 1
    }
    return isForward ? found : found.reverse()
  }

  #sort(): Uint32Array {
    const { order, placeOf } = this.#order
    const places = placeOf()
    const sorted = this.#posts
      .slice(0, this.length)
      .map((post) => places[post] ?? 0)
      .sort()
    return sorted.map((place) => order[place] ?? 0)
  }
}

/** The posts as bits; bits before the first post may be set. */
function bitsOf(
  posts: Ordinals,
  universe: number,
  first: number,
): Pick<OrdinalSet, 'bits' | 'last'> {
  if (posts instanceof OrdinalSet) return posts
  const bits = emptyBitmap(universe)
  if (posts.length === universe - first) return { bits: bits.fill(-1 >>> 0), last: undefined }
  for (const post of posts.slice(0, posts.length)) addOrdinal(bits, post)
  return { bits, last: undefined }
}
