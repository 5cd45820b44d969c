// The posts of all runs that have a part, for many parts at once.
// Knows nothing of which parts are worth it.
import { addAll, addOrdinal, type Bitmap, emptyBitmap, ordinalsIn } from './bitmaps.ts'

/** Runs, and what uniting them costs. */
export interface LightRuns {
  readonly postCount: number
  /** `NUL run NUL run … NUL`. */
  readonly text: string
  /** Where each run begins in the text, and one more: where another would. */
  readonly starts: Uint32Array
  /** Cost of each run, 0 for such as are left out. */
  readonly costs: Uint32Array
  /** The posts of each run, ascending; run after run. */
  readonly posts: Uint32Array
  /** Where the posts of each run begin, and one more. */
  readonly postStarts: Uint32Array
}

/** A part, and the posts of the runs that have it. */
export interface ReadyUnion {
  /** Without or with a NUL at its ends, where a run begins or ends. */
  readonly part: string
  /** Ascending. */
  readonly posts: Uint32Array
}

/** The posts of the runs of each part. */
export class Unions {
  readonly #parts: readonly string[]
  readonly #lists: RunLists
  /** By number; none for the beginning of a run, which is no part of its own. */
  readonly #unions: readonly (Bitmap | null)[]
  /** By number: the run that was added last, and 1. */
  readonly #added: Uint32Array

  /** @param parts by their numbers, from 1 on */
  constructor(parts: readonly string[], lists: RunLists) {
    this.#parts = parts
    this.#lists = lists
    this.#unions = parts.map((part) => (part === '' || part === '\0' ? null : lists.empty()))
    this.#added = new Uint32Array(parts.length)
  }

  /** Adds the posts of a run to a part; runs are given one after the other. */
  add(number: number, run: number): void {
    if (this.#added[number] === run + 1) return
    this.#added[number] = run + 1
    const union = this.#unions[number] ?? null
    if (union !== null) this.#lists.addTo(union, run)
  }

  *ready(): Generator<ReadyUnion> {
    for (const [number, union] of this.#unions.entries()) {
      if (union !== null) yield { part: this.#parts[number] ?? '', posts: ordinalsIn(union) }
    }
  }
}

/** The posts of runs, to be added to sets again and again: of long lists as bits. */
export class RunLists {
  readonly #runs: LightRuns
  /** By run. */
  readonly #bits = new Map<number, Bitmap>()

  constructor(runs: LightRuns) {
    this.#runs = runs
  }

  empty(): Bitmap {
    return emptyBitmap(this.#runs.postCount)
  }

  addTo(union: Bitmap, run: number): void {
    const { posts, postStarts } = this.#runs
    const end = postStarts[run + 1] ?? 0
    const start = postStarts[run] ?? 0
    if (end - start <= union.length) {
      for (let at = start; at < end; at++) addOrdinal(union, posts[at] ?? 0)
      return
    }
    addAll(union, this.#bitsOf(run, start, end))
  }

  #bitsOf(run: number, start: number, end: number): Bitmap {
    const known = this.#bits.get(run)
    if (known !== undefined) return known
    const bits = this.empty()
    for (let at = start; at < end; at++) addOrdinal(bits, this.#runs.posts[at] ?? 0)
    this.#bits.set(run, bits)
    return bits
  }
}
