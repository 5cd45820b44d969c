// The columns of an index in typed arrays, and the selection of posts: filters, orders and facets, in one pass.
import { compareCodePoints } from '../api/bytes.ts'
import { undated } from '../api/dates.ts'
import type { FieldFilter, IndexedField } from '../api/parameter-values.ts'
import { type FieldValue, type TermKind, termKinds } from '../api/resources.ts'
import type { OrderBy, PostFilter, PostOrder, PostSelection } from '../api/snapshot.ts'
import { fold } from '../search/fold.ts'
import { matchesIn } from '../search/search.ts'
import type { Index } from './format.ts'
import { visibleText } from './visible-text.ts'

/** Values that decide an order. */
type Column = ArrayLike<FieldValue | null>

/** The posts of a workspace by ordinal: publication order, latest first. */
export class Rows {
  readonly count: number
  /** Milliseconds since 1970, non-increasing. */
  readonly publishedAt: Float64Array
  /** Milliseconds since 1970. */
  readonly updatedAt: Float64Array
  readonly featured: ReadonlySet<number>
  /** Ordinals of the terms of each post. */
  readonly termsOf: Readonly<Record<TermKind, Index['tags']>>
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
    this.featured = new Set(index.featured)
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

  /** Returns the ordinal of the post or the term with a slug or id, or -1. The first call collects all names. */
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

  /** Returns the ordinal of the post whose slug (or whose id) is `name`, or -1. */
  findPostBy(kind: 'slugs' | 'ids', name: string): number {
    const post = this.find('posts', name)
    return this.#index[kind][post] === name ? post : -1
  }

  /** Returns the ordinal of the term with a slug, or -1. */
  findSlug(kind: TermKind, slug: string): number {
    const term = this.find(kind, slug)
    return this.#index.terms[kind][term]?.slug === slug ? term : -1
  }

  /** Returns the posts of a term: ascending, unique. */
  postsOf(kind: TermKind, term: number): Uint32Array {
    if (this.#postsOf[kind] === undefined) {
      const posts = this.#index.terms[kind].map((): number[] => [])
      for (const [post, terms] of this.termsOf[kind].entries()) {
        for (const each of terms) posts[each]?.push(post)
      }
      this.#postsOf[kind] = posts.map((each) => Uint32Array.from(each))
    }
    return this.#postsOf[kind][term] ?? new Uint32Array(0)
  }

  /** Counts the posts of each term of a kind that fail no condition on other kinds. */
  countsOf(kind: TermKind, failed: Uint8Array): Uint32Array {
    const counts = new Uint32Array(this.#index.terms[kind].length)
    for (const [post, terms] of this.termsOf[kind].entries()) {
      if (((failed[post] ?? 0) & ~kindBits[kind]) !== 0) continue
      for (const term of terms) counts[term] = (counts[term] ?? 0) + 1
    }
    return counts
  }

  /** Returns posts in an order. Posts without a value come last in both directions. @param posts ascending */
  ordered(posts: Uint32Array, { orderBy, order }: PostOrder): Uint32Array {
    const { own = 'publishedAt' } = this.#index
    if (orderBy === 'own' && typeof own === 'string') {
      // `desc` is the own order itself, which is ascending unless it is by date.
      const isFlipped = /At$/.test(own) === (order === 'desc')
      return this.ordered(posts, { orderBy: own, order: isFlipped ? 'desc' : 'asc' })
    }
    const column = this.#columnOf(orderBy)
    let found = posts.slice()
    if (orderBy !== 'publishedAt') {
      const known = orderBy === 'title' ? this.#index.byTitle : (own as readonly number[])
      this.#orders[orderBy] ??= Uint32Array.from(column === null ? known : this.#by(column))
      const isWanted = new Uint8Array(this.count)
      for (const post of posts) isWanted[post] = 1
      found = this.#orders[orderBy].filter((post) => isWanted[post] === 1)
    }
    if (order === 'desc') return found
    const end = found.findIndex((post) => column !== null && (column[post] ?? undated) === undated)
    const valued = end === -1 ? found.length : end
    found.subarray(0, valued).reverse()
    found.subarray(valued).reverse()
    return found
  }

  /** Returns the values that decide an order; null for an order that the index contains. */
  #columnOf(by: OrderBy): Column | null {
    if (by === 'publishedAt' || by === 'updatedAt') return this[by]
    return this.fields.get(by.slice('fields.'.length)) ?? null
  }

