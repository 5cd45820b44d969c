// Long lists of ordinals as bitmaps, which are quicker to combine.
import { addAll, addOrdinal, type Bitmap, emptyBitmap } from './bitmaps.ts'

/** A list, and what it is known by; null for one that is not kept. */
export interface NamedList {
  readonly name: string | null
  readonly posts: Uint32Array
}

/** Bitmaps of lists, by their names; the owner decides how many it keeps. */
export interface BitmapCache {
  get(name: string): Bitmap | undefined
  /** @param weight in bytes */
  set(name: string, bits: Bitmap, weight: number): void
}

/** Makes bitmaps of lists. */
export class ListBitmaps {
  readonly #universe: number
  readonly #known: BitmapCache | undefined

  /** @param universe how many ordinals there are at all */
  constructor(universe: number, known?: BitmapCache) {
    this.#universe = universe
    this.#known = known
  }

  /** Whether to go through one of some lists takes longer than to go through the bits of all ordinals. */
  areDense(lists: readonly NamedList[]): boolean {
    return lists.some(({ posts }) => posts.length > Math.max(denseMin, this.#universe / 64))
  }

  /** The union of some lists; not to be written to. */
  of(lists: readonly NamedList[]): Bitmap {
    const [only, ...more] = lists
    if (only !== undefined && more.length === 0 && this.areDense(lists)) return this.#dense(only)
    const bits = emptyBitmap(this.#universe)
    for (const list of lists) {
      if (this.areDense([list])) addAll(bits, this.#dense(list))
      else addOrdinals(bits, list.posts)
    }
    return bits
  }

  #dense({ name, posts }: NamedList): Bitmap {
    const known = name === null ? undefined : this.#known?.get(name)
    if (known !== undefined) return known
    const bits = emptyBitmap(this.#universe)
    addOrdinals(bits, posts)
    if (name !== null) this.#known?.set(name, bits, bits.byteLength)
    return bits
  }
}

/** A list of so many is gone through in no time. */
const denseMin = 1024

function addOrdinals(bits: Bitmap, ordinals: Uint32Array): void {
  for (const ordinal of ordinals) addOrdinal(bits, ordinal)
}
