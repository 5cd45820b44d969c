// A second, simple implementation of the API: filter, sort, slice, `JSON.stringify`.
// Made only from the documented behaviour, for comparison; slow, and without the logic of `src/api`.
import type { IndexedField } from '../../src/api/parameter-values.ts'
import type { Version } from '../../src/api/request.ts'
import type { Author, ResourceKind, Term, TermKind } from '../../src/api/resources.ts'
import type { OrderBy } from '../../src/api/snapshot.ts'
import { fold } from '../../src/search/fold.ts'
import {
  inNameOrder,
  inOrder,
  inPostOrder,
  type SamplePost,
  type SampleWorkspace,
  termsOf,
} from './sample-workspace.ts'

/** A request, from which a target is made. Only values of fields may be invalid; others have separate tests. */
export interface SampleRequest {
  readonly version: Version
  readonly resource: ResourceKind
  readonly identifier: string | null
  /** Parameters; names are unique. */
  readonly pairs: readonly (readonly [name: string, value: string])[]
}

/** Returns the response to a request at a time. In an error every `message` is `…`. */
export function expectedResponse(
  request: SampleRequest,
  workspace: SampleWorkspace,
  now: number,
): { readonly status: number; readonly text: string } {
  try {
    const given = readParameters(request, workspace.indexed ?? [])
    return { status: 200, text: JSON.stringify(body(request, given, workspace, now)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, text: JSON.stringify(errorBody(request.version, error)) }
  }
}

/** An error response. */
export class Refusal extends Error {
  readonly status: number
  readonly details: object | null

  constructor(status: number, details: object | null = null) {
    super()
    this.status = status
    this.details = details
  }
}

function errorBody(version: Version, { status, details }: Refusal): object {
  const error = status === 404 ? 'Not Found' : 'Bad Request'
  if (version === 'v1') return { error, details, message: '…' }
  return status === 400 ? { error, message: '…', details } : { error, message: '…' }
}

interface Given {
  readonly one: Readonly<Record<string, string | undefined>>
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly ExpectedFilter[]
}

/** A filter by a custom field. Dates are milliseconds since 1970. */
interface ExpectedFilter {
  readonly name: string
  readonly operator: string
  readonly values: readonly unknown[]
}

/** Reads parameters. Empty values count as absent. @throws Refusal 400 for values that are no options of their field */
function readParameters({ pairs }: SampleRequest, indexed: readonly IndexedField[]): Given {
  const one = Object.fromEntries(pairs.filter(([, value]) => value !== ''))
  const itemsOf = (value: string) => value.split(',').flatMap((item) => item.trim() || [])
  const wrong: object[] = []
  const fields = indexed.flatMap(({ name, type, options }) =>
    ['', '[ne]', '[in]', '[gte]', '[lte]'].flatMap((operator): ExpectedFilter[] => {
      const field = `fields.${name}${operator}`
      const value = one[field]
      const texts = value === undefined ? [] : operator === '[in]' ? itemsOf(value) : [value]
      if (options !== undefined && !texts.every((text) => options.includes(text)))
        wrong.push({ field, message: '…' })
      const values = texts.map((text) => fieldValue(type, text))
      return values.length === 0 ? [] : [{ name, operator, values }]
    }),
  )
  if (wrong.length > 0) throw new Refusal(400, wrong)
  return {
    one: { ...one, query: one['query']?.trim() },
    lists: Object.fromEntries(Object.entries(one).map(([name, value]) => [name, itemsOf(value)])),
    fields,
  }
}

function fieldValue(type: IndexedField['type'], text: string): unknown {
  if (type === 'boolean') return text === 'true'
  return type === 'number' ? Number(text) : type === 'date' ? Date.parse(text) : text
}

function body(
  { resource, identifier }: SampleRequest,
  given: Given,
  workspace: SampleWorkspace,
  now: number,
): object {
  const posts = workspace.posts.filter(
    ({ post, expiresAt = Infinity }) => Date.parse(post.publishedAt) <= now && now < expiresAt,
  )
  if (resource !== 'posts') {
    return termBody(resource, identifier, given, workspace, inPostOrder(posts))
  }
  const isIncluded = (name: string) => given.lists['include']?.includes(name)
  if (identifier !== null) {
    const found = posts.find(({ post }) => post.slug === identifier || post.id === identifier)
    if (found === undefined) throw new Refusal(404)
    return {
      post: postObject(found, given),
      ...(isIncluded('neighbours') ? { neighbours: neighbours(found, posts) } : {}),
      ...(isIncluded('related') ? { related: related(found, posts) } : {}),
    }
  }
  const orderBy = (given.one['orderBy'] ?? 'publishedAt') as OrderBy
  const found = posts.filter((post) => isWanted(post, given))
  const isAscending = given.one['order'] === 'asc'
  const { items, pagination } = pageOf(inOrder(found, orderBy, isAscending), given.one)
  const shown = items.map((post) => ({
    ...postObject(post, given),
    ...(isIncluded('matches') ? matchesMember(post, given) : {}),
  }))
  if (!isIncluded('facets')) return { posts: shown, pagination }
  return { posts: shown, pagination, facets: facets(posts, given) }
}

function neighbours(found: SamplePost, posts: readonly SamplePost[]): object {
  const ordered = inPostOrder(posts)
  const at = ordered.indexOf(found)
  const item = (sample: SamplePost | undefined) => (sample ? itemObject(sample.post) : null)
  return { previous: item(ordered[at + 1]), next: item(ordered[at - 1]) }
}

function related(found: SamplePost, posts: readonly SamplePost[]): readonly object[] {
  const points = ({ post }: SamplePost) =>
    Number(post.category.id === found.post.category.id) +
    post.tags.filter(({ id }) => found.post.tags.some((tag) => tag.id === id)).length
  const others = inPostOrder(posts).filter((sample) => sample !== found && points(sample) > 0)
  const best = others.toSorted((a, b) => points(b) - points(a))
  return best.slice(0, 5).map(({ post }) => itemObject(post))
}

function matchesMember({ post, text }: SamplePost, { one }: Given): object {
  const patterns = patternsOf(one)
  const shown = text.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, '')
  return patterns.length === 0 ? {} : { matches: expectedMatches(patterns, post.title, shown) }
}

