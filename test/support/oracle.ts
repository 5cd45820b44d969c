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

interface Given {
  readonly limit: number | 'all'
  readonly page: number
  readonly isAscending: boolean
  readonly orderBy: OrderBy
  readonly names: Readonly<
    Record<'authors' | 'excludeAuthors' | 'slugs' | 'ids', readonly string[]>
  >
  /** As numbers of the clock; infinite without a bound. */
  readonly times: Readonly<Record<(typeof timeNames)[number], number>>
  readonly categories: readonly string[]
  readonly excludeCategories: readonly string[]
  readonly tags: readonly string[]
  readonly excludeTags: readonly string[]
  readonly query: string
  readonly format: 'html' | 'markdown'
  readonly excludeContent: boolean
  readonly featured: boolean | null
  readonly includesPosts: boolean
  readonly include: readonly string[]
  readonly select: readonly string[]
  readonly fields: readonly ExpectedFilter[]
}

const nothingGiven: Given = {
  limit: 10,
  page: 1,
  isAscending: false,
  orderBy: 'publishedAt',
  names: { authors: [], excludeAuthors: [], slugs: [], ids: [] },
  times: {
    publishedAfter: -Infinity,
    publishedBefore: Infinity,
    updatedAfter: -Infinity,
    updatedBefore: Infinity,
  },
  categories: [],
  excludeCategories: [],
  tags: [],
  excludeTags: [],
  query: '',
  format: 'html',
  excludeContent: false,
  featured: null,
  includesPosts: false,
  include: [],
  select: [],
  fields: [],
}

function readParameters(
  { resource, identifier, pairs }: SampleRequest,
  indexed: readonly IndexedField[],
): Given {
  const reader = new ParameterReader(pairs)
  const isList = identifier === null
  const given =
    resource === 'posts'
      ? readPostParameters(reader, isList, indexed)
      : readTermParameters(reader, isList)
  if (reader.bad.length === 0) return given
  throw new Refusal(
    400,
    reader.bad.sort().map((field) => ({ field, message: '…' })),
  )
}

function readPostParameters(
  reader: ParameterReader,
  isList: boolean,
  indexed: readonly IndexedField[],
): Given {
  const format = reader.one('format', ['html', 'markdown']) ?? 'html'
  reader.strict(isList ? postListNames : ['format', 'include', 'select'])
  const accepted = isList ? ['posts', 'facets', 'matches'] : ['posts', 'neighbours', 'related']
  const include = reader.items('include')
  if (include.some((item) => !accepted.includes(item))) reader.refuse('include')
  const select = reader.items('select')
  if (select.some((item) => !selectable.includes(item))) reader.refuse('select')
  const given = {
    ...(isList ? readPostList(reader, indexed) : nothingGiven),
    format,
    include,
    select,
  }
  const hasMatches = !reader.bad.includes('include') && include.includes('matches')
  if (given.limit === 'all' && hasMatches) reader.refuse('limit')
  return given
}

function readPostList(reader: ParameterReader, indexed: readonly IndexedField[]): Given {
  const featured = reader.one('featured', ['true', 'false'])
  return {
    ...nothingGiven,
    ...reader.pages(true),
    isAscending: reader.one('order', ['asc', 'desc']) === 'asc',
    orderBy: reader.one('orderBy', ['publishedAt', 'updatedAt', 'title']) ?? 'publishedAt',
    names: {
      authors: reader.slugs('authors'),
      excludeAuthors: reader.slugs('excludeAuthors'),
      slugs: reader.slugs('slugs'),
      ids: reader.slugs('ids'),
    },
    times: {
      publishedAfter: reader.time('publishedAfter', -Infinity),
      publishedBefore: reader.time('publishedBefore', Infinity),
      updatedAfter: reader.time('updatedAfter', -Infinity),
      updatedBefore: reader.time('updatedBefore', Infinity),
    },
    categories: reader.slugs('categories'),
    excludeCategories: reader.slugs('excludeCategories'),
    tags: reader.slugs('tags'),
    excludeTags: reader.slugs('excludeTags'),
    query: reader.text('query'),
    fields: reader.fields(indexed),
    excludeContent: reader.one('excludeContent', ['true', 'false']) === 'true',
    featured: featured === undefined ? null : featured === 'true',
  }
}

