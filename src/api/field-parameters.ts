// Filters by custom fields. Their names follow from the fields that a workspace declares with `index: true`.
import { bad, choice, date, names, type Outcome, type ValueType } from './parameter-values.ts'

/** A custom field that posts can be filtered by. */
export interface IndexedField {
  readonly name: string
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'list' | 'select'
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
  return fields.flatMap(({ name: field, type }) =>
    operatorsOf(type).map((operator) => ({
      name: `${fieldPrefix}${field}${operator === 'eq' ? '' : `[${operator}]`}`,
      field,
      operator,
      description: `Only posts whose field \`${field}\` ${meanings[operator]}.`,
      type: operator === 'in' ? listOf(valueTypes[type]) : valueTypes[type],
    })),
  )
}

const meanings: Readonly<Record<FieldOperator, string>> = {
  eq: 'has this value',
  ne: 'does not have this value',
  in: 'has any of these values',
  gte: 'is at least this value',
  lte: 'is at most this value',
}

function operatorsOf(type: IndexedField['type']): readonly FieldOperator[] {
  const isOrdered = type === 'number' || type === 'date'
  return ['eq', 'ne', 'in', ...(isOrdered ? (['gte', 'lte'] as const) : [])]
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

type Values = FieldFilter['values']

const text: ValueType<Values> = {
  isList: false,
  parse: (values) => ({ ok: true, value: values }),
  schema: { type: 'string' },
}

const number: ValueType<Values> = {
  isList: false,
  parse: ([value = '']) => {
    const found = parseNumber(value)
    if (found !== undefined) return { ok: true, value: [found] }
    return bad('must be a number, such as 4, -0.5 or 1e3; integers up to 9007199254740991')
  },
  schema: { type: 'number' },
}

const valueTypes: Readonly<Record<IndexedField['type'], ValueType<Values>>> = {
  text,
  select: text,
  list: text,
  number,
  boolean: one(choice(['true', 'false'])),
  date: one(date),
}

function one(type: ValueType<string | number>): ValueType<Values> {
  return {
    ...type,
    parse: (values) => {
      const outcome = type.parse(values)
      return outcome.ok ? { ok: true, value: [outcome.value] } : outcome
    },
  }
}

function listOf(item: ValueType<Values>): ValueType<Values> {
  return {
    isList: true,
    parse: (values) => {
      const items = names.parse(values)
      if (!items.ok) return items
      const outcomes = items.value.map((value) => item.parse([value]))
      const refused = outcomes.find(({ ok }) => !ok)
      if (refused?.ok === false) return bad(`${refused.message}, in each item`)
      return { ok: true, value: outcomes.flatMap(valuesOf) }
    },
    schema: { ...names.schema, items: item.schema },
  }
}

function valuesOf(outcome: Outcome<Values>): Values {
  return outcome.ok ? outcome.value : []
}