/** Returns the texts that a post must contain. */
function patternsOf(one: Given['one']): readonly string[] {
  const pattern = fold(one['query'] ?? '')
  const patterns = one['match'] === 'words' ? pattern.split(' ') : [pattern]
  return patterns.filter((text) => text !== '')
}

/** Returns the facets: for each kind, the counts of its terms without the filters of this kind. */
function facets(posts: readonly SamplePost[], given: Given): object {
  const counted = (kind: TermKind, exclude: string) => {
    const lists = { ...given.lists, [kind]: [], [exclude]: [] }
    const among = posts.filter((post) => isWanted(post, { ...given, lists }))
    const named = among
      .flatMap((post) => termsOf(post, kind))
      .map((term) => [term.id, term] as const)
    return inNameOrder<Term | Author>([...new Map(named).values()])
      .map(({ id, slug, name }) => {
        const own = among.filter((post) => termsOf(post, kind).some((term) => term.id === id))
        return { slug, name, count: own.length }
      })
      .toSorted((a, b) => b.count - a.count)
  }
  return {
    categories: counted('categories', 'excludeCategories'),
    tags: counted('tags', 'excludeTags'),
    authors: counted('authors', 'excludeAuthors'),
  }
}

function termBody(
  kind: TermKind,
  identifier: string | null,
  given: Given,
  workspace: SampleWorkspace,
  posts: readonly SamplePost[],
): object {
  const terms = inNameOrder<Term | Author>(workspace[kind]).filter(
    ({ id }) =>
      workspace.created?.has(id) !== true ||
      posts.some((post) => termsOf(post, kind).some((term) => term.id === id)),
  )
  if (identifier !== null) {
    const found = terms.find(({ slug, id }) => slug === identifier || id === identifier)
    if (found === undefined) throw new Refusal(404)
    return termObject(kind, found, given, posts)
  }
  const { items, pagination } = pageOf(terms, given.one)
  const first = { ...given, one: {} }
  return { [kind]: items.map((term) => termObject(kind, term, first, posts)), pagination }
}