function readTermParameters(reader: ParameterReader, isList: boolean): Given {
  reader.strict(['include', 'limit', 'page'])
  const include = reader.items('include')
  if (include.some((item) => item !== 'posts')) reader.refuse('include')
  const includesPosts = include.includes('posts')
  const pages = isList || includesPosts ? reader.pages(false) : {}
  return { ...nothingGiven, ...pages, includesPosts }
}

const selectable = [
  ...['id', 'slug', 'title', 'content', 'featured', 'coverImage', 'description', 'publishedAt'],
  ...['updatedAt', 'attribution', 'authors', 'category', 'tags', 'fields'],
]

const timeNames = ['publishedAfter', 'publishedBefore', 'updatedAfter', 'updatedBefore'] as const

const postListNames = [
  ...['limit', 'page', 'order', 'categories', 'excludeCategories', 'tags', 'excludeTags'],
  ...['query', 'format', 'excludeContent', 'featured', 'include', 'orderBy', 'select'],
  ...['authors', 'excludeAuthors', 'slugs', 'ids', ...timeNames],
]

function isParameter(parameter: string, { name, type }: IndexedField): boolean {
  const ordered = type === 'number' || type === 'date' ? ['[gte]', '[lte]'] : []
  return ['', '[ne]', '[in]', ...ordered].some((end) => parameter === `fields.${name}${end}`)
}

function isRealDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d\.\d{3}Z)?$/.test(text)) return false
  const date = new Date(text)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

class ParameterReader {
  readonly bad: string[] = []
  readonly #pairs: SampleRequest['pairs']

  constructor(pairs: SampleRequest['pairs']) {
    this.#pairs = pairs
  }

  refuse(name: string): void {
    if (!this.bad.includes(name)) this.bad.push(name)
  }

  /** Refuses names that the operation does not take, where the request asks for that. */
  strict(names: readonly string[]): void {
    const isStrict = this.one('strict', ['true', 'false']) === 'true'
    if (!isStrict || this.bad.includes('strict')) return
    for (const [name] of this.#pairs) {
      const isField = names === postListNames && name.startsWith('fields.')
      if (!isField && ![...names, 'strict', 'utm_source', '_'].includes(name)) this.refuse(name)
    }
  }

