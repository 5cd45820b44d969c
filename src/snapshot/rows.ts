// The columns of an index in typed arrays: what filters, orders, facets and pages read.
import { compareCodePoints } from '../api/bytes.ts'
import { undated } from '../api/dates.ts'
import type { IndexedField } from '../api/parameter-values.ts'
import type { FieldValue, TermKind } from '../api/resources.ts'
import type { OrderBy, PostOrder } from '../api/snapshot.ts'
import { fold } from '../search/fold.ts'
import type { Index } from './format.ts'

/** The values of a custom field. */
type Column = readonly (FieldValue | null)[]

/** The ordinals of the terms of each post. */
type Lists = readonly (readonly number[])[]

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
  readonly fields: ReadonlyMap<string, Column>
  readonly #index: Index
  readonly #postsOf: Partial<Record<TermKind, readonly Uint32Array[]>> = {}
  readonly #orders: Partial<Record<OrderBy, Uint32Array>> = {}
  readonly #ordinals: Partial<Record<'posts' | TermKind, ReadonlyMap<string, number>>> = {}

  constructor(index: Index, fields: readonly IndexedField[]) {
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
    const categories = index.categories.map((category) => [category])
    this.termsOf = { categories, tags: index.tags, authors: index.authors }
    this.fields = new Map(
      fields.map(({ name, type }) => {
        const column = index.fields[name] ?? []
        const dates = () => column.map((value) => value && Date.parse(String(value)))
        return [name, type === 'date' ? dates() : column]
      }),
    )
  }

  /** Returns the ordinal of the post or the term with a slug or id, or -1. The first search collects all names. */
  find(kind: 'posts' | TermKind, name: string): number {
    const { ids, slugs, terms } = this.#index
    let ordinals = this.#ordinals[kind]
    if (ordinals === undefined) {
      const all = kind === 'posts' ? [] : terms[kind]
      const names =
        kind === 'posts' ? [ids, slugs] : [all.map(({ id }) => id), all.map(({ slug }) => slug)]
      ordinals = new Map(names.flatMap((column) => column.map((name, at) => [name, at] as const)))
      this.#ordinals[kind] = ordinals
    }
    return ordinals.get(name) ?? -1
  }

  /** Returns the ordinal of the post with a slug or of the post with an id, or -1. */
  findPostBy(kind: 'slugs' | 'ids', name: string): number {
    const post = this.find('posts', name)
    return this.#index[kind][post] === name ? post : -1
  }

  /** Returns the ordinal of the term with a slug, or -1. */
  findSlug(kind: TermKind, slug: string): number {
    const term = this.find(kind, slug)
    return this.#index.terms[kind][term]?.slug === slug ? term : -1
  }

  termCount(kind: TermKind): number {
    return this.#index.terms[kind].length
  }

  /** Returns the posts of a term: ascending, unique. */
  postsOf(kind: TermKind, term: number): Uint32Array {
    this.#postsOf[kind] ??= inverted(this.termsOf[kind], this.termCount(kind))
    return this.#postsOf[kind][term] ?? new Uint32Array(0)
  }

  /** Returns posts in an order. Without a value of a field, they are the last in both directions. @param posts ascending */
  ordered(posts: Uint32Array, { orderBy, order }: PostOrder): Uint32Array {
    const { own = 'publishedAt' } = this.#index
    if (orderBy === 'own' && typeof own === 'string') {
      // `desc` is the own order itself, which is ascending for everything but dates.
      const isFlipped = /At$/.test(own) === (order === 'desc')
      return this.ordered(posts, { orderBy: own, order: isFlipped ? 'desc' : 'asc' })
    }
    const column = this.#columnOf(orderBy)
    const found = orderBy === 'publishedAt' ? posts.slice() : this.#sorted(posts, orderBy, column)
    if (order === 'desc') return found
    const end = found.findIndex((post) => column !== null && (column[post] ?? undated) === undated)
    const valued = end === -1 ? found.length : end
    found.subarray(0, valued).reverse()
    found.subarray(valued).reverse()
    return found
  }

  /** The values that decide an order; null for an order that the index has. */
  #columnOf(by: OrderBy): ArrayLike<FieldValue | null> | null {
    if (by === 'publishedAt' || by === 'updatedAt') return this[by]
    return this.fields.get(by.slice('fields.'.length)) ?? null
  }

  /** Latest or last first. */
  #sorted(posts: Uint32Array, by: OrderBy, column: ArrayLike<FieldValue | null> | null) {
    const { byTitle, own } = this.#index
    const known = by === 'title' ? byTitle : (own as readonly number[])
    this.#orders[by] ??= Uint32Array.from(column === null ? known : this.#by(column))
    const isWanted = new Uint8Array(this.count)
    for (const post of posts) isWanted[post] = 1
    return this.#orders[by].filter((post) => isWanted[post] === 1)
  }

  /** Highest number or last text first; ties by id, descending. Texts are compared as they are searched. */
  #by(column: ArrayLike<FieldValue | null>): readonly number[] {
    const { ids } = this.#index
    const keys = Array.from(column, (value) => (typeof value === 'string' ? fold(value) : value))
    const compare = (a: FieldValue, b: FieldValue) =>
      typeof a === 'string' ? compareCodePoints(a, String(b)) : Number(a) - Number(b)
    return Array.from(ids.keys()).sort((a, b) => {
      const [one = null, other = null] = [keys[a], keys[b]]
      const isMissing = Number(one === null) - Number(other === null)
      const byValue = one === null || other === null ? isMissing : compare(other, one)
      return byValue || compareCodePoints(ids[b] ?? '', ids[a] ?? '')
    })
  }
}

/** The posts of each term: ascending. @param count the number of terms */
function inverted(lists: Lists, count: number): readonly Uint32Array[] {
  const containing = Array.from({ length: count }, (): number[] => [])
  for (const [number, list] of lists.entries()) {
    for (const value of list) containing[value]?.push(number)
  }
  return containing.map((posts) => Uint32Array.from(posts))
}
