// Value types of query parameters: their parsers and JSON Schemas.
import { datePattern, parseDate } from './dates.ts'

/** A type of parameter values. */
export interface ValueType<T> {
  /** Repeats are concatenated; otherwise two different values are an error. */
  readonly isList: boolean
  /** @param values non-empty texts, as given; exactly one unless `isList` */
  readonly parse: (values: readonly string[]) => Outcome<T>
  /** JSON Schema of the value. */
  readonly schema: object
}

/** A parsed value, or what it must be instead. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

/** Maximum number of items in a comma-separated list. */
export const listItemsMax = 100
/** Maximum length of a search text in code points. */
export const queryCharactersMax = 256
/** Maximum page size. */
export const limitMax = 100

const pageSize = { type: 'integer', minimum: 1, maximum: limitMax }

/** Items per page, for operations without `all`. */
export const pageLimit: ValueType<number | 'all'> = single(
  ([value = '']) => parseLimit(value, ''),
  pageSize,
)

/** Items per page, or `all`. */
export const limitOrAll: ValueType<number | 'all'> = single(
  ([value = '']) => (value === 'all' ? { ok: true, value } : parseLimit(value, ', or "all"')),
  { anyOf: [pageSize, { type: 'string', const: 'all' }] },
)

/** Items per page, if `limit=all` is disabled. */
export const limitWithoutAll: ValueType<number | 'all'> = single(
  ([value = '']) => parseLimit(value, ': "all" is switched off here'),
  pageSize,
)

/** A page number. */
export const pageNumber: ValueType<number> = single(
  ([value = '']) => {
    const page = parseDigits(value)
    if (page >= 1 && Number.isSafeInteger(page)) return { ok: true, value: page }
    return bad('must be an integer from 1')
  },
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
)

/** Trimmed text. */
export const searchText: ValueType<string> = single(
  ([value = '']) => {
    const text = value.trim()
    // A string has at least half as many code points as code units, so long ones need no count.
    const isLong = text.length > 2 * queryCharactersMax || [...text].length > queryCharactersMax
    return isLong
      ? bad(`must be at most ${queryCharactersMax} characters long`)
      : { ok: true, value: text }
  },
  { type: 'string', maxLength: queryCharactersMax },
)

/** A date in the format of front matter, as milliseconds since 1970. */
export const date: ValueType<number> = single(
  ([value = '']) => {
    const parsed = parseDate(value)
    if (parsed !== null) return { ok: true, value: Date.parse(parsed) }
    const hint = value.includes(' ') ? '; write "+" as %2B' : ''
    return bad(`must be a date, such as 2026-03-04 or 2026-03-04T09:30:00Z${hint}`)
  },
  {
    type: 'string',
    pattern: datePattern,
    description: 'a date, such as `2026-03-04` or `2026-03-04T09:30:00Z`',
  },
)

/** `true` or `false`. */
export const flag: ValueType<boolean> = single(
  (values) => {
    const outcome = choice(['true', 'false']).parse(values)
    return outcome.ok ? { ok: true, value: outcome.value === 'true' } : outcome
  },
  { type: 'boolean' },
)

/** Names in code unit order, without duplicates. */
export const names: ValueType<readonly string[]> = {
  isList: true,
  parse: (values) => {
    const items = splitItems(values)
    if (items.length > listItemsMax) return bad(`must have at most ${listItemsMax} values`)
    return { ok: true, value: [...new Set(items)].sort() }
  },
  schema: { type: 'array', items: { type: 'string' }, maxItems: listItemsMax },
}

/** One of the allowed words. */
export function choice<const T extends string>(allowed: readonly T[]): ValueType<T> {
  return single(
    ([value]) => {
      const found = allowed.find((item) => item === value)
      if (found !== undefined) return { ok: true, value: found }
      return bad(`must be ${oneOf(allowed)}`)
    },
    { type: 'string', enum: allowed },
  )
}

/** Some of the allowed words, in the order of `allowed`, without duplicates. */
export function choices<const T extends string>(allowed: readonly T[]): ValueType<readonly T[]> {
  return {
    isList: true,
    parse: (values) => {
      const items = splitItems(values)
      const unknown = items.find((item) => !(allowed as readonly string[]).includes(item))
      if (unknown === undefined)
        return { ok: true, value: allowed.filter((item) => items.includes(item)) }
      return bad(`must be ${oneOf(allowed)}, not ${JSON.stringify(unknown)}`)
    },
    schema: { type: 'array', items: { type: 'string', enum: allowed } },
  }
}

/** Splits comma-separated lists into trimmed, non-empty items. */
export function splitItems(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** Returns a rejection. */
export function bad(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}

function single<T>(parse: ValueType<T>['parse'], schema: object): ValueType<T> {
  return { isList: false, parse, schema }
}

function parseLimit(value: string, more: string): Outcome<number | 'all'> {
  const limit = parseDigits(value)
  if (limit >= 1 && limit <= limitMax) return { ok: true, value: limit }
  return bad(`must be an integer from 1 to ${limitMax}${more}`)
}

/** @returns NaN for anything but ASCII digits */
function parseDigits(value: string): number {
  return /^[0-9]+$/.test(value) ? Number(value) : Number.NaN
}

/** `"a", "b" or "c"` */
function oneOf(allowed: readonly string[]): string {
  const quoted = allowed.map((item) => `"${item}"`)
  const last = quoted.pop() ?? ''
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}