  /** Filters by custom fields. */
  fields(indexed: readonly IndexedField[]): readonly ExpectedFilter[] {
    const names = this.#pairs.filter(([name, value]) => name.startsWith('fields.') && value !== '')
    return [...new Set(names.map(([name]) => name))].flatMap((parameter) => {
      const [, name, operator = 'eq'] = /^fields\.([^[]+)(?:\[(\w+)\])?$/.exec(parameter) ?? []
      const field = indexed.find((each) => each.name === name)
      if (field === undefined || !isParameter(parameter, field)) {
        this.refuse(parameter)
        return []
      }
      const single = operator === 'in' ? undefined : this.#single(parameter)
      const texts = operator === 'in' ? this.slugs(parameter) : single === undefined ? [] : [single]
      const values = texts.map((text) => this.#fieldValue(parameter, field.type, text))
      return texts.length === 0 ? [] : [{ name: field.name, operator, values }]
    })
  }

  #fieldValue(parameter: string, type: IndexedField['type'], text: string): unknown {
    if (type === 'boolean') {
      if (text !== 'true' && text !== 'false') this.refuse(parameter)
      return text === 'true'
    }
    if (type === 'number') {
      if (!/^-?\d+(\.\d+)?$/.test(text)) this.refuse(parameter)
      return Number(text)
    }
    if (type !== 'date') return text
    if (!isRealDate(text)) this.refuse(parameter)
    return Date.parse(text)
  }

  pages(isAllAccepted: boolean): { limit: number | 'all'; page: number } {
    const limit = this.#single('limit')
    if (limit === 'all' && isAllAccepted) return { limit, page: this.#integer('page', 1, Infinity) }
    return { limit: this.#integer('limit', 10, 100), page: this.#integer('page', 1, Infinity) }
  }

  one<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.#single(name)
    const found = allowed.find((item) => item === value)
    if (value !== undefined && found === undefined) this.refuse(name)
    return found
  }

  slugs(name: string): readonly string[] {
    const items = this.items(name)
    if (items.length > 100) this.refuse(name)
    return items
  }

  text(name: string): string {
    const text = this.#single(name)?.trim() ?? ''
    if ([...text].length > 256) this.refuse(name)
    return text
  }

  /** Days and whole instants, as far as requests are made with them. */
  time(name: string, absent: number): number {
    const value = this.#single(name)
    if (value === undefined) return absent
    if (!isRealDate(value)) this.refuse(name)
    return Date.parse(value)
  }

  /** The items of a comma list; its repeats add up. */
  items(name: string): readonly string[] {
    const items = this.#values(name).flatMap((value) => value.split(','))
    return items.map((item) => item.trim()).filter((item) => item !== '')
  }

  #integer(name: string, fallback: number, max: number): number {
    const value = this.#single(name)
    if (value === undefined) return fallback
    const number = /^[0-9]+$/.test(value) ? Number(value) : 0
    if (number < 1 || number > max) this.refuse(name)
    return number
  }

  #single(name: string): string | undefined {
    const [first, ...more] = this.#values(name)
    if (more.some((value) => value !== first)) this.refuse(name)
    return first
  }

  #values(name: string): readonly string[] {
    const values = this.#pairs.filter((pair) => pair[0] === name).map((pair) => pair[1])
    if (values.includes(null)) this.refuse(name)
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
  const posts = workspace.posts.filter(({ post }) => Date.parse(post.publishedAt) <= now)
  if (resource !== 'posts') {
    return termBody(resource, identifier, given, workspace, inPostOrder(posts))
  }
  if (identifier !== null) {
    const found = posts.find(({ post }) => post.slug === identifier || post.id === identifier)
    if (found === undefined) throw new Refusal(404)
    return {
      post: selected(postObject(found, given), given),
      ...(given.include.includes('neighbours') ? { neighbours: neighbours(found, posts) } : {}),
      ...(given.include.includes('related') ? { related: related(found, posts) } : {}),
    }
  }
  const wanted = inOrder(
    posts.filter((post) => isWanted(post, given) && isNamed(post, given)),
    given.orderBy,
  )
  const { items, pagination } = pageOf(given.isAscending ? wanted.toReversed() : wanted, given)
  const shown = items.map((post) => ({
    ...selected(postObject(post, given), given),
    ...(given.include.includes('matches') ? matchesMember(post, given) : {}),
  }))
  if (!given.include.includes('facets')) return { posts: shown, pagination }
  return { posts: shown, pagination, facets: facets(posts, given) }
}

