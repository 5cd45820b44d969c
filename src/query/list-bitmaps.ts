// Converts long posting lists to bitmaps, which combine faster.
import { addAll, addOrdinal, type Bitmap, emptyBitmap } from './bitmaps.ts'

/** A list and its cache key; null for a list that is not cached. */
export interface NamedList {
  readonly name: string | null
  readonly posts: Uint32Array
}

/** A cache of bitmaps by name; its owner bounds its size. */
export interface BitmapCache {
  get(name: string): Bitmap | undefined
  /** @param weight in bytes */
  set(name: string, bits: Bitmap, weight: number): void
}

/** Converts lists to bitmaps. */
export class ListBitmaps {
  readonly #universe: number
  readonly #known: BitmapCache | undefined

  /** @param universe the number of ordinals */
  constructor(universe: number, known?: BitmapCache) {
    this.#universe = universe
    this.#known = known
  }

  /** Reports whether any list takes longer to scan than a bitmap of all ordinals. */
  areDense(lists: readonly NamedList[]): boolean {
    return lists.some(({ posts }) => posts.length > Math.max(denseMin, this.#universe / 64))
  }

  /** The union of some lists; read-only. */
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

/** Scanning a list of this length takes no measurable time. */
const denseMin = 1024

function addOrdinals(bits: Bitmap, ordinals: Uint32Array): void {
  for (const ordinal of ordinals) addOrdinal(bits, ordinal)
}
