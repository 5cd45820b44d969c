// The query string parser.
import { ApiError, type FieldError } from './errors.ts'
import {
  type FieldFilter,
  fieldParameters,
  fieldPrefix,
  type IndexedField,
} from './field-parameters.ts'
import { type OperationTarget, operationOf, parametersOf, typeOf } from './parameter-table.ts'
import { bad, limitMax, type Outcome, splitItems, type ValueType } from './parameter-values.ts'
import { defaultParameters, type Parameters, type Target } from './request.ts'

/** The operation whose parameters are parsed. */
export interface ParameterTarget extends Target {
  /** False if `limit=all` is disabled. @default true */
  readonly limitAll?: boolean
  /** Custom fields that posts can be filtered by. @default none */
  readonly fields?: readonly IndexedField[] | undefined
}

/** Names that advertisements and caches add to URLs: never meant as parameters. */
const tracking =
  /^(?:utm_.*|_|_ga|_gl|dclid|fbclid|gbraid|gclid|gclsrc|mc_[ce]id|msclkid|ttclid|twclid|wbraid|yclid)$/

/**
 * Returns the names that are not parameters of an operation, without duplicates, in the order of the query. Tracking
 * names are left out.
 *
 * @param pairs decoded names and values
 */
export function ignoredParameters(
  target: OperationTarget,
  pairs: readonly (readonly [name: string, value: string | null])[],
): readonly string[] {
  const accepted: readonly string[] = parametersOf(target)
  const names = new Set(pairs.map(([name]) => name))
  const isTaken = (name: string) =>
    accepted.includes(name) || (takesFields(target) && name.startsWith(fieldPrefix))
  return [...names].filter((name) => !isTaken(name) && !tracking.test(name))
}

/** Post lists take the name of any field: a field that is not indexed is an error, so that no filter is ignored. */
function takesFields(target: OperationTarget): boolean {
  return operationOf(target) === 'posts'
}

/**
 * Parses the pairs of a query string.
 *
 * @param pairs decoded names and values, in order; null for a value that could not be decoded
 * @throws ApiError 400 that lists every bad parameter
 */
export function parseParameters(
  target: ParameterTarget,
  pairs: readonly (readonly [name: string, value: string | null])[],
): Parameters {
  const problems: FieldError[] = []
  const values: Record<string, unknown> = {}
  const operation = operationOf(target)
  const hasPages = target.identifier === null || namesPosts(pairs)
  for (const name of parametersOf(target)) {
    if (!hasPages && (name === 'limit' || name === 'page')) continue
    const texts = pairs.filter((pair) => pair[0] === name && pair[1] !== '').map((pair) => pair[1])
    if (texts.length === 0) continue
    const outcome = parseOne(typeOf(name, operation, target.limitAll), texts)
    if (outcome.ok) values[name] = outcome.value
    else problems.push({ field: name, message: outcome.message })
  }
  values['fields'] = parseFields(target, pairs, problems)
  problems.push(...tooMuchWork(values))
  const { strict, ...rest } = values
  if (strict === true) problems.push(...ignoredParameters(target, pairs).map(unknownParameter))
  if (problems.length > 0) throw badParameters(problems)
  const parameters: Parameters = { ...defaultParameters, ...rest }
  return target.resource === 'posts' ? withoutPosts(parameters) : parameters
}

/** A page bounds the texts that are read for `matches`. */
function tooMuchWork({ limit, include = [] }: Partial<Parameters>): readonly FieldError[] {
  return limit === 'all' && include.includes('matches')
    ? [{ field: 'limit', message: `must be at most ${limitMax} with include=matches` }]
    : []
}

/** Parses filters by custom fields, in order of declaration. @param problems collects errors */
function parseFields(
  target: ParameterTarget,
  pairs: readonly (readonly [name: string, value: string | null])[],
  problems: FieldError[],
): readonly FieldFilter[] {
  const filters = pairs.filter(([name, value]) => name.startsWith(fieldPrefix) && value !== '')
  if (filters.length === 0 || !takesFields(target)) return []
  const declared = fieldParameters(target.fields ?? [])
  const unknown = filters
    .map(([name]) => name)
    .filter((name) => !declared.some((one) => one.name === name))
  for (const field of new Set(unknown)) {
    problems.push({
      field,
      message: unknownField(
        field,
        declared.map(({ name }) => name),
      ),
    })
  }
  return declared.flatMap(({ name, field, operator, type }): readonly FieldFilter[] => {
    const values = filters.filter((pair) => pair[0] === name).map((pair) => pair[1])
    if (values.length === 0) return []
    const outcome = parseOne(type, values)
    if (outcome.ok && outcome.value.length > 0)
      return [{ name: field, operator, values: outcome.value }]
    if (!outcome.ok) problems.push({ field: name, message: outcome.message })
    return []
  })
}

function unknownField(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a filter: this workspace has no field with `index: true`'
  const [field = ''] = name.split('[', 1)
  const own = known.filter((one) => one === field || one.startsWith(`${field}[`))
  return `must be ${(own.length === 0 ? known : own).slice(0, 20).join(', ')}`
}

/** Drops `include=posts` for posts, where it adds nothing. */
function withoutPosts(parameters: Parameters): Parameters {
  const { include } = parameters
  return { ...parameters, include: include.filter((name) => name !== 'posts') }
}

/**
 * Reports whether `include` contains `posts`, even next to an unknown value: only then does a single resource have
 * pages.
 */
function namesPosts(pairs: readonly (readonly [string, string | null])[]): boolean {
  const includes = pairs.flatMap(([name, value]) => (name === 'include' ? (value ?? '') : []))
  return splitItems(includes).includes('posts')
}

function unknownParameter(field: string): FieldError {
  return { field, message: 'is not a parameter of this operation' }
}

function badParameters(problems: readonly FieldError[]): ApiError {
  const names = problems.map((problem) => problem.field).join(', ')
  return new ApiError(400, `Invalid query parameters: ${names}.`, { details: problems })
}

function parseOne<T>(
  { isList, parse }: ValueType<T>,
  given: readonly (string | null)[],
): Outcome<T> {
  const values = given.filter((value) => value !== null)
  if (values.length < given.length) return bad('must be percent-encoded UTF-8')
  if (!isList && new Set(values).size > 1) {
    return bad('is given more than once with different values')
  }
  return parse(isList ? values : values.slice(0, 1))
}