function selected(post: object, { select }: Given): object {
  if (select.length === 0) return post
  return Object.fromEntries(
    Object.entries(post).filter(([key]) => key === 'id' || select.includes(key)),
  )
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

function matchesMember({ post, text }: SamplePost, { query }: Given): object {
  const pattern = fold(query)
  const shown = text.replace(/[ \t\n\f\r]+/g, ' ').replace(/^ | $/g, '')
  return pattern === '' ? {} : { matches: expectedMatches(pattern, post.title, shown) }
}

function facets(posts: readonly SamplePost[], given: Given): object {
  const none: readonly string[] = []
  const { names } = given
  return {
    categories: counted(
      posts,
      { ...given, categories: none, excludeCategories: none },
      'categories',
    ),
    tags: counted(posts, { ...given, tags: none, excludeTags: none }, 'tags'),
    authors: counted(
      posts,
      { ...given, names: { ...names, authors: none, excludeAuthors: none } },
      'authors',
    ),
  }
}

function counted(posts: readonly SamplePost[], given: Given, kind: TermKind): readonly object[] {
  const among = posts.filter((post) => isWanted(post, given) && isNamed(post, given))
  const terms = new Map(among.flatMap((post) => termsOf(post, kind)).map((term) => [term.id, term]))
  return inNameOrder<Term | Author>([...terms.values()])
    .map(({ id, slug, name }) => {
      const own = among.filter((post) => termsOf(post, kind).some((term) => term.id === id))
      return { slug, name, count: own.length }
    })
    .toSorted((a, b) => b.count - a.count)
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
  const first = { ...given, limit: 10, page: 1 }
  return { [kind]: items.map((term) => termObject(kind, term, first, posts)), pagination }
}

function isWanted(sample: SamplePost, given: Given): boolean {
  const { post, text, folded = [post.title, text].map(fold) } = sample
  const isIn = (slugs: readonly string[], terms: readonly Term[]) =>
    terms.some(({ slug }) => slugs.includes(slug))
  const pattern = fold(given.query)
  return (
    (given.categories.length === 0 || isIn(given.categories, [post.category])) &&
    (given.tags.length === 0 || isIn(given.tags, post.tags)) &&
    !isIn(given.excludeCategories, [post.category]) &&
    !isIn(given.excludeTags, post.tags) &&
    (given.featured === null || given.featured === post.featured) &&
    folded.some((own) => own.includes(pattern))
  )
}

/** A filter by a custom field; dates are numbers of the clock. */
interface ExpectedFilter {
  readonly name: string
  readonly operator: string
  readonly values: readonly unknown[]
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

function isNamed(sample: SamplePost, { names, times, fields }: Given): boolean {
  const { post } = sample
  const isBy = (slugs: readonly string[]) => post.authors.some(({ slug }) => slugs.includes(slug))
  const [published, updated] = [Date.parse(post.publishedAt), Date.parse(post.updatedAt)]
  return (
    (names.authors.length === 0 || isBy(names.authors)) &&
    !isBy(names.excludeAuthors) &&
    (names.slugs.length === 0 || names.slugs.includes(post.slug)) &&
    (names.ids.length === 0 || names.ids.includes(post.id)) &&
    published >= times.publishedAfter &&
    published < times.publishedBefore &&
    updated >= times.updatedAfter &&
    updated < times.updatedBefore &&
    fields.every((filter) => hasField(sample, filter))
  )
}

function pageOf<T>(all: readonly T[], given: Given): { items: readonly T[]; pagination: object } {
  const isWhole = given.limit === 'all'
  const limit = given.limit === 'all' ? all.length : given.limit
  const page = isWhole ? 1 : given.page
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

function postObject({ post, html, markdown }: SamplePost, given: Given): object {
  const content = given.format === 'html' ? html : markdown
  return {
    id: post.id,
    slug: post.slug,
    title: post.title,
    ...(given.excludeContent ? {} : { content }),
    featured: post.featured,
    coverImage: post.coverImage,
    description: post.description,
    publishedAt: post.publishedAt,
    updatedAt: post.updatedAt,
    attribution: post.attribution,
    authors: post.authors.map(({ id, name, image, bio, role, slug, socials }) => ({
      ...{ id, name, image, bio, role, slug },
      socials: socials.map(({ url, platform }) => ({ url, platform })),
    })),
    category: summary(post.category),
    tags: post.tags.map(summary),
    ...(post.fields === undefined ? {} : { fields: post.fields }),
  }
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
    ...(given.includesPosts ? included() : {}),
  }
}

function authorObject({ id, name, image, slug, bio, role, socials }: Author): object {
  return {
    id,
    name,
    image,
    slug,
    bio,
    role,
    socials: socials.map(({ url, platform }) => ({ url, platform })),
  }
}

function itemObject({ id, title, slug, description, coverImage, publishedAt }: SamplePost['post']) {
  return { id, title, slug, description, coverImage, publishedAt }
}
