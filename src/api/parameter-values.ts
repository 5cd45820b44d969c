// Value types of query parameters: their parsers and JSON Schemas.
import { datePattern, parseDate } from './dates.ts'

/** A type of parameter values. */
export interface ValueType<T> {
  /** Repeats are concatenated; otherwise two different values are an error. */
  readonly isList: boolean
  /** @param values non-empty texts; exactly one unless `isList` @throws InvalidValue */
  readonly parse: (values: readonly string[]) => T
  readonly schema: Readonly<Record<string, unknown>>
}

/** A rejected value. The message has the expected form. */
export class InvalidValue extends Error {}

const listItemsMax = 100
/** Maximum length of a search text in code points. */
const queryCharactersMax = 256
/** Maximum page size. */
export const limitMax = 100

/** Items per page, or also `all`. */
export function limitType(hasAll: boolean): ValueType<number | 'all'> {
  const pageSize = { type: 'integer', minimum: 1, maximum: limitMax }
  const schema = hasAll ? { anyOf: [pageSize, { type: 'string', const: 'all' }] } : pageSize
  return single(schema, (value) => {
    if (hasAll && value === 'all') return value
    const limit = parseDigits(value)
    if (limit >= 1 && limit <= limitMax) return limit
    throw new InvalidValue(`must be an integer from 1 to ${limitMax}${hasAll ? ', or "all"' : ''}`)
  })
}

/** A page number. */
export const pageNumber: ValueType<number> = single(
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  (value) => {
    const page = parseDigits(value)
    if (page >= 1 && Number.isSafeInteger(page)) return page
    throw new InvalidValue('must be an integer from 1')
  },
)

/** Trimmed text. */
export const searchText: ValueType<string> = single(
  { type: 'string', maxLength: queryCharactersMax },
  (value) => {
    const text = value.trim()
    // A string has at least half as many code points as code units, so long ones need no count.
    if (text.length > 2 * queryCharactersMax || [...text].length > queryCharactersMax)
      throw new InvalidValue(`must be at most ${queryCharactersMax} characters long`)
    return text
  },
)

/** A date in the format of front matter, as milliseconds since 1970. */
export const date: ValueType<number> = single(
  {
    type: 'string',
    pattern: datePattern,
    description: 'a date, such as `2026-03-04` or `2026-03-04T09:30:00Z`',
  },
  (value) => {
    const parsed = parseDate(value)
    if (parsed !== null) return Date.parse(parsed)
    const hint = value.includes(' ') ? '; write "+" as %2B' : ''
    throw new InvalidValue(`must be a date, such as 2026-03-04 or 2026-03-04T09:30:00Z${hint}`)
  },
)

/** `true` or `false`. */
export const flag: ValueType<boolean> = single(
  { type: 'boolean' },
  (value) => choice(['true', 'false']).parse([value]) === 'true',
)

/** Names in code unit order, without duplicates. */
export const names: ValueType<readonly string[]> = {
  isList: true,
  parse: (values) => {
    const items = splitItems(values)
    if (items.length > listItemsMax)
      throw new InvalidValue(`must have at most ${listItemsMax} values`)
    return [...new Set(items)].sort()
  },
  schema: { type: 'array', items: { type: 'string' }, maxItems: listItemsMax },
}

/** One of the allowed words. */
export function choice<const T extends string>(allowed: readonly T[]): ValueType<T> {
  return single({ type: 'string', enum: allowed }, (value) => {
    const found = allowed.find((item) => item === value)
    if (found !== undefined) return found
    throw new InvalidValue(`must be ${wordsOf(allowed)}`)
  })
}

/** Some of the allowed words, in the order of `allowed`, without duplicates. */
export function choices<const T extends string>(allowed: readonly T[]): ValueType<readonly T[]> {
  return {
    isList: true,
    parse: (values) => {
      const items = splitItems(values)
      const unknown = items.find((item) => !(allowed as readonly string[]).includes(item))
      if (unknown !== undefined)
        throw new InvalidValue(`must be ${wordsOf(allowed)}, not ${JSON.stringify(unknown)}`)
      return allowed.filter((item) => items.includes(item))
    },
    schema: { type: 'array', items: { type: 'string', enum: allowed } },
  }
}

/** Splits comma-separated lists into trimmed, non-empty items. `\,` is a comma of an item, and `\\` a backslash. */
export function splitItems(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.match(/(?:\\[\\,]|[^,])+/g) ?? [])
    .map((item) => item.trim().replace(/\\([\\,])/g, '$1'))
    .filter((item) => item !== '')
}

function single<T>(schema: ValueType<T>['schema'], parse: (value: string) => T): ValueType<T> {
  return { isList: false, parse: ([value = '']) => parse(value), schema }
}

