// The query parameters: one table that says what each accepts, and the parser that reads it.
import type { MediaType } from './assets.ts'
import { ApiError, type FieldError } from './errors.ts'
import { defaultParameters, type Parameters, type PostStatus, type Target } from './request.ts'

/** The names that are in a query string. */
export type ParameterName = Exclude<keyof Parameters, 'includePosts'> | 'include' | 'strict'

/** The operation that parameters are read for. */
export interface ParameterTarget extends Target {
  /** False where `limit=all` is switched off. @default true */
  readonly limitAll?: boolean
}

/** What one parameter accepts. */
export interface ParameterRule<T> {
  /** Repeats add up; otherwise two different values are an error. */
  readonly isList: boolean
  /** @param values non-empty texts, as they were given; exactly one unless `isList` */
  readonly parse: (values: readonly string[], target: ParameterTarget) => Outcome<T>
}

/** A parameter's value, or what it must be instead. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

/** Items of a comma list at most. */
export const listItemsMax = 100
/** Characters of a search text at most, counted as code points. */
export const queryCharactersMax = 256
/** The largest page size. */
export const limitMax = 100
/** What `order`, `format` and flags may be. */
export const orders = ['asc', 'desc'] as const
export const formats = ['html', 'markdown'] as const
const flagValues = ['true', 'false'] as const
export const statuses: readonly PostStatus[] = ['published', 'draft', 'all']
export const mediaTypes: readonly MediaType[] = ['image', 'video', 'audio', 'document']

const slugs: ParameterRule<readonly string[]> = { isList: true, parse: parseSlugs }
const flag: ParameterRule<boolean> = { isList: false, parse: parseFlag }

/** Every parameter, in the order of the documentation. */
export const parameterTable: Readonly<Record<ParameterName, ParameterRule<unknown>>> = {
  limit: { isList: false, parse: parseLimit },
  page: { isList: false, parse: parsePage },
  order: { isList: false, parse: ([value]) => oneOf(orders, value) },
  categories: slugs,
  excludeCategories: slugs,
  tags: slugs,
  excludeTags: slugs,
  query: { isList: false, parse: parseQuery },
  format: { isList: false, parse: ([value]) => oneOf(formats, value) },
  excludeContent: flag,
  featured: flag,
  include: { isList: true, parse: parseInclude },
  strict: flag,
  status: { isList: false, parse: ([value]) => oneOf(statuses, value) },
  type: { isList: false, parse: ([value]) => oneOf(mediaTypes, value) },
}

const postListParameters: readonly ParameterName[] = [
  'limit',
  'page',
  'order',
  'categories',
  'excludeCategories',
  'tags',
  'excludeTags',
  'query',
  'format',
  'excludeContent',
  'featured',
  'strict',
]

const mediaListParameters: readonly ParameterName[] = [
  'limit',
  'page',
  'order',
  'query',
  'type',
  'strict',
]

/** The parameters that an operation takes; all others are ignored. */
export function parametersOf({
  resource,
  identifier,
  isSdk,
}: Pick<Target, 'resource' | 'identifier' | 'isSdk'>): readonly ParameterName[] {
  if (resource === 'media' && identifier === null) return mediaListParameters
  if (resource === 'media' || resource === 'fields') return ['strict']
  if (resource !== 'posts') return ['include', 'limit', 'page', 'strict']
  const names: readonly ParameterName[] =
    identifier === null ? postListParameters : ['format', 'strict']
  return isSdk ? [...names, 'status'] : names
}

/** Names that advertisements and caches add to addresses: nobody mistakes them for parameters. */
const tracking =
  /^(?:utm_.*|_|_ga|_gl|dclid|fbclid|gbraid|gclid|gclsrc|mc_[ce]id|msclkid|ttclid|twclid|wbraid|yclid)$/

/**
 * The given names that are no parameters of an operation, each once, in the order of the query. Names that are there for
 * tracking are left out.
 *
 * @param pairs decoded names and values
 */
export function ignoredParameters(
  target: Pick<Target, 'resource' | 'identifier' | 'isSdk'>,
  pairs: readonly (readonly [name: string, value: string | null])[],
): readonly string[] {
  const taken: readonly string[] = parametersOf(target)
  const names = new Set(pairs.map(([name]) => name))
  return [...names].filter((name) => !taken.includes(name) && !tracking.test(name))
}

/**
 * Reads a query string's pairs.
 *
 * @param pairs decoded names and values, in order; a value of `null` could not be decoded
 * @throws ApiError 400 that lists every bad parameter
 */
