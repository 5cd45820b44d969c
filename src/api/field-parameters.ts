// Filters by custom fields. Their names follow from the fields that a workspace declares with `index: true`.
import { choice, date, InvalidValue, names, type ValueType } from './parameter-values.ts'

/** Types of fields that posts can be filtered by. */
export type IndexedType =
  | 'text'
  | 'number'
  | 'boolean'
  | 'date'
  | 'list'
  | 'select'
  | 'reference'
  | 'references'

/** A custom field that posts can be filtered by. */
export interface IndexedField {
  readonly name: string
  readonly type: IndexedType
}

/** Reports whether posts can be filtered by fields of a type. */
export function isIndexable(type: string): type is IndexedType {
  return Object.hasOwn(valueTypes, type)
}

/** Reports whether posts can be in the order of fields of a type. */
export function isSortable(type: IndexedType): boolean {
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

/** Name prefix of these parameters. */
export const fieldPrefix = 'fields.'

/** Returns the parameters of fields, in field order. */
export function fieldParameters(fields: readonly IndexedField[]): readonly FieldParameter[] {
  return fields.flatMap(({ name: field, type }) => {
    const isOrdered = type === 'number' || type === 'date'
    const operators = (['eq', 'ne', 'in', 'gte', 'lte'] as const).slice(0, isOrdered ? 5 : 3)
    return operators.map((operator) => ({
      name: `${fieldPrefix}${field}${operator === 'eq' ? '' : `[${operator}]`}`,
      field,
      operator,
      description: `Only posts whose field \`${field}\` ${meanings[operator]}.`,
      type: filterType(valueTypes[type], operator === 'in'),
    }))
  })
}

const meanings: Readonly<Record<FieldOperator, string>> = {
  eq: 'has this value',
  ne: 'does not have this value',
  in: 'has any of these values',
  gte: 'is at least this value',
  lte: 'is at most this value',
}

/**
 * Parses a JSON number (RFC 8259 §6), in front matter and in filters.
 *
 * @returns undefined for anything else, for digits that a double cannot represent, and on overflow
 */
export function parseNumber(text: string): number | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return undefined
  const number = Number(text)
  const isKept = !/^-?\d+$/.test(text) || Number.isSafeInteger(number)
  return isKept && Number.isFinite(number) ? number : undefined
}

const text: ValueType<string | number> = {
  isList: false,
  parse: ([value = '']) => value,
  schema: { type: 'string' },
}

const number: ValueType<string | number> = {
  isList: false,
  parse: ([value = '']) => {
    const found = parseNumber(value)
    if (found !== undefined) return found
    throw new InvalidValue(
      'must be a number, such as 4, -0.5 or 1e3; integers up to 9007199254740991',
    )
  },
  schema: { type: 'number' },
}

/** By the type of the field. A reference is found by the slug or the id of its target. */
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
