// Filters, orders and facets: one pass over the columns of an index.
import type { FieldFilter } from '../api/parameter-values.ts'
import { type FieldValue, type TermKind, termKinds } from '../api/resources.ts'
import type { PostFilter, PostOrder, PostSelection } from '../api/snapshot.ts'
import { fold } from '../search/fold.ts'
import { matchesIn } from '../search/search.ts'
import type { Rows } from './rows.ts'
import { visibleText } from './visible-text.ts'

/**
 * Finds posts by text.
 *
 * @param query folded, not empty
 * @param among excludes other posts before any text is read
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
 * Cost without text: O(posts + terms of posts). Facets cost a second pass.
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
    failed = new Uint8Array(rows.count).fill(failsAll)
    for (const post of await findText(text, (post) => before[post] !== failsAll))
      failed[post] = before[post] ?? failsAll
  }
  return {
    posts: rows.ordered(postsWithout(failed), by),
    countsOf: (kind) => countTerms(rows, kind, failed),
    matchesIn: (title, html) =>
      texts.length === 0 ? null : matchesIn(texts, title, visibleText(html)),
  }
}

/** A post that fails a condition other than on a kind of terms. Otherwise each kind that it fails has its bit. */
const failsAll = 255

/** The bit of each kind of terms. */
const kindBits: Readonly<Record<TermKind, number>> = { categories: 1, tags: 2, authors: 4 }

/** Returns the conditions that each post fails: 0 for none, bits of `kindBits`, or `failsAll`. */
function failedConditions(rows: Rows, filter: PostFilter, among: Uint32Array): Uint8Array {
  const failed = new Uint8Array(rows.count).fill(failsAll)
  // Loops by index: an iterator takes six times as long (100,000 posts, 2026-11).
  for (let at = 0; at < among.length; at++) failed[among[at] ?? 0] = 0
  for (const isFailed of conditionsOf(rows, filter)) {
    for (let post = 0; post < failed.length; post++) {
      if (failed[post] === 0 && isFailed(post)) failed[post] = failsAll
    }
  }
  for (const kind of termKinds) failTerms(failed, rows, kind, filter)
  return failed
}

type Condition = (post: number) => boolean

/** Returns the conditions of a filter on single posts, as predicates of failure. */
function conditionsOf(rows: Rows, filter: PostFilter): readonly Condition[] {
  const { publishedAt, updatedAt, featured } = rows
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
  add(filter.publishedAfter, (time) => (post) => (publishedAt[post] ?? 0) < time)
  add(filter.publishedBefore, (time) => (post) => (publishedAt[post] ?? 0) >= time)
  add(filter.updatedAfter, (time) => (post) => (updatedAt[post] ?? 0) < time)
  add(filter.updatedBefore, (time) => (post) => (updatedAt[post] ?? 0) >= time)
  add(filter.featured, (isFeatured) => (post) => featured[post] !== Number(isFeatured))
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
  const compared = (isFailed: (value: number) => boolean): Condition => {
    return (post) => {
      const value = column[post]
      return typeof value !== 'number' || isFailed(value)
    }
  }
  if (operator === 'gte') return compared((value) => value < Number(limit))
  if (operator === 'lte') return compared((value) => value > Number(limit))
  if (operator === 'ne') return (post) => has(column[post])
  return (post) => !has(column[post])
}

/** Sets the bit of a kind for posts without any wanted term, and for posts with an excluded one. */
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

/** Unknown slugs have no term. */
function termSet(rows: Rows, kind: TermKind, slugs: readonly string[]): ReadonlySet<number> {
  return new Set(slugs.map((slug) => rows.findSlug(kind, slug)).filter((term) => term !== -1))
}

/** The posts that fail no condition. */
function postsWithout(failed: Uint8Array): Uint32Array {
  const posts = new Uint32Array(failed.length)
  let count = 0
  for (let post = 0; post < failed.length; post++) if (failed[post] === 0) posts[count++] = post
  return posts.subarray(0, count)
}

/** Counts the posts of each term of a kind, of posts that fail no other condition. */
function countTerms(rows: Rows, kind: TermKind, failed: Uint8Array): Uint32Array {
  const counts = new Uint32Array(rows.termCount(kind))
  for (const [post, terms] of rows.termsOf[kind].entries()) {
    if (((failed[post] ?? 0) & ~kindBits[kind]) !== 0) continue
    for (const term of terms) counts[term] = (counts[term] ?? 0) + 1
  }
  return counts
}

/**
 * Returns the visible posts that share most terms with a post: one point for a shared tag and one for the category.
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
