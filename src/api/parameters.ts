// Query parameters: one declaration each, from which the parser, the OpenAPI document, the explorer and the
// documentation are made. Their descriptions are in `openapi.ts`.

import type { FieldError } from '#client'
import { type DocumentOperation, documentTable, isDocumentKind } from './documents.ts'
import { ApiError } from './errors.ts'
import {
  choice,
  choices,
  date,
  type FieldFilter,
  fieldParameters,
  fieldPrefix,
  flag,
  type IndexedField,
  InvalidValue,
  isSortable,
  limitMax,
  limitType,
  names,
  pageNumber,
  type Reference,
  searchText,
  splitItems,
  type ValueType,
} from './parameter-values.ts'
import {
  formats,
  hasRows,
  type IncludeName,
  type Parameters,
  type PostStatus,
  type Target,
} from './request.ts'
import { itemKeys, languageKeys, postKeys } from './resources.ts'
import type { Pairs } from './routes.ts'
import type { MediaType, OrderBy, PostOrder } from './snapshot.ts'

/** Parameter names in a query string. */
export type ParameterName = Exclude<keyof Parameters, 'fields' | 'targets'> | 'strict'

/** Operations, by the parameters that they take. The vendor's SDK API has its own operations for posts and assets. */
export type OperationKind =
  | 'posts'
  | 'post'
  | 'terms'
  | 'term'
  | 'sdk posts'
  | 'sdk post'
  | 'items'
  | 'item'
  | 'singleton'
  | 'media'
  | 'asset'
  | DocumentOperation

/** The part of a target that decides which parameters it takes. */
export type OperationTarget = Pick<Target, 'resource' | 'identifier' | 'isSdk'> &
  Partial<Pick<Target, 'version'>>

interface ParameterDeclaration {
  readonly on: readonly OperationKind[]
  /** The value in a request without the parameter. */
  readonly usual?: unknown
  /** True if only operations with a key take the parameter. @default false */
  readonly needsKey?: true
  /** Type of its values, which may depend on the operation and the workspace. */
  readonly type:
    | ValueType<unknown>
    | ((operation: OperationKind, own: OwnContent) => ValueType<unknown>)
}

/** The content of a workspace that decides which values its parameters take. */
export interface OwnContent {
  /** Custom fields that posts or items can be filtered by; absent if any field may exist. */
  readonly fields?: readonly IndexedField[] | undefined
  /** Fields that refer to other resources. @default none */
  readonly references?: readonly Reference[] | undefined
  /** Language of the workspace. @default none */
  readonly locale?: string | undefined
  readonly isSdk?: boolean
}

const orderings: readonly OrderBy[] = ['publishedAt', 'updatedAt', 'title']
const matchings = choice(['any', 'all'])
const statuses: readonly PostStatus[] = ['published', 'draft', 'all']
const mediaTypes: readonly MediaType[] = ['image', 'video', 'audio', 'document']

const posts: readonly OperationKind[] = ['posts']
const rowLists: readonly OperationKind[] = ['posts', 'items']
const postLists: readonly OperationKind[] = ['posts', 'sdk posts']
const contentLists: readonly OperationKind[] = [...postLists, 'items']
const lists: readonly OperationKind[] = [...contentLists, 'terms', 'term', 'media']
const singles = ['post', 'sdk post', 'item'] as const
const others = [...singles, 'singleton', 'asset', 'document', 'sitemap', 'changes'] as const

/** Type of `orderBy`. If any field may exist, its schema allows all of them. */
function orderByOf({ fields }: OwnContent): ValueType<unknown> {
  const anyOf = [{ enum: orderings }, { pattern: '^fields\\.[A-Za-z][\\w-]*$' }]
  if (fields === undefined) return { ...choice(orderings), schema: { type: 'string', anyOf } }
  const ordered = fields.filter(({ type }) => isSortable(type))
  return choice([...orderings, ...ordered.map(({ name }) => `${fieldPrefix}${name}`)])
}

