// The columns of an index in typed arrays: what filters, orders, facets and pages read.
import { compareCodePoints } from '../api/bytes.ts'
import type { FieldValue, TermKind } from '../api/resources.ts'
import type { OrderBy } from '../api/snapshot.ts'
import type { Index } from './format.ts'

/** Lists of numbers, one after the other: list `n` is from `starts[n]` to `starts[n + 1]`. */
export interface Lists {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/** Returns a list. */
export function listAt({ starts, values }: Lists, number: number): Uint32Array {
  return values.subarray(starts[number], starts[number + 1])
}

/** The posts of a workspace by ordinal: publication order, latest first. */
export class Rows {
  readonly count: number
  /** Milliseconds since 1970, non-increasing. */
  readonly publishedAt: Float64Array
  /** Milliseconds since 1970. */
  readonly updatedAt: Float64Array
  /** 1 for featured posts. */
  readonly featured: Uint8Array
  /** Ordinals of the terms of each post. */
  readonly termsOf: Readonly<Record<TermKind, Lists>>
  /** Columns of indexed custom fields; dates are milliseconds since 1970. */
  readonly fields: ReadonlyMap<string, readonly (FieldValue | null)[]>
  readonly #index: Index
  readonly #postsOf: Partial<Record<TermKind, Lists>> = {}
  readonly #orders: Partial<Record<OrderBy, PostOrder>> = {}
  readonly #posts: Names
  readonly #terms: Readonly<Record<TermKind, Names>>

  /** @param dates names of fields with dates */
  constructor(index: Index, dates: ReadonlySet<string> = new Set()) {
    this.#index = index
    this.count = index.ids.length
    this.publishedAt = new Float64Array(this.count)
    this.updatedAt = new Float64Array(this.count)
    let time = 0
    for (let post = 0; post < this.count; post++) {
      time = post === 0 ? (index.publishedAt[0] ?? 0) : time - (index.publishedAt[post] ?? 0)
      this.publishedAt[post] = time
      this.updatedAt[post] = time + (index.updatedAt[post] ?? 0)
    }
    this.featured = new Uint8Array(this.count)
    for (const post of index.featured) this.featured[post] = 1
    this.termsOf = {
      categories: listsOf(index.categories.map((category) => [category])),
      tags: listsOf(index.tags),
      authors: listsOf(index.authors),
    }
    this.fields = new Map(
      Object.entries(index.fields).map(([name, column]) => [
        name,
        dates.has(name) ? column.map((value) => value && Date.parse(String(value))) : column,
      ]),
    )
    this.#posts = new Names(index.slugs, index.ids)
    this.#terms = {
      categories: namesOf(index.terms.categories),
      tags: namesOf(index.terms.tags),
      authors: namesOf(index.terms.authors),
    }
  }

  /** Returns the ordinal of the post with a slug or id, or -1. */
  findPost(name: string): number {
    return this.#posts.find(name)
  }

  /** Returns the ordinal of the post with a slug or of the post with an id, or -1. */
  findPostBy(kind: 'slugs' | 'ids', name: string): number {
    const post = this.#posts.find(name)
    return this.#index[kind][post] === name ? post : -1
  }

  /** Returns the ordinal of the term with a slug or id, or -1. */
  findTerm(kind: TermKind, name: string): number {
    return this.#terms[kind].find(name)
  }

  /** Returns the ordinal of the term with a slug, or -1. */
  findSlug(kind: TermKind, slug: string): number {
    const term = this.#terms[kind].find(slug)
    return this.#index.terms[kind][term]?.slug === slug ? term : -1
  }

  termCount(kind: TermKind): number {
    return this.#index.terms[kind].length
  }

  /** Returns the posts of a term: ascending, unique. */
  postsOf(kind: TermKind, term: number): Uint32Array {
    this.#postsOf[kind] ??= inverted(this.termsOf[kind], this.termCount(kind))
    return listAt(this.#postsOf[kind], term)
  }

  /** Returns posts in an order, latest or last first. @param posts ascending */
  ordered(posts: Uint32Array, by: OrderBy): Uint32Array {
    if (by === 'publishedAt') return posts
    this.#orders[by] ??= this.#orderBy(by)
    const { order, places } = this.#orders[by]
    const sorted = posts.map((post) => places[post] ?? 0).sort()
    return sorted.map((place) => order[place] ?? 0)
  }

  #orderBy(by: 'updatedAt' | 'title'): PostOrder {
    const order =
      by === 'title' ? Uint32Array.from(this.#index.byTitle) : Uint32Array.from(this.#byUpdate())
    const places = new Uint32Array(this.count)
    for (const [place, post] of order.entries()) places[post] = place
    return { order, places }
  }

  /** Latest update first; ties by id, descending, in code point order. */
  #byUpdate(): readonly number[] {
    const { ids } = this.#index
    const posts = Array.from(this.updatedAt.keys())
    const times = this.updatedAt
    return posts.sort(
      (a, b) => (times[b] ?? 0) - (times[a] ?? 0) || compareCodePoints(ids[b] ?? '', ids[a] ?? ''),
    )
  }
}

/** All posts in an order, and the place of each post in it. */
interface PostOrder {
  readonly order: Uint32Array
  readonly places: Uint32Array
}

/** Ordinals by slug and by id. */
class Names {
  readonly #slugs: readonly string[]
  readonly #ids: readonly string[]
  #ordinals: Map<string, number> | undefined

  constructor(slugs: readonly string[], ids: readonly string[]) {
    this.#slugs = slugs
    this.#ids = ids
  }

  find(name: string): number {
    this.#ordinals ??= this.#numbered()
    return this.#ordinals.get(name) ?? -1
  }

  #numbered(): Map<string, number> {
    const ordinals = new Map<string, number>()
    for (const [ordinal, slug] of this.#slugs.entries()) {
      ordinals.set(slug, ordinal).set(this.#ids[ordinal] ?? slug, ordinal)
    }
    return ordinals
  }
}

function namesOf(terms: Index['terms'][TermKind]): Names {
  return new Names(
    terms.map(({ slug }) => slug),
    terms.map(({ id }) => id),
  )
}

function listsOf(lists: readonly (readonly number[])[]): Lists {
  const starts = new Uint32Array(lists.length + 1)
  let total = 0
  for (const [number, list] of lists.entries()) {
    total += list.length
    starts[number + 1] = total
  }
  const values = new Uint32Array(total)
  let at = 0
  for (const list of lists) for (const value of list) values[at++] = value
  return { starts, values }
}

/** The lists that contain each value: ascending. @param count the number of values */
function inverted({ starts, values }: Lists, count: number): Lists {
  const ends = new Uint32Array(count + 1)
  for (const value of values) ends[value + 1] = (ends[value + 1] ?? 0) + 1
  for (let value = 0; value < count; value++)
    ends[value + 1] = (ends[value + 1] ?? 0) + (ends[value] ?? 0)
  const next = ends.slice()
  const lists = new Uint32Array(values.length)
  for (let list = 0; list + 1 < starts.length; list++) {
    for (let at = starts[list] ?? 0; at < (starts[list + 1] ?? 0); at++) {
      const value = values[at] ?? 0
      const place = next[value] ?? 0
      lists[place] = list
      next[value] = place + 1
    }
  }
  return { starts: ends, values: lists }
}
