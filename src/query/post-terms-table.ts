// The terms of each post, made from the posts of each term; and what is computed from both.
import type { TermKind } from '../api/resources.ts'
import type { Ordinals } from '../api/snapshot.ts'
import { postsFrom } from '../api/visibility.ts'
import { listAt, type PackedLists } from './packed-lists.ts'
import type { PostIndex } from './post-index.ts'

/** The terms of each post; those of a kind are listed when they are first needed. */
export class PostTermsTable {
  readonly #index: PostIndex
  readonly #lists: Partial<Record<TermKind, PackedLists>> = {}

  constructor(index: PostIndex) {
    this.#index = index
  }

  /**
   * How many of some posts have each term of a kind.
   *
   * @param posts from the first visible one on
   *
   * Cost: O(posts and their terms); O(terms) where these are all visible posts.
   */
  countsOf(kind: TermKind, posts: Ordinals, first: number): Uint32Array {
    const { postings } = this.#index.terms[kind]
    const counts = new Uint32Array(postings.offsets.length - 1)
    if (posts.length === this.#index.all.length - first)
      return counts.map((_, term) => postsFrom(listAt(postings, term), first).length)
    const { offsets, ordinals } = this.#of(kind)
    for (const post of posts.slice(0, posts.length)) {
      for (let at = offsets[post] ?? 0; at < (offsets[post + 1] ?? 0); at++) {
        const term = ordinals[at] ?? 0
        counts[term] = (counts[term] ?? 0) + 1
      }
    }
    return counts
  }

  /**
   * The visible posts that share most with one: a point for each tag and one for the category, at least one.
   *
   * @param most posts at most
   * @returns most points first, then latest first
   *
   * Cost: O(posts), and the posts of its terms.
   */
  related(post: number, first: number, most: number): readonly number[] {
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
    for (let other = first; other < points.length; other++) {
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

/** The lists that each ordinal is in. @param universe how many ordinals there are */
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
