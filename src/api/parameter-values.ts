// The types of values that query parameters have: how each is parsed, and its JSON Schema.
import { datePattern, parseDate } from './dates.ts'

/** A type of values. */
export interface ValueType<T> {
  /** Repeats add up; otherwise two different values are an error. */
  readonly isList: boolean
  /** @param values non-empty texts, as they were given; exactly one unless `isList` */
  readonly parse: (values: readonly string[]) => Outcome<T>
  /** JSON Schema of the value. */
  readonly schema: object
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

const pageSize = { type: 'integer', minimum: 1, maximum: limitMax }

/** Items per page, where `all` would be a page without end. */
export const pageLimit: ValueType<number | 'all'> = single(
  ([value = '']) => parseLimit(value, ''),
  pageSize,
)

/** Items per page, or `all`. */
export const limitOrAll: ValueType<number | 'all'> = single(
  ([value = '']) => (value === 'all' ? { ok: true, value } : parseLimit(value, ', or "all"')),
  { anyOf: [pageSize, { type: 'string', const: 'all' }] },
)

/** The same where `limit=all` is switched off. */
export const limitWithoutAll: ValueType<number | 'all'> = single(
  ([value = '']) => parseLimit(value, ': "all" is switched off here'),
  pageSize,
)

/** The number of a page. */
export const pageNumber: ValueType<number> = single(
  ([value = '']) => {
    const page = parseDigits(value)
    if (page >= 1 && Number.isSafeInteger(page)) return { ok: true, value: page }
    return bad('must be an integer from 1')
  },
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
)

/** A text, trimmed. */
export const searchText: ValueType<string> = single(
  ([value = '']) => {
    const text = value.trim()
    // A string has at least half as many code points as code units: long ones are not counted.
    const isLong = text.length > 2 * queryCharactersMax || [...text].length > queryCharactersMax
    return isLong
      ? bad(`must be at most ${queryCharactersMax} characters long`)
      : { ok: true, value: text }
  },
  { type: 'string', maxLength: queryCharactersMax },
)

/** An instant in milliseconds since 1970, written as dates of front matter are. */
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

/** Names in code unit order, each once. */
export const names: ValueType<readonly string[]> = {
  isList: true,
  parse: (values) => {
    const items = splitItems(values)
    if (items.length > listItemsMax) return bad(`must have at most ${listItemsMax} values`)
    return { ok: true, value: [...new Set(items)].sort() }
  },
  schema: { type: 'array', items: { type: 'string' }, maxItems: listItemsMax },
}

/** One of some words. */
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

/** Any of some words, in the order of `allowed`, each once. */
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

/** The items of a comma list, trimmed, without empty ones. */
export function splitItems(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(','))
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** An outcome that refuses. */
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