function isWanted(sample: SamplePost, { one, lists, fields }: Given): boolean {
  const { post, text } = sample
  const folded = [post.title, text].map(fold)
  const isFound = patternsOf(one).every((pattern) => folded.some((own) => own.includes(pattern)))
  const has = (list: string, values: readonly string[]) => {
    const given = lists[list] ?? []
    if (one[`${list}Match`] === 'all') return given.every((value) => values.includes(value))
    return given.length === 0 || values.some((value) => given.includes(value))
  }
  const hasNone = (list: string, values: readonly string[]) =>
    !values.some((value) => lists[list]?.includes(value))
  const slugs = (terms: readonly Pick<Term, 'slug'>[]) => terms.map(({ slug }) => slug)
  const isBetween = (value: string, after: string, before: string) =>
    Date.parse(value) >= (after in one && one[after] ? Date.parse(one[after]) : -Infinity) &&
    Date.parse(value) < (before in one && one[before] ? Date.parse(one[before]) : Infinity)
  return (
    isFound &&
    has('categories', [post.category.slug]) &&
    hasNone('excludeCategories', [post.category.slug]) &&
    has('tags', slugs(post.tags)) &&
    hasNone('excludeTags', slugs(post.tags)) &&
    has('authors', slugs(post.authors)) &&
    hasNone('excludeAuthors', slugs(post.authors)) &&
    has('slugs', [post.slug]) &&
    has('ids', [post.id]) &&
    [undefined, String(post.featured)].includes(one['featured']) &&
    isBetween(post.publishedAt, 'publishedAfter', 'publishedBefore') &&
    isBetween(post.updatedAt, 'updatedAfter', 'updatedBefore') &&
    fields.every((filter) => hasField(sample, filter))
  )
}

function hasField({ post }: SamplePost, { name, operator, values }: ExpectedFilter): boolean {
  const value = post.fields?.[name] ?? null
  const comparable = name === 'day' && value !== null ? Date.parse(String(value)) : value
  const isAny = values.some((each) =>
    Array.isArray(value) ? value.includes(each) : comparable === each,
  )
  if (operator === '[ne]') return !isAny
  if (operator === '[gte]') return comparable !== null && Number(comparable) >= Number(values[0])
  if (operator === '[lte]') return comparable !== null && Number(comparable) <= Number(values[0])
  return isAny
}

/** Returns a page, and its pagination. @throws Refusal 400 beyond the last page */
export function pageOf<T>(
  all: readonly T[],
  one: Given['one'],
): { items: readonly T[]; pagination: object } {
  const isWhole = one['limit'] === 'all'
  const limit = isWhole ? all.length : Number(one['limit'] ?? 10)
  const page = isWhole ? 1 : Number(one['page'] ?? 1)
  const totalPages = all.length === 0 ? 0 : Math.ceil(all.length / limit)
  if (page > 1 && page > totalPages) {
    throw new Refusal(400, { message: '…', totalPages, requestedPage: page })
  }
  const pagination = {
    limit,
    currentPage: page,
    nextPage: page < totalPages ? page + 1 : null,
    previousPage: page > 1 ? page - 1 : null,
    totalPages,
    totalItems: all.length,
  }
  return { items: all.slice((page - 1) * limit, page * limit), pagination }
}

