// The interface once more, as simply as it can be said: filter, sort, slice, `JSON.stringify`.
// Made from the documented behaviour alone, to be compared with; slow, and without a line of `src/api`'s logic.

import type { IndexedField } from '../../src/api/field-parameters.ts'
import type { Version } from '../../src/api/request.ts'
import type { Author, ResourceKind, Term, TermKind } from '../../src/api/resources.ts'
import type { OrderBy } from '../../src/api/snapshot.ts'
import { fold } from '../../src/search/fold.ts'
import { expectedMatches } from './expected-matches.ts'
import {
  inNameOrder,
  inOrder,
  inPostOrder,
  type SamplePost,
  type SampleWorkspace,
  termsOf,
} from './sample-workspace.ts'

/** A request before it is written as a target. A value of `null` is one that cannot be decoded. */
export interface SampleRequest {
  readonly version: Version
  readonly resource: ResourceKind
  readonly identifier: string | null
  readonly pairs: readonly (readonly [name: string, value: string | null])[]
}

/** A status and a body; in an error every `message` is `…`, and `details` are in the order of their fields. */
export interface Expected {
  readonly status: number
  readonly text: string
}

/** What the request is answered with at a moment. */
export function expectedResponse(
  request: SampleRequest,
  workspace: SampleWorkspace,
  now: number,
): Expected {
  try {
    const given = readParameters(request, workspace.indexed ?? [])
    return { status: 200, text: JSON.stringify(body(request, given, workspace, now)) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, text: JSON.stringify(errorBody(request.version, error)) }
  }
}

/** An answer to compare with an expected one: every `message` is `…`, and details are in the order of their fields. */
export function withoutMessages(text: string): string {
  const body: { details?: unknown } = JSON.parse(text, (key, value) =>
    key === 'message' ? '…' : value,
  )
  if (Array.isArray(body.details)) {
    body.details.sort((a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1))
  }
  return JSON.stringify(body)
}

class Refusal extends Error {
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

// Parameters

/** Values by their names; every name that was asked about has one. */
interface Given {
  readonly one: Readonly<Record<string, string | undefined>>
  readonly lists: Readonly<Record<string, readonly string[]>>
  readonly fields: readonly ExpectedFilter[]
}

/** A filter by a custom field; dates are numbers of the clock. */
interface ExpectedFilter {
  readonly name: string
  readonly operator: string
  readonly values: readonly unknown[]
}

const number = /^0*[1-9]\d*$/
const upTo100 = /^0*([1-9]\d?|100)$/
const isTrue = /^(true|false)$/
const oneRules: Readonly<Record<string, RegExp>> = {
  limit: /^(all|0*([1-9]\d?|100))$/,
  page: number,
  order: /^(asc|desc)$/,
  tagsMatch: /^(any|all)$/,
  authorsMatch: /^(any|all)$/,
  match: /^(phrase|words)$/,
  excludeContent: isTrue,
  featured: isTrue,
  query: /^/,
}
const terms = [
  'categories',
  'excludeCategories',
  'tags',
  'excludeTags',
  'authors',
  'excludeAuthors',
]
const slugLists = [...terms, 'slugs', 'ids']
const times = ['publishedAfter', 'publishedBefore', 'updatedAfter', 'updatedBefore']
const ofEveryPost = ['format', 'include', 'select']
const ofPosts = [...ofEveryPost, 'orderBy', ...Object.keys(oneRules), ...slugLists, ...times]
const selectable = [
  ...['id', 'slug', 'title', 'content', 'featured', 'coverImage', 'description', 'publishedAt'],
  ...['updatedAt', 'attribution', 'authors', 'category', 'tags', 'fields'],
]

function readParameters(
  { resource, identifier, pairs }: SampleRequest,
  indexed: readonly IndexedField[],
): Given {
  const reader = new ParameterReader(pairs)
  const isList = identifier === null
  if (resource !== 'posts') {
    reader.strict(['include', 'limit', 'page'])
    reader.items('include', ['posts'])
    if (isList || reader.lists['include']?.includes('posts')) {
      reader.single('limit', upTo100)
      reader.single('page', number)
    }
  } else {
    reader.strict(isList ? ofPosts : ofEveryPost)
    reader.single('format', /^(html|markdown)$/)
    const accepted = isList ? ['posts', 'facets', 'matches'] : ['posts', 'neighbours', 'related']
    reader.items('include', accepted)
    reader.items('select', selectable)
    if (isList) reader.readList(indexed)
  }
  const { bad, one, lists, fields } = reader
  if (bad.size === 0) return { one, lists, fields }
  throw new Refusal(
    400,
    [...bad].sort().map((field) => ({ field, message: '…' })),
  )
}

function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

class ParameterReader {
  readonly bad = new Set<string>()
  readonly one: Record<string, string | undefined> = {}
  readonly lists: Record<string, readonly string[]> = {}
  fields: readonly ExpectedFilter[] = []
  readonly #pairs: SampleRequest['pairs']

  constructor(pairs: SampleRequest['pairs']) {
    this.#pairs = pairs
  }