/** Type of `include` for an operation. If any field may exist, its schema allows all of them. */
function includeOf(operation: OperationKind, own: OwnContent): ValueType<unknown> {
  const { fields, references = [] } = own
  const names = includesOf(operation)
  const type = choices([...names, ...references.map(({ name }) => name)])
  if (fields !== undefined || operation.startsWith('term')) return type
  const anyOf = [...(names.length === 0 ? [] : [{ enum: names }]), { pattern: '^[A-Za-z][\\w-]*$' }]
  return { ...type, schema: { type: 'array', items: { type: 'string', anyOf } } }
}

/** The operations that take each value of `include`. Descriptions are in `openapi.ts`. */
const includeTable: Readonly<Record<IncludeName, readonly OperationKind[]>> = {
  posts: ['terms', 'term', 'posts', 'post'],
  facets: posts,
  matches: posts,
  neighbours: ['post'],
  related: ['post'],
  parent: ['item'],
  children: ['item'],
}

/** Every parameter, in documentation order. */
export const parameterTable: Readonly<Record<ParameterName, ParameterDeclaration>> = {
  limit: {
    on: lists,
    usual: 10,
    // Lists for the vendor's SDKs have at most 100 resources.
    type: (operation, { isSdk }) => limitType(contentLists.includes(operation) && isSdk !== true),
  },
  page: { on: [...lists, 'sitemap'], type: pageNumber, usual: 1 },
  order: { on: [...contentLists, 'media'], type: choice(['asc', 'desc']), usual: 'desc' },
  orderBy: { on: rowLists, type: (_, own) => orderByOf(own), usual: 'publishedAt' },
  categories: { on: postLists, type: names, usual: [] },
  excludeCategories: { on: postLists, type: names, usual: [] },
  tags: { on: postLists, type: names, usual: [] },
  excludeTags: { on: postLists, type: names, usual: [] },
  tagsMatch: { on: posts, type: matchings, usual: 'any' },
  authors: { on: posts, type: names, usual: [] },
  excludeAuthors: { on: posts, type: names, usual: [] },
  authorsMatch: { on: posts, type: matchings, usual: 'any' },
  publishedAfter: { on: posts, type: date, usual: null },
  publishedBefore: { on: posts, type: date, usual: null },
  updatedAfter: { on: posts, type: date, usual: null },
  updatedBefore: { on: posts, type: date, usual: null },
  slugs: { on: rowLists, type: names, usual: [] },
  ids: { on: rowLists, type: names, usual: [] },
  query: { on: [...contentLists, 'media'], type: searchText, usual: '' },
  match: { on: rowLists, type: choice(['phrase', 'words']), usual: 'phrase' },
  format: { on: [...contentLists, ...singles, 'singleton'], type: choice(formats), usual: 'html' },
  excludeContent: { on: contentLists, type: flag, usual: false },
  select: {
    on: [...rowLists, 'post', 'item'],
    usual: [],
    type: (operation, { locale }) =>
      choices([
        ...(operation.startsWith('item') ? itemKeys : postKeys),
        ...(locale === undefined ? [] : languageKeys),
      ]),
  },
  featured: { on: postLists, type: flag, usual: null },
  include: {
    on: [...rowLists, 'post', 'item', 'terms', 'term'],
    usual: [],
    type: includeOf,
  },
  strict: { on: [...lists, ...others], type: flag },
  since: { on: ['changes'], type: searchText, usual: '' },
  status: {
    on: [...contentLists, ...singles],
    needsKey: true,
    type: choice(statuses),
    usual: 'published',
  },
  type: { on: ['media'], type: choice(mediaTypes), usual: null },
}

/** Parameters of a request without a query. */
export const defaultParameters: Parameters = {
  ...Object.fromEntries(Object.entries(parameterTable).map(([name, { usual }]) => [name, usual])),
  ...{ fields: [], targets: [] },
} as unknown as Parameters