function postObject({ post, html, markdown }: SamplePost, { one, lists }: Given): object {
  const { id, slug, title, featured, coverImage, description, publishedAt, updatedAt } = post
  const content = one['format'] === 'markdown' ? markdown : html
  const all = {
    ...{ id, slug, title },
    ...(one['excludeContent'] === 'true' ? {} : { content }),
    ...{ featured, coverImage, description, publishedAt, updatedAt },
    attribution: post.attribution,
    authors: post.authors.map(({ id, name, image, bio, role, slug, socials }) => ({
      ...{ id, name, image, bio, role, slug },
      socials: socials.map(({ url, platform }) => ({ url, platform })),
    })),
    category: summary(post.category),
    tags: post.tags.map(summary),
    ...(post.fields === undefined ? {} : { fields: post.fields }),
  }
  const select = lists['select'] ?? []
  const isSelected = (key: string) => select.length === 0 || key === 'id' || select.includes(key)
  return Object.fromEntries(Object.entries(all).filter(([key]) => isSelected(key)))
}

function summary({ id, name, slug, description }: Term): object {
  return { id, name, slug, description }
}

function termObject(
  kind: TermKind,
  term: Term | Author,
  given: Given,
  posts: readonly SamplePost[],
): object {
  const own = posts.filter((post) => termsOf(post, kind).some(({ id }) => id === term.id))
  const included = () => {
    const { items, pagination } = pageOf(own, given.one)
    return { posts: { data: items.map(({ post }) => itemObject(post)), pagination } }
  }
  return {
    ...('socials' in term ? authorObject(term) : summary(term)),
    ...(kind === 'authors' ? {} : { count: { posts: own.length } }),
    ...(given.lists['include']?.includes('posts') ? included() : {}),
  }
}

function authorObject({ id, name, image, slug, bio, role, socials }: Author): object {
  const links = socials.map(({ url, platform }) => ({ url, platform }))
  return { id, name, image, slug, bio, role, socials: links }
}

function itemObject({ id, title, slug, description, coverImage, publishedAt }: SamplePost['post']) {
  return { id, title, slug, description, coverImage, publishedAt }
}

/** Returns the matches in texts that are shorter than an excerpt. @param patterns folded, not empty */
function expectedMatches(patterns: readonly string[], title: string, text: string) {
  const fields = [
    ['title', title],
    ['content', text],
  ] as const
  return fields.flatMap(([field, own]) => {
    const ranges = expectedRanges(patterns, own)
    return ranges.length === 0 ? [] : [{ field, text: own, ranges }]
  })
}

/** Returns the positions where a cut does not separate a character from its marks. */
function cutsOf(text: string): readonly number[] {
  const joined =
    /^[\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]/u
  const cuts = [0]
  for (const character of text) cuts.push((cuts.at(-1) ?? 0) + character.length)
  return cuts.filter((at) => at === 0 || !joined.test(text.slice(at)))
}

/** Returns every match, from the left: the smallest part between two cuts whose folded text contains it. */
function expectedRanges(patterns: readonly string[], text: string): readonly [number, number][] {
  const folded = fold(text)
  const cuts = cutsOf(text)
  // Lengths of the folded text before each cut. Letters around the text keep its white space.
  const lead = fold(`x${text}x`).indexOf(`${folded}`, 1) - 1
  const before = cuts.map((at) => fold(`x${text.slice(0, at)}x`).length - 2 - lead)
  const found = patterns.flatMap((pattern) => {
    const ranges: [number, number][] = []
    for (let at = folded.indexOf(pattern); at !== -1; ) {
      const start = cuts[before.findLastIndex((length) => length <= at)] ?? 0
      const end = cuts[before.findIndex((length) => length >= at + pattern.length)] ?? text.length
      ranges.push([start, end])
      at = folded.indexOf(pattern, at + pattern.length)
    }
    return ranges
  })
  const ranges: [number, number][] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0])) {
    const last = ranges.at(-1)
    if (last !== undefined && start < last[1]) last[1] = Math.max(end, last[1])
    else ranges.push([start, end])
  }
  return ranges
}
