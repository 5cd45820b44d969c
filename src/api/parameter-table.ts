// Query parameters: one declaration each, from which the parser, the OpenAPI document, the explorer and the
// documentation follow. Their descriptions are in `openapi.ts`.
import { type DocumentOperation, documentTable, isDocumentKind } from './documents.ts'
import {
  choice,
  choices,
  date,
  flag,
  type IndexedField,
  isSortable,
  limitOrAll,
  limitWithoutAll,
  names,
  pageLimit,
  pageNumber,
  searchText,
  type ValueType,
} from './parameter-values.ts'
import {
  formats,
  type IncludeName,
  type Parameters,
  type PostStatus,
  type Target,
} from './request.ts'
import { itemKeys, postKeys } from './resources.ts'
import type { MediaType, OrderBy } from './snapshot.ts'

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
  /** Its value in a request that does not name it. */
  readonly usual?: unknown
  /** Only operations with a key take it. @default false */
  readonly needsKey?: true
  /** Type of its values, which may depend on the operation. */
  readonly type:
    | ValueType<unknown>
    | ((
        operation: OperationKind,
        limitAll: boolean,
        fields?: readonly IndexedField[],
      ) => ValueType<unknown>)
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

/** Orders by fields: those of a workspace, or of any workspace. */
function orderByOf(fields: readonly IndexedField[] | undefined): ValueType<unknown> {
  const ordered = (fields ?? []).filter(({ type }) => isSortable(type))
  const type = choice([...orderings, ...ordered.map(({ name }) => `fields.${name}`)])
  const anyOf = [{ enum: orderings }, { pattern: '^fields\\.[A-Za-z][\\w-]*$' }]
  return fields === undefined ? { ...type, schema: { type: 'string', anyOf } } : type
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
    type: (operation, limitAll) => {
      if (!contentLists.includes(operation)) return pageLimit
      return limitAll ? limitOrAll : limitWithoutAll
    },
  },
  page: { on: [...lists, 'sitemap'], type: pageNumber, usual: 1 },
  order: { on: [...contentLists, 'media'], type: choice(['asc', 'desc']), usual: 'desc' },
  orderBy: { on: rowLists, type: (_, __, fields) => orderByOf(fields), usual: 'publishedAt' },
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
    type: (operation) => choices(operation.startsWith('item') ? itemKeys : postKeys),
  },
  featured: { on: postLists, type: flag, usual: null },
  include: {
    on: [...rowLists, 'post', 'item', 'terms', 'term'],
    usual: [],
    type: (operation) => choices(includedOn(operation)),
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

/** Returns the value type of a parameter. @param fields by which posts can be ordered. @default those of no workspace */
export function typeOf(
  name: ParameterName,
  operation: OperationKind,
  limitAll = true,
  fields?: readonly IndexedField[],
): ValueType<unknown> {
  const { type } = parameterTable[name]
  return typeof type === 'function' ? type(operation, limitAll, fields) : type
}

/** Returns the values of `include` that an operation takes. */
export function includedOn(operation: OperationKind): readonly IncludeName[] {
  const all = Object.keys(includeTable) as IncludeName[]
  return all.filter((name) => includeTable[name].includes(operation))
}
