// The query parameters: one declaration for each, from which parsing, the OpenAPI document, the page of the API and the
// documentation follow.
import type { MediaType } from './assets.ts'
import { isDocumentKind } from './documents.ts'
import {
  choice,
  choices,
  date,
  flag,
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
import { postKeys } from './resources.ts'
import type { OrderBy } from './snapshot.ts'

/** The names of parameters in a query string. */
export type ParameterName = keyof Parameters | 'strict'

/** Operations, as far as parameters distinguish them: those of the vendor's SDKs have posts and assets of their own. */
export type OperationKind =
  | 'posts'
  | 'post'
  | 'terms'
  | 'term'
  | 'sdk posts'
  | 'sdk post'
  | 'media'
  | 'asset'
  | 'document'

/** The part of a target that decides which parameters it takes. */
export type OperationTarget = Pick<Target, 'resource' | 'identifier' | 'isSdk'>

/** The declaration of one parameter. */
export interface ParameterDeclaration<T> {
  /** The operations that take it. */
  readonly on: readonly OperationKind[]
  /** Its effect, for people. */
  readonly description: string
  /** The values that it has, some of them by the operation. */
  readonly type: ValueType<T> | ((operation: OperationKind, limitAll: boolean) => ValueType<T>)
}

type ParameterTable = { readonly [Name in keyof Parameters]: ParameterDeclaration<unknown> } & {
  readonly strict: ParameterDeclaration<boolean>
}

const orderings: readonly OrderBy[] = ['publishedAt', 'updatedAt', 'title']
export const orders = ['asc', 'desc'] as const
export const statuses: readonly PostStatus[] = ['published', 'draft', 'all']
export const mediaTypes: readonly MediaType[] = ['image', 'video', 'audio', 'document']

const everyOperation: readonly OperationKind[] = [
  ...['posts', 'post', 'terms', 'term', 'sdk posts', 'sdk post', 'media', 'asset', 'document'],
] as const
const postLists: readonly OperationKind[] = ['posts', 'sdk posts']
const lists: readonly OperationKind[] = [...postLists, 'terms', 'term', 'media']

/** The values of `include`: the operations that take each, and what it adds to a response. */
export const includeTable: Readonly<
  Record<IncludeName, { readonly on: readonly OperationKind[]; readonly description: string }>
> = {
  posts: {
    on: ['terms', 'term', 'posts', 'post'],
    description: 'the posts of a category, a tag or an author; nothing on posts',
  },
  facets: {
    on: ['posts'],
    description: 'how many of the posts have each category, tag and author',
  },
  matches: {
    on: ['posts'],
    description: 'with `query`, the parts of each post that the text is in',
  },
  neighbours: { on: ['post'], description: 'the previous and the next post by publication' },
  related: { on: ['post'], description: 'five posts that share most tags and the category' },
}

/** Every parameter, in the order of the documentation. */
export const parameterTable: ParameterTable = {
  limit: {
    on: lists,
    description: 'Items per page. On post lists also `all`, which gives everything on one page.',
    type: (operation, limitAll) => {
      if (!postLists.includes(operation)) return pageLimit
      return limitAll ? limitOrAll : limitWithoutAll
    },
  },
  page: { on: lists, description: 'Number of the page, from 1.', type: pageNumber },
  order: {
    on: [...postLists, 'media'],
    description: 'Newest first (`desc`) or oldest first (`asc`).',
    type: choice(orders),
  },
  orderBy: {
    on: ['posts'],
    description: 'Order of posts: by publication, by update or by title.',
    type: choice(orderings),
  },
  categories: {
    on: postLists,
    description: 'Only posts in any of these categories: slugs.',
    type: names,
  },
  excludeCategories: {
    on: postLists,
    description: 'No posts in any of these categories: slugs.',
    type: names,
  },
  tags: {
    on: postLists,
    description: 'Only posts with at least one of these tags: slugs.',
    type: names,
  },
  excludeTags: {
    on: postLists,
    description: 'No posts with any of these tags: slugs.',
    type: names,
  },
  authors: {
    on: ['posts'],
    description: 'Only posts by at least one of these authors: slugs.',
    type: names,
  },
  excludeAuthors: {
    on: ['posts'],
    description: 'No posts by any of these authors: slugs.',
    type: names,
  },
  publishedAfter: {
    on: ['posts'],
    description: 'Only posts that were published from then on.',
    type: date,
  },
  publishedBefore: {
    on: ['posts'],
    description: 'Only posts that were published before.',
    type: date,
  },
  updatedAfter: {
    on: ['posts'],
    description: 'Only posts that were updated from then on.',
    type: date,
  },
  updatedBefore: {
    on: ['posts'],
    description: 'Only posts that were updated before.',
    type: date,
  },
  slugs: { on: ['posts'], description: 'Only the posts with these slugs.', type: names },
  ids: { on: ['posts'], description: 'Only the posts with these ids.', type: names },
  query: {
    on: [...postLists, 'media'],
    description:
      'Only posts with this text in the title or the visible text, without regard to case and accents.',
    type: searchText,
  },
  format: {
    on: [...postLists, 'post', 'sdk post'],
    description: 'Format of `content`.',
    type: choice(formats),
  },
  excludeContent: {
    on: postLists,
    description: '`true` leaves `content` out of each post.',
    type: flag,
  },
  select: {
    on: ['posts', 'post'],
    description: 'Only these keys of each post, and `id`; the schema is that of the whole post.',
    type: choices(postKeys),
  },
  featured: {
    on: postLists,
    description: 'Only posts that are, or are not, featured.',
    type: flag,
  },
  include: {
    on: ['posts', 'post', 'terms', 'term'],
    description: 'Adds to the response:',
    type: (operation) => choices(includedOn(operation)),
  },
  strict: {
    on: everyOperation,
    description: '`true` makes an unknown parameter a 400.',
    type: flag,
  },
  status: {
    on: ['sdk posts', 'sdk post'],
    description: 'Only published posts are served.',
    type: choice(statuses),
  },
  type: { on: ['media'], description: 'Only media files of this type.', type: choice(mediaTypes) },
}

/** The operation of a target. */
export function operationOf({ resource, identifier, isSdk }: OperationTarget): OperationKind {
  const isList = identifier === null
  if (resource === 'media' && isList) return 'media'
  if (resource === 'media' || resource === 'fields') return 'asset'
  if (isDocumentKind(resource)) return 'document'
  if (resource !== 'posts') return isList ? 'terms' : 'term'
  const kind = isList ? 'posts' : 'post'
  return isSdk === true ? `sdk ${kind}` : kind
}

/** The parameters that an operation takes, in the order of the documentation; all others are ignored. */
export function parametersOf(target: OperationTarget): readonly ParameterName[] {
  const operation = operationOf(target)
  const all = Object.keys(parameterTable) as ParameterName[]
  return all.filter((name) => parameterTable[name].on.includes(operation))
}

/** The type of a parameter's values. @param limitAll false where `limit=all` is switched off */
export function typeOf(
  name: ParameterName,
  operation: OperationKind,
  limitAll = true,
): ValueType<unknown> {
  const { type } = parameterTable[name]
  return typeof type === 'function' ? type(operation, limitAll) : type
}

/** The values of `include` that an operation takes. */
export function includedOn(operation: OperationKind): readonly IncludeName[] {
  const all = Object.keys(includeTable) as IncludeName[]
  return all.filter((name) => includeTable[name].on.includes(operation))
}