  /** Refuses names that the operation does not take, where the request asks for that. */
  strict(names: readonly string[]): void {
    if (this.single('strict', isTrue) !== 'true' || this.bad.has('strict')) return
    for (const [name] of this.#pairs) {
      const isField = names === ofPosts && name.startsWith('fields.')
      if (!isField && ![...names, 'strict', 'utm_source', '_'].includes(name)) this.bad.add(name)
    }
  }

  readList(indexed: readonly IndexedField[]): void {
    for (const [name, rule] of Object.entries(oneRules)) this.single(name, rule)
    const ordered = indexed.filter(({ type }) => type !== 'boolean' && type !== 'list')
    const orders = ordered.map(({ name }) => `|fields\\.${name}`).join('')
    this.single('orderBy', new RegExp(`^(publishedAt|updatedAt|title${orders})$`))
    const query = this.one['query']?.trim() ?? ''
    if (this.one['match'] === 'words' && query.split(/\s+/u).length > 16) this.bad.add('query')
    this.one['query'] = query
    if ([...query].length > 256) this.bad.add('query')
    for (const name of slugLists) this.items(name)
    for (const name of times) {
      const value = this.single(name, /^/)
      if (value !== undefined && !isRealDate(value)) this.bad.add(name)
    }
    const hasMatches = !this.bad.has('include') && this.lists['include']?.includes('matches')
    if (this.one['limit'] === 'all' && hasMatches) this.bad.add('limit')
    const named = this.#pairs.filter(([name, value]) => name.startsWith('fields.') && value !== '')
    const parameters = [...new Set(named.map(([name]) => name))]
    this.fields = parameters.flatMap((name) => this.#filters(name, indexed))
  }

  single(name: string, rule: RegExp): string | undefined {
    const [first, ...more] = this.#values(name)
    if (more.some((value) => value !== first) || (first !== undefined && !rule.test(first)))
      this.bad.add(name)
    this.one[name] = first
    return first
  }

  /** The items of a comma list, 100 at most where any is accepted; its repeats add up. */
  items(name: string, accepted?: readonly string[]): readonly string[] {
    const all = this.#values(name).flatMap((value) => value.split(','))
    const items = all.map((item) => item.trim()).filter((item) => item !== '')
    const isBad = accepted ? items.some((item) => !accepted.includes(item)) : items.length > 100
    if (isBad) this.bad.add(name)
    this.lists[name] = items
    return items
  }

  #filters(parameter: string, indexed: readonly IndexedField[]): readonly ExpectedFilter[] {
    const [, name, operator = 'eq'] = /^fields\.([^[]+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
    const field = indexed.find((each) => each.name === name)
    const ordered = field?.type === 'number' || field?.type === 'date' ? ['gte', 'lte'] : []
    if (field === undefined || !['eq', 'ne', 'in', ...ordered].includes(operator)) {
      this.bad.add(parameter)
      return []
    }
    const texts = operator === 'in' ? this.items(parameter) : [this.single(parameter, /^/)]
    const values = texts.flatMap((text) =>
      text === undefined ? [] : [this.#fieldValue(parameter, field.type, text)],
    )
    return values.length === 0 ? [] : [{ name: field.name, operator, values }]
  }

  #fieldValue(parameter: string, type: IndexedField['type'], text: string): unknown {
    const rule = { boolean: isTrue, number: /^-?\d+(\.\d+)?$/ }[type as string] ?? /^/
    if (!rule.test(text) || (type === 'date' && !isRealDate(text))) this.bad.add(parameter)
    if (type === 'boolean') return text === 'true'
    return type === 'number' ? Number(text) : type === 'date' ? Date.parse(text) : text
  }

  #values(name: string): readonly string[] {
    const values = this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1])
    if (values.includes(null)) this.bad.add(name)
    return values.filter((value) => value !== null && value !== '') as string[]
  }
}

// Bodies

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
  const { items, pagination } = pageOf(inOrder(found, orderBy, isAscending), given)
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

/** What must be found, each anywhere. */
function patternsOf(one: Given['one']): readonly string[] {
  const pattern = fold(one['query'] ?? '')
  const patterns = one['match'] === 'words' ? pattern.split(' ') : [pattern]
  return patterns.filter((text) => text !== '')
}

/** Without the filters of a kind: what each of its terms would leave. */
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
  const { items, pagination } = pageOf(terms, given)
  const first = { ...given, one: {} }
  return { [kind]: items.map((term) => termObject(kind, term, first, posts)), pagination }
}

function isWanted(sample: SamplePost, { one, lists, fields }: Given): boolean {
  const { post, text, folded = [post.title, text].map(fold) } = sample
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
  if (operator === 'ne') return !isAny
  if (operator === 'gte') return comparable !== null && Number(comparable) >= Number(values[0])
  if (operator === 'lte') return comparable !== null && Number(comparable) <= Number(values[0])
  return isAny
}

function pageOf<T>(all: readonly T[], given: Given): { items: readonly T[]; pagination: object } {
  const isWhole = given.one['limit'] === 'all'
  const limit = isWhole ? all.length : Number(given.one['limit'] ?? 10)
  const page = isWhole ? 1 : Number(given.one['page'] ?? 1)
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
    const { items, pagination } = pageOf(own, given)
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
