// The query string parser.
import { ApiError, type FieldError } from './errors.ts'
import {
  defaultParameters,
  includedOn,
  type OperationTarget,
  operationOf,
  type ParameterName,
  parametersOf,
  typeOf,
} from './parameter-table.ts'
import {
  choices,
  type FieldFilter,
  fieldParameters,
  fieldPrefix,
  type IndexedField,
  InvalidValue,
  limitMax,
  type Reference,
  splitItems,
  type ValueType,
} from './parameter-values.ts'
import { hasRows, type Parameters, type Target } from './request.ts'
import { itemKeys, languageKeys, postKeys } from './resources.ts'
import type { Pairs } from './routes.ts'
import type { PostOrder } from './snapshot.ts'

/** The operation whose parameters are parsed. */
export interface ParameterTarget extends Target {
  /** False if `limit=all` is disabled. @default true */
  readonly limitAll?: boolean
  /** Custom fields that posts or items can be filtered by. @default none */
  readonly fields?: readonly IndexedField[] | undefined
  /** Fields that refer to other resources. @default none */
  readonly references?: readonly Reference[] | undefined
  /** Language of the workspace. @default none */
  readonly locale?: string | undefined
  /** Direction of a collection's own order. @default asc */
  readonly ownOrder?: PostOrder['order'] | undefined
}

/** Names that advertisements and caches add to URLs: never meant as parameters. */
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

/** Such lists take the name of any field: a field that is not indexed is an error, so that no filter is ignored. */
function takesFields(target: OperationTarget): boolean {
  return ['posts', 'items'].includes(operationOf(target))
}

/** @throws ApiError 400 that lists every bad parameter */
export function parseParameters(target: ParameterTarget, pairs: Pairs): Parameters {
  const problems: FieldError[] = []
  const values: Record<string, unknown> = {}
  const operation = operationOf(target)
  const { fields = [] } = target
  const hasPages = target.identifier === null || namesPosts(pairs)
  for (const name of parametersOf(target)) {
    if (!hasPages && (name === 'limit' || name === 'page')) continue
    const type = ownType(name, target) ?? typeOf(name, operation, target.limitAll, fields)
    const value = parseOne(name, type, pairs, problems)
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
  const known: readonly string[] = includedOn(operation)
  return {
    ...parameters,
    // `include=posts` adds nothing to posts.
    include: include.filter((name) => name !== 'posts' && known.includes(name)),
    targets: include.filter((name) => !known.includes(name)),
  }
}

/** The values of `include` and `select`, with those that the fields and the language of a workspace add. */
function ownType(name: ParameterName, target: ParameterTarget): ValueType<unknown> | undefined {
  const { references = [], locale, resource } = target
  if (name === 'include')
    return choices([...includedOn(operationOf(target)), ...references.map((field) => field.name)])
  if (name !== 'select' || locale === undefined) return undefined
  return choices([...(resource === 'items' ? itemKeys : postKeys), ...languageKeys])
}

/** Dates are newest first, everything else ascending. In a collection's own order, `desc` is the order of its files. */
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
  // Each word is a search of its own.
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
    const values = parseOne(name, type, pairs, problems) ?? []
    return values.length === 0 ? [] : [{ name: field, operator, values }]
  })
}

function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a filter: this workspace has no field with `index: true`'
  const [field = ''] = name.split('[', 1)
  const own = known.filter((one) => one === field || one.startsWith(`${field}[`))
  return `must be ${(own.length === 0 ? known : own).slice(0, 20).join(', ')}`
}

/** Even next to an unknown value: only with `posts` does a single resource have pages. */
function namesPosts(pairs: Pairs): boolean {
  const includes = pairs.flatMap(([name, value]) => (name === 'include' ? (value ?? '') : []))
  return splitItems(includes).includes('posts')
}

/** Parses the values of a parameter. @returns undefined if it is absent or wrong @param problems collects errors */
function parseOne<T>(
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

/** Work that is known before it is done. Absent kinds are 0. */
export interface Work {
  /** Posts that are listed, or read for a feed, a sitemap or a list for language models. */
  readonly posts?: number
  /** Bytes of HTML that are read and searched for `matches`. */
  readonly searched?: number
  /** Bytes of the body. */
  readonly body?: number
}

/** The work of one request, by kind: at most 10 ms of processor time each (`npm run bench:hostile` measures it). */
const paid: Required<Work> = { posts: limitMax, searched: 32 * 1024, body: 256 * 1024 }

/** Returns the number of requests that the work counts as, at least 1: the kind that counts most decides. */
export function requestsOf({ posts = 0, searched = 0, body = 0 }: Work): number {
  const shares = [posts / paid.posts, searched / paid.searched, body / paid.body]
  return Math.max(1, ...shares.map(Math.ceil))
}

/** Maps values in order. After each 64 KiB of work, the event loop turns, so that other requests wait for no more. */
export async function mapInTurns<T, R>(
  values: Iterable<T>,
  bytesOf: (value: T) => number,
  map: (value: T) => R | PromiseLike<R>,
): Promise<R[]> {
  const results: R[] = []
  let group: (R | PromiseLike<R>)[] = []
  let bytes = 0
  for (const value of values) {
    group.push(map(value))
    bytes += bytesOf(value)
    if (bytes < turnBytes) continue
    results.push(...(await Promise.all(group)))
    await nextTurn()
    group = []
    bytes = 0
  }
  return results.concat(await Promise.all(group))
}

/** The work after which the event loop turns, and the size of a piece of a body, in bytes. */
export const turnBytes: number = 64 * 1024

/** The work of reading a post without its content, in bytes. */
export const postBytes = 1024

/** Resolves after other events had their turn. */
function nextTurn(): Promise<void> {
  const { setImmediate: defer = setTimeout } = globalThis as {
    readonly setImmediate?: (run: () => void) => unknown
  }
  return new Promise((resolve) => void defer(resolve))
}