/** Returns the operation of a target. */
export function operationOf({ resource, identifier, isSdk }: OperationTarget): OperationKind {
  const isList = identifier === null
  if (resource === 'media' && isList) return 'media'
  if (resource === 'media' || resource === 'fields') return 'asset'
  if (isDocumentKind(resource)) return documentTable[resource].operation
  if (resource === 'items') return isList ? 'items' : 'item'
  if (resource === 'singletons') return 'singleton'
  if (resource === 'collections') return 'document'
  if (resource !== 'posts') return isList ? 'terms' : 'term'
  const kind = isList ? 'posts' : 'post'
  return isSdk === true ? `sdk ${kind}` : kind
}

/** Returns the parameters that an operation takes, in documentation order. All others are ignored. */
export function parametersOf(target: OperationTarget): readonly ParameterName[] {
  const operation = operationOf(target)
  const all = Object.keys(parameterTable) as ParameterName[]
  return all.filter((name) => {
    const { on, needsKey } = parameterTable[name]
    return on.includes(operation) && (needsKey !== true || target.version === 'v2')
  })
}

/** Returns the value type of a parameter. @param own @default any workspace */
export function typeOf(
  name: ParameterName,
  operation: OperationKind,
  own: OwnContent = {},
): ValueType<unknown> {
  const { type } = parameterTable[name]
  return typeof type === 'function' ? type(operation, own) : type
}

/** Returns the values of `include` that an operation takes. */
export function includesOf(operation: OperationKind): readonly IncludeName[] {
  const all = Object.keys(includeTable) as IncludeName[]
  return all.filter((name) => includeTable[name].includes(operation))
}

/** The operation whose parameters are parsed. */
export interface ParameterTarget extends Target, OwnContent {
  /** Direction of a collection's own order. @default asc */
  readonly ownOrder?: PostOrder['order'] | undefined
}

/** Names that advertisements and caches add to URLs. They are never parameters. */
const tracking =
  /^(?:utm_.*|_|_ga|_gl|dclid|fbclid|gbraid|gclid|gclsrc|mc_[ce]id|msclkid|ttclid|twclid|wbraid|yclid)$/

/** Returns the names that are not parameters of an operation, without tracking names, in the order of the query. */
export function ignoredParameters(target: OperationTarget, pairs: Pairs): readonly string[] {
  const accepted: readonly string[] = parametersOf(target)
  const names = new Set(pairs.map(([name]) => name))
  const isTaken = (name: string) =>
    accepted.includes(name) || (takesFields(target) && name.startsWith(fieldPrefix))
  return [...names].filter((name) => !isTaken(name) && !tracking.test(name))
}

/** Reports whether a target has field filters. A filter by an unindexed field is an error, so none is ignored. */
function takesFields(target: OperationTarget): boolean {
  return ['posts', 'items'].includes(operationOf(target))
}

/** @throws ApiError 400 that lists every bad parameter */
export function parseParameters(target: ParameterTarget, pairs: Pairs): Parameters {
  const problems: FieldError[] = []
  const values: Record<string, unknown> = {}
  const operation = operationOf(target)
  const { fields = [] } = target
  const hasPages = target.identifier === null || includesPosts(pairs)
  const given = new Set(pairs.map(([name]) => name))
  for (const name of parametersOf(target)) {
    if (!given.has(name) || (!hasPages && (name === 'limit' || name === 'page'))) continue
    const type = typeOf(name, operation, { ...target, fields })
    const value = parseParameter(name, type, pairs, problems)
    if (value !== undefined) values[name] = value
  }
  if (operation === 'items') Object.assign(values, orderOfItems(values, target.ownOrder))
  if (takesFields(target)) values['fields'] = parseFields(fields, pairs, problems)
  const { strict, ...rest } = values
  const parameters: Parameters = { ...defaultParameters, ...rest }
  problems.push(...conflictsIn(parameters))
  const unknown = strict === true ? ignoredParameters(target, pairs) : []
  const message = 'is not a parameter of this operation'
  const details = [...problems, ...unknown.map((field) => ({ field, message }))]
  if (details.length > 0) {
    const names = details.map(({ field }) => field).join(', ')
    throw new ApiError(400, `Invalid query parameters: ${names}.`, { details })
  }
  if (!hasRows(target.resource)) return parameters
  const { include } = parameters
  const known: readonly string[] = includesOf(operation)
  return {
    ...parameters,
    // `include=posts` adds nothing to posts.
    include: include.filter((name) => name !== 'posts' && known.includes(name)),
    targets: include.filter((name) => !known.includes(name)),
  }
}