  /** Returns ordinals by value, then by id, both descending. Texts are folded before they are compared. */
  #by(column: Column): readonly number[] {
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

/**
 * Finds posts by text.
 *
 * @param query folded, not empty
 * @param among other posts are excluded before any text is read
 * @returns ordinals
 */
export type FindText = (
  query: string,
  among: (post: number) => boolean,
) => Promise<Iterable<number>>

/**
 * Selects the posts that pass a filter.
 *
 * @param among ascending; other posts are excluded before any text is read
 *
 * Cost without a search text: O(posts + terms of posts). Facets cost a second pass.
 */
export async function selectPosts(
  rows: Rows,
  findText: FindText,
  filter: PostFilter,
  by: PostOrder,
  among: Uint32Array,
): Promise<PostSelection> {
  const query = fold(filter.query)
  const words = new Set(filter.match === 'words' ? query.split(' ') : [query])
  words.delete('')
  const texts = [...words]
  let failed = failedConditions(rows, filter, among)
  // Each search is among the posts that the earlier ones found.
  for (const text of texts) {
    const before = failed
    failed = new Uint8Array(rows.count).fill(failsPost)
    for (const post of await findText(text, (post) => before[post] !== failsPost))
      failed[post] = before[post] ?? failsPost
  }
  return {
    posts: rows.ordered(passingPosts(failed), by),
    countsOf: (kind) => rows.countsOf(kind, failed),
    matchesIn: (title, html) =>
      texts.length === 0 ? null : matchesIn(texts, title, visibleText(html)),
  }
}

/** Mark of a post that fails a condition on something other than terms. */
const failsPost = 255

/** The bit of each kind of terms. */
const kindBits: Readonly<Record<TermKind, number>> = { categories: 1, tags: 2, authors: 4 }

/** Returns the conditions that each post fails: 0 for none, bits of `kindBits`, or `failsPost`. */
function failedConditions(rows: Rows, filter: PostFilter, among: Uint32Array): Uint8Array {
  const failed = new Uint8Array(rows.count).fill(failsPost)
  // Loops by index: an iterator takes six times as long (100,000 posts, 2026-11).
  for (let at = 0; at < among.length; at++) failed[among[at] ?? 0] = 0
  for (const isFailed of conditionsOf(rows, filter)) {
    for (let post = 0; post < failed.length; post++) {
      if (failed[post] === 0 && isFailed(post)) failed[post] = failsPost
    }
  }
  for (const kind of termKinds) failTerms(failed, rows, kind, filter)
  return failed
}

type Condition = (post: number) => boolean

/** Returns the conditions of a filter on single posts, as predicates that are true for posts that fail. */
function conditionsOf(rows: Rows, filter: PostFilter): readonly Condition[] {
  const conditions: Condition[] = []
  const keepOnly = (posts: Iterable<number>) => {
    const kept = new Set(posts)
    conditions.push((post) => !kept.has(post))
  }
  for (const kind of ['slugs', 'ids'] as const) {
    if (filter[kind].length > 0) keepOnly(filter[kind].map((name) => rows.findPostBy(kind, name)))
  }
  const add = <T>(given: T | null, condition: (given: T) => Condition) => {
    if (given !== null) conditions.push(condition(given))
  }
  for (const key of ['published', 'updated'] as const) {
    const times = rows[`${key}At`]
    add(filter[`${key}After`], (time) => (post) => (times[post] ?? 0) < time)
    add(filter[`${key}Before`], (time) => (post) => (times[post] ?? 0) >= time)
  }
  add(filter.featured, (isFeatured) => (post) => rows.featured.has(post) !== isFeatured)
  for (const each of filter.fields) conditions.push(fieldCondition(rows, each))
  return conditions
}

function fieldCondition(rows: Rows, { name, operator, values }: FieldFilter): Condition {
  const column = rows.fields.get(name) ?? []
  const wanted = new Set<unknown>(values)
  const has = (value: FieldValue | undefined) => {
    if (Array.isArray(value)) return value.some((item) => wanted.has(item))
    return wanted.has(typeof value === 'boolean' ? String(value) : value)
  }
  const [limit = 0] = values
  if (operator === 'gte' || operator === 'lte') {
    const sign = operator === 'gte' ? 1 : -1
    return (post) => {
      const value = column[post]
      return typeof value !== 'number' || sign * value < sign * Number(limit)
    }
  }
  if (operator === 'ne') return (post) => has(column[post])
  return (post) => !has(column[post])
}

/** Sets the bit of a kind for posts without the wanted terms, and for posts with an excluded term. */
function failTerms(failed: Uint8Array, rows: Rows, kind: TermKind, filter: PostFilter): void {
  const excluded = filter[excludedNames[kind]]
  if (filter[kind].length + excluded.length === 0) return
  const wanted = termSet(rows, kind, filter[kind])
  const unwanted = termSet(rows, kind, excluded)
  const isAll = kind !== 'categories' && filter[`${kind}Match`] === 'all'
  // No post has an unknown term.
  const least = isAll ? filter[kind].length : Math.min(filter[kind].length, 1)
  for (const [post, terms] of rows.termsOf[kind].entries()) {
    let found = 0
    let isExcluded = false
    for (const term of terms) {
      found += Number(wanted.has(term))
      isExcluded ||= unwanted.has(term)
    }
    if (found < least || isExcluded) failed[post] = (failed[post] ?? 0) | kindBits[kind]
  }
}

const excludedNames = {
  categories: 'excludeCategories',
  tags: 'excludeTags',
  authors: 'excludeAuthors',
} as const

/** Returns the ordinals of terms. Unknown slugs are left out. */
function termSet(rows: Rows, kind: TermKind, slugs: readonly string[]): ReadonlySet<number> {
  return new Set(slugs.map((slug) => rows.findSlug(kind, slug)).filter((term) => term !== -1))
}

/** Returns the posts that fail no condition. */
function passingPosts(failed: Uint8Array): Uint32Array {
  const posts = new Uint32Array(failed.length)
  let count = 0
  for (let post = 0; post < failed.length; post++) if (failed[post] === 0) posts[count++] = post
  return posts.subarray(0, count)
}

/**
 * Returns the posts that share the most terms with a post: one point for each shared tag, and one for the category.
 *
 * @param most maximum number of posts
 * @param among ascending; other posts are excluded
 * @returns most points first, then latest first
 *
 * Cost: O(posts + posts of its terms).
 */
export function relatedPosts(
  rows: Rows,
  post: number,
  most: number,
  among: Uint32Array,
): readonly number[] {
  const points = new Uint16Array(rows.count)
  for (const kind of ['categories', 'tags'] as const) {
    for (const term of rows.termsOf[kind][post] ?? []) {
      for (const other of rows.postsOf(kind, term)) points[other] = (points[other] ?? 0) + 1
    }
  }
  points[post] = 0
  const sharing = [...among.filter((other) => points[other] !== 0)]
  // Sorting is stable, so ties stay in publication order.
  return sharing.sort((a, b) => (points[b] ?? 0) - (points[a] ?? 0)).slice(0, most)
}
