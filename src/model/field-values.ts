// Values of custom fields: from YAML scalars to the values of a response, by field type.

import { parseDate } from '../api/dates.ts'
import { parseNumber } from '../api/field-parameters.ts'
import type { FieldValue } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { YamlValue } from '../content/raw.ts'
import { type Problem, quote } from '../diagnostics.ts'
import { isAbsent } from './read-fields.ts'

/** Type of a custom field; a list contains text. */
export type FieldType = (typeof fieldTypes)[number]

/** Every type, in the order of messages. */
export const fieldTypes = ['text', 'number', 'boolean', 'date', 'list', 'select'] as const

/** The part of a definition that parsing needs. */
export interface FieldShape {
  readonly name: string
  readonly type: FieldType
  /** Allowed values of a `select`, or of a `list` if restricted; otherwise empty. */
  readonly options: readonly string[]
}

/** A value as in responses, or an error with the index of its item. */
export type ReadValue =
  | { readonly kind: 'value'; readonly value: FieldValue }
  | { readonly kind: 'problem'; readonly problem: Problem; readonly path: readonly number[] }

/** Parses the value of a field; null for an absent value. Problems are `wrong-field-type` and `unknown-option`. */
export function readFieldValue(shape: FieldShape, value: YamlValue): ReadValue {
  if (isAbsent(value)) return { kind: 'value', value: null }
  if (shape.type === 'list') return readListValue(shape, value)
  if (value.kind !== 'text') return fault(wrongType(shape, `not a ${value.kind}`))
  return readScalar(shape, value.value)
}

function readListValue(shape: FieldShape, value: YamlValue): ReadValue {
  if (value.kind !== 'list') return fault(wrongType(shape, `not ${shown(value)}`))
  const items: string[] = []
  for (const [index, item] of value.items.entries()) {
    if (item.kind !== 'text') return fault(wrongType(shape, `not of a ${item.kind}`), [index])
    if (isAbsent(item)) return fault(wrongType(shape, 'not of nothing'), [index])
    const problem = optionProblem(shape, item.value)
    if (problem !== undefined) return fault(problem, [index])
    items.push(item.value)
  }
  return { kind: 'value', value: items }
}

function readScalar(shape: FieldShape, text: string): ReadValue {
  const found = scalarOf(shape.type, text)
  if (found === undefined) return fault(wrongType(shape, `not ${quote(text)}`))
  const problem = shape.type === 'select' ? optionProblem(shape, text) : undefined
  return problem === undefined ? { kind: 'value', value: found } : fault(problem)
}

function scalarOf(type: FieldType, text: string): string | number | boolean | undefined {
  if (type === 'number') return parseNumber(text)
  if (type === 'date') return parseDate(text) ?? undefined
  if (type !== 'boolean') return text
  return /^(true|false)$/iu.test(text) ? text.toLowerCase() === 'true' : undefined
}

function optionProblem({ name, options }: FieldShape, text: string): Problem | undefined {
  if (options.length === 0 || options.includes(text)) return undefined
  return {
    code: 'unknown-option',
    message: `\`${name}\` has no option ${quote(text)}.`,
    hint: `Use one of ${options.join(', ')}.`,
    near: () => nearest(text, options),
  }
}

const forms: Readonly<Record<FieldType, readonly [what: string, hint: string]>> = {
  text: ['text', 'Write it on one line, in quotes if it contains YAML syntax.'],
  number: ['a number', 'Write it as JSON does, such as 4, -0.5 or 1e3; integers up to 2^53.'],
  boolean: ['true or false', 'Write true or false.'],
  date: ['an ISO 8601 date', 'Write it as 2026-03-04 or 2026-03-04T09:30:00Z.'],
  list: ['a list of texts', 'Write it as [one, two].'],
  select: ['one of its options', 'Write one option.'],
}

function wrongType({ name, type }: FieldShape, instead: string): Problem {
  const [what, hint] = forms[type]
  return { code: 'wrong-field-type', message: `\`${name}\` must be ${what}, ${instead}.`, hint }
}

function fault(problem: Problem, path: readonly number[] = []): ReadValue {
  return { kind: 'problem', problem, path }
}

function shown(value: YamlValue): string {
  return value.kind === 'text' ? quote(value.value) : `a ${value.kind}`
}