export function parseParameters(
  target: ParameterTarget,
  pairs: readonly (readonly [name: string, value: string | null])[],
): Parameters {
  const problems: FieldError[] = []
  const values: Record<string, unknown> = {}
  const hasPages = target.identifier === null || namesPosts(pairs)
  for (const name of parametersOf(target)) {
    if (!hasPages && (name === 'limit' || name === 'page')) continue
    const given = pairs.filter((pair) => pair[0] === name && pair[1] !== '').map((pair) => pair[1])
    if (given.length === 0) continue
    const outcome = parseOne(parameterTable[name], given, target)
    if (outcome.ok) values[name] = outcome.value
    else problems.push({ field: name, message: outcome.message })
  }
  const { include, strict, ...rest } = values
  if (strict === true) problems.push(...ignoredParameters(target, pairs).map(unknownParameter))
  if (problems.length > 0) throw badParameters(problems)
  return { ...defaultParameters, ...rest, includePosts: include === true }
}

/** True when `include` names the posts, be it next to something unknown: only then a single resource has pages. */
function namesPosts(pairs: readonly (readonly [string, string | null])[]): boolean {
  const given = pairs.flatMap(([name, value]) => (name === 'include' ? (value ?? '') : []))
  return splitItems(given).includes('posts')
}

function unknownParameter(field: string): FieldError {
  return { field, message: 'is not a parameter of this operation' }
}

function badParameters(problems: readonly FieldError[]): ApiError {
  const names = problems.map((problem) => problem.field).join(', ')
  return new ApiError(400, `Invalid query parameters: ${names}.`, { details: problems })
}

function parseOne(
  rule: ParameterRule<unknown>,
  given: readonly (string | null)[],
  target: ParameterTarget,
): Outcome<unknown> {
  const values = given.filter((value) => value !== null)
  if (values.length < given.length) return bad('must be percent-encoded UTF-8')
  if (!rule.isList && new Set(values).size > 1) {
    return bad('is given more than once with different values')
  }
  return rule.parse(rule.isList ? values : values.slice(0, 1), target)
}

function parseLimit(
  [value = '']: readonly string[],
  { resource, identifier, limitAll = true }: ParameterTarget,
): Outcome<number | 'all'> {
  const isPostList = resource === 'posts' && identifier === null
  if (value === 'all' && isPostList && limitAll) return { ok: true, value: 'all' }
  const limit = parseDigits(value)
  if (limit >= 1 && limit <= limitMax) return { ok: true, value: limit }
  const more = limitAll ? ', or "all"' : ': "all" is switched off here'
  return bad(`must be an integer from 1 to ${limitMax}${isPostList ? more : ''}`)
}

function parsePage([value = '']: readonly string[]): Outcome<number> {
  const page = parseDigits(value)
  if (page >= 1 && Number.isSafeInteger(page)) return { ok: true, value: page }
  return bad('must be an integer from 1')
}

/** @returns NaN for anything but ASCII digits */
function parseDigits(value: string): number {
  return /^[0-9]+$/.test(value) ? Number(value) : Number.NaN
}

function parseQuery([value = '']: readonly string[]): Outcome<string> {
  const text = value.trim()
  // A string has at least half as many code points as code units: long ones are not counted.
  const isLong = text.length > 2 * queryCharactersMax || [...text].length > queryCharactersMax
  return isLong
    ? bad(`must be at most ${queryCharactersMax} characters long`)
    : { ok: true, value: text }
}

function parseInclude(values: readonly string[]): Outcome<boolean> {
  const items = splitItems(values)
  if (items.some((item) => item !== 'posts')) return bad('must be "posts"')
  return { ok: true, value: items.length > 0 }
}

function parseSlugs(values: readonly string[]): Outcome<readonly string[]> {
  const items = splitItems(values)
  if (items.length > listItemsMax) return bad(`must have at most ${listItemsMax} values`)
  return { ok: true, value: [...new Set(items)].sort() }
}

function splitItems(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function parseFlag([value]: readonly string[]): Outcome<boolean> {
  const outcome = oneOf(flagValues, value)
  return outcome.ok ? { ok: true, value: outcome.value === 'true' } : outcome
}

function oneOf<T extends string>(allowed: readonly T[], value: string | undefined): Outcome<T> {
  const found = allowed.find((item) => item === value)
  if (found !== undefined) return { ok: true, value: found }
  return bad(`must be ${allowed.map((item) => `"${item}"`).join(' or ')}`)
}

function bad(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}