/** Dates are sorted newest first, other values ascending. For `own`, `desc` is the order of the collection's files. */
function orderOfItems(
  { order, orderBy = 'own' }: Partial<Parameters>,
  ownOrder: PostOrder['order'] = 'asc',
): Pick<Parameters, 'order' | 'orderBy'> {
  if (orderBy !== 'own') return { orderBy, order: order ?? (/At$/.test(orderBy) ? 'desc' : 'asc') }
  return { orderBy, order: order === undefined || order === ownOrder ? 'desc' : 'asc' }
}

/** Returns the errors of parameters whose values do not fit together. */
function conflictsIn({ limit, include, match, query }: Parameters): readonly FieldError[] {
  const problems: FieldError[] = []
  // A page bounds the texts that are read for `matches`.
  if (limit === 'all' && include.includes('matches'))
    problems.push({ field: 'limit', message: `must be at most ${limitMax} with include=matches` })
  // Each word is a separate search.
  if (match === 'words' && query.split(/\s+/u).length > wordsMax)
    problems.push({ field: 'query', message: `must have at most ${wordsMax} words` })
  return problems
}

/** Maximum number of words of a search with `match=words`. */
const wordsMax = 16

/** Parses filters by custom fields, in order of declaration. @param problems collects errors */
function parseFields(
  fields: readonly IndexedField[],
  pairs: Pairs,
  problems: FieldError[],
): readonly FieldFilter[] {
  const given = new Set(pairs.flatMap(([name, value]) => (value === '' ? [] : name)))
  const declared = fieldParameters(fields)
  const known = declared.map(({ name }) => name)
  for (const field of given)
    if (field.startsWith(fieldPrefix) && !known.includes(field))
      problems.push({ field, message: unknownField(field, known) })
  return declared.flatMap(({ name, field, operator, type }) => {
    const values = parseParameter(name, type, pairs, problems) ?? []
    return values.length === 0 ? [] : [{ name: field, operator, values }]
  })
}

function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a filter: this workspace has no field with `index: true`'
  const [field = ''] = name.split('[', 1)
  const own = known.filter((one) => one === field || one.startsWith(`${field}[`))
  if (own.length > 0) return `must be ${own.join(', ')}`
  return `must be ${known.slice(0, 20).join(', ')}; other fields need \`index: true\``
}

/** Reports whether `include` has `posts`, even beside unknown values. Only then does a single resource have pages. */
function includesPosts(pairs: Pairs): boolean {
  const includes = pairs.flatMap(([name, value]) => (name === 'include' ? (value ?? '') : []))
  return splitItems(includes).includes('posts')
}

/** Parses the values of a parameter. @returns undefined if it is absent or wrong @param problems collects errors */
function parseParameter<T>(
  field: string,
  { isList, parse }: ValueType<T>,
  pairs: Pairs,
  problems: FieldError[],
): T | undefined {
  const given = pairs.flatMap(([name, value]) => (name === field && value !== '' ? [value] : []))
  if (given.length === 0) return undefined
  const values = given.filter((value) => value !== null)
  try {
    if (values.length < given.length) throw new InvalidValue('must be percent-encoded UTF-8')
    if (!isList && new Set(values).size > 1)
      throw new InvalidValue('is given more than once with different values')
    return parse(isList ? values : values.slice(0, 1))
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error
    problems.push({ field, message: error.message })
    return undefined
  }
}
