// Selected posts in another order than that of their ordinals.
import type { Ordinals } from '../api/snapshot.ts'
import { addOrdinal, emptyBitmap } from './bitmaps.ts'
import { OrdinalSet } from './ordinal-set.ts'

/** An order, and where each ordinal is in it. */
export interface PostOrder {
  /** Every ordinal. */
  readonly order: Uint32Array
  /** The place of each ordinal in the order; made when it is first needed. */
  readonly placeOf: () => Uint32Array
}

/** Some posts in an order; a part is listed when it is requested. */
export class OrderedPosts implements Ordinals {
  readonly length: number
  readonly #posts: Ordinals
  readonly #order: PostOrder
  readonly #first: number

  /**
   * @param posts ascending, none before `first`
   * @param first ordinals before it are left out of the order
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

  /**
   * Cost: O(places of the order up to the nearer end of the part), or O(posts × log posts) where the posts are few.
   */
  slice(start: number, end: number): Uint32Array {
    const count = Math.max(0, Math.min(end, this.length) - start)
    const walked =
      (Math.min(start + count, this.length - start) / this.length) * this.#order.order.length
    return walked < 16 * this.length
      ? this.#walk(start, count)
      : this.#sort().slice(start, start + count)
  }

  /** Goes through the order from the nearer end. */
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
      // Never before the beginning: an index below 0 is a slow property of the array.
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

/** The posts as bits; those before the first one may be set. */
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