/** @returns NaN for anything but ASCII digits */
function parseDigits(value: string): number {
  return /^[0-9]+$/.test(value) ? Number(value) : Number.NaN
}

/** Joins words: `"a", "b" or "c"`. */
function wordsOf(allowed: readonly string[]): string {
  const quoted = allowed.map((item) => `"${item}"`)
  const last = quoted.pop() ?? 'empty'
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`
}

type SortableType = 'text' | 'number' | 'date' | 'select'

/** Types of fields that posts can be filtered by. */
export type IndexedType = SortableType | 'boolean' | 'list' | 'reference' | 'references'

/** A custom field that posts can be filtered by. */
export interface IndexedField {
  readonly name: string
  readonly type: IndexedType
  /** All values that it may have. @default any */
  readonly options?: readonly string[]
}

/** Reports whether posts can be filtered by fields of a type. */
export function isIndexable(type: string): type is IndexedType {
  return Object.hasOwn(valueTypes, type)
}

/** Reports whether posts can be sorted by fields of a type. */
export function isSortable(type: IndexedType): type is SortableType {
  return ['text', 'number', 'date', 'select'].includes(type)
}

/** A field that refers to other resources. */
export interface Reference {
  readonly name: string
  /** `posts`, `authors`, `categories`, `tags`, or the name of a collection. */
  readonly to: string
}

/** Comparison of a field with the values of a filter. */
export type FieldOperator = 'eq' | 'ne' | 'in' | 'gte' | 'lte'

/** A filter by a custom field. */
export interface FieldFilter {
  readonly name: string
  readonly operator: FieldOperator
  /** Exactly one, unless the operator is `in`. Dates are milliseconds since 1970. */
  readonly values: readonly (string | number)[]
}

/** A query parameter that filters by a custom field. */
export interface FieldParameter {
  /** Name in a query string: `fields.rating[gte]`. */
  readonly name: string
  readonly field: string
  readonly operator: FieldOperator
  readonly description: string
  readonly type: ValueType<FieldFilter['values']>
}

/** Prefix of the names of field parameters. */
export const fieldPrefix = 'fields.'

/** Returns the parameters of fields, in field order. */
export function fieldParameters(fields: readonly IndexedField[]): readonly FieldParameter[] {
  return fields.flatMap(({ name: field, type, options }) => {
    const isOrdered = type === 'number' || type === 'date'
    const value = options === undefined ? valueTypes[type] : choice(options)
    const operators = (['eq', 'ne', 'in', 'gte', 'lte'] as const).slice(0, isOrdered ? 5 : 3)
    return operators.map((operator) => ({
      name: `${fieldPrefix}${field}${operator === 'eq' ? '' : `[${operator}]`}`,
      field,
      operator,
      description: `Only those whose field \`${field}\` ${operatorTexts[operator]}.`,
      type: filterType(value, operator === 'in'),
    }))
  })
}

const operatorTexts: Readonly<Record<FieldOperator, string>> = {
  eq: 'has this value',
  ne: 'does not have this value',
  in: 'has any of these values',
  gte: 'is at least this value',
  lte: 'is at most this value',
}

/** Parses a JSON number (RFC 8259 §6) that a double can represent; undefined for anything else. */
export function parseNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const number = Number(text)
  const isKept = !/^-?\d+$/.test(text) || Number.isSafeInteger(number)
  return isKept && Number.isFinite(number) ? number : undefined
}

const text: ValueType<string | number> = single({ type: 'string' }, (value) => value)

const number: ValueType<string | number> = single({ type: 'number' }, (value) => {
  const found = parseNumber(value)
  if (found !== undefined) return found
  throw new InvalidValue(
    'must be a number, such as 4, -0.5 or 1e3; integers up to 9007199254740991',
  )
})

/** Value types by field type. A filter names the target of a reference by its slug or id. */
const valueTypes: Readonly<Record<IndexedType, ValueType<string | number>>> = {
  ...{ text, select: text, list: text, reference: text, references: text, number, date },
  boolean: choice(['true', 'false']),
}

/** The type of the values of a filter: one value, or a list. */
function filterType(
  { parse, schema }: ValueType<string | number>,
  isList: boolean,
): FieldParameter['type'] {
  if (!isList) return { isList, parse: (values) => [parse(values)], schema }
  const parseItem = (value: string) => {
    try {
      return parse([value])
    } catch (error) {
      throw error instanceof InvalidValue
        ? new InvalidValue(`${error.message}, in each item`)
        : error
    }
  }
  const items = (values: readonly string[]) => names.parse(values).map(parseItem)
  return { isList, parse: items, schema: { ...names.schema, items: schema } }
}
