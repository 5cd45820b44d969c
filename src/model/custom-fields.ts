// Custom fields: their definitions in a `workspace.yml`, and their values in a post.
import * as z from 'zod'
import { parseDate } from '../api/dates.ts'
import { type IndexedField, parseNumber } from '../api/field-parameters.ts'
import type { CustomFields, FieldValue } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import { type Problem, quote } from '../diagnostics.ts'
import { didYouMean } from './problems.ts'
import { fieldsOf, isAbsent, type Reading, readFields, warnUnknownKeys } from './read-fields.ts'
import { withheldPost } from './withheld-keys.ts'

/** Every type, in the order of messages, with its name and its form in an error. A list contains text. */
const types = {
  text: ['text', 'Write it on one line, in quotes if it contains YAML syntax.'],
  number: ['a number', 'Write it as JSON does, such as 4, -0.5 or 1e3; integers up to 2^53.'],
  boolean: ['true or false', 'Write true or false.'],
  date: ['an ISO 8601 date', 'Write it as 2026-03-04 or 2026-03-04T09:30:00Z.'],
  list: ['a list of texts', 'Write it as [one, two].'],
  select: ['one of its options', 'Write one option.'],
} as const

/** Type of a custom field. */
export type FieldType = keyof typeof types

/** Every type, in the order of messages. */
export const fieldTypes = Object.keys(types) as readonly FieldType[]

/** The part of a definition that its values need. */
interface FieldShape {
  readonly name: string
  readonly type: FieldType
  /** Allowed values of a `select`, or of a `list` if restricted; otherwise empty. */
  readonly options: readonly string[]
}

/** Definition of a custom field. */
export interface FieldDefinition extends FieldShape {
  /** For display; null for none. */
  readonly label: string | null
  /** For display; null for none. */
  readonly description: string | null
  readonly isRequired: boolean
  /** True if posts can be filtered by it. */
  readonly isIndexed: boolean
  /** Value of a post that does not state it; null for none. */
  readonly default: FieldValue
}

/** Returns the custom fields that posts can be filtered by. */
export function indexedFields(defined: readonly FieldDefinition[]): readonly IndexedField[] {
  return defined.flatMap(({ name, type, isIndexed }) => (isIndexed ? { name, type } : []))
}

/** Begins with a letter, so that no name is a number, which JSON would move to the front. */
export const namePattern: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const code = 'invalid-field-definition'

function issue(message: string, hint?: string) {
  return { code: 'custom' as const, message, params: { code, hint } }
}

const text = z.string('must be text')
const flag = z.enum(['true', 'false'], 'must be true or false').default('false')

const typeSchema = text.transform((given, context): FieldType => {
  const type = fieldTypes.find((known) => known === given)
  if (type !== undefined) return type
  context.addIssue(issue(`must be one of ${fieldTypes.join(', ')}`, didYouMean(given, fieldTypes)))
  return z.NEVER
})

const definitionShape = z.object({
  type: typeSchema,
  label: text.nullable().default(null),
  description: text.nullable().default(null),
  required: flag,
  index: flag,
  options: z.array(text, 'must be a list, such as [one, two]').default([]),
  default: z.unknown().optional(),
})

/** The long form of a definition. */
export const definitionKeysSchema: z.ZodType = definitionShape

const definitionSchema = definitionShape.superRefine((definition, context) => {
  const { type, options } = definition
  if (type === 'select' && options.length === 0) {
    context.addIssue({ ...issue('must list what can be selected'), path: ['options'] })
  }
  if (type !== 'select' && type !== 'list' && options.length > 0) {
    context.addIssue({ ...issue('are only for the types select and list'), path: ['options'] })
  }
})

/**
 * Reads the definitions below `fields` of a `workspace.yml`: `name: type`, or `name: { type: …, … }`.
 *
 * @param settings the whole file; a value that is not a map is reported with its other settings
 * @returns the valid ones, in file order; the errors of the others have been reported
 */
export function readFieldDefinitions(settings: Reading): readonly FieldDefinition[] {
  const value = settings.fields.get('fields')?.value
  return [...(value?.kind === 'map' ? value.entries : [])].flatMap(
    ([name, entry]) => readDefinition(name, entry, settings) ?? [],
  )
}

function readDefinition(
  name: string,
  { keyAt, value }: YamlEntry,
  settings: Reading,
): FieldDefinition | undefined {
  if (!namePattern.test(name)) {
    const message = `${JSON.stringify(name)} cannot be the name of a field.`
    const hint =
      'Begin with a letter; letters A to Z, digits, "-" and "_" may follow, 64 characters at most.'
    settings.report(keyAt, { code, message, hint })
    return undefined
  }
  // `rating: number` is the short form of `rating: { type: number }`.
  const fields = value.kind === 'text' ? new Map([['type', { keyAt, value }]]) : fieldsOf(value)
  const reading = settings.with(fields, keyAt)
  warnUnknownKeys(reading, Object.keys(definitionShape.shape))
  const read = readFields(definitionSchema, reading)
  if (read === undefined) return undefined
  const { type, options, label, description } = read
  const shape = { name, type, options }
  const fallback = readFieldValue(shape, fields.get('default')?.value)
  if ('code' in fallback) {
    const message = fallback.message.replace(/^/, 'The default of ')
    reading.report(['default', ...fallback.path], { ...fallback, code, message })
    return undefined
  }
  const [isRequired, isIndexed] = [read.required === 'true', read.index === 'true']
  return { ...shape, label, description, isRequired, isIndexed, default: fallback.value }
}

/** A value as in responses, or an error with the index of its item. */
type ReadValue = { readonly value: FieldValue } | (Problem & { readonly path: readonly number[] })

/** Parses the value of a field; null for an absent value. Problems are `wrong-field-type` and `unknown-option`. */
function readFieldValue(shape: FieldShape, value: YamlValue | undefined): ReadValue {
  if (value === undefined || isAbsent(value)) return { value: null }
  if (shape.type !== 'list') return readScalar(shape, value)
  if (value.kind !== 'list')
    return wrongType(shape, value.kind === 'text' ? quote(value.value) : `a ${value.kind}`)
  const read = value.items.map((item, index) => readScalar(shape, item, [index]))
  const items = read.map((one) => ('value' in one ? String(one.value) : one))
  return items.find((one) => typeof one !== 'string') ?? { value: items as readonly string[] }
}

/** @param path of an item of a list, empty for a whole value */
function readScalar(shape: FieldShape, value: YamlValue, path: readonly number[] = []): ReadValue {
  const { name, type, options } = shape
  const of = path.length > 0 ? 'of ' : ''
  if (value.kind !== 'text') return wrongType(shape, `${of}a ${value.kind}`, path)
  if (isAbsent(value)) return wrongType(shape, `${of}nothing`, path)
  const text = value.value
  const scalar = scalarOf(type, text)
  if (scalar === undefined) return wrongType(shape, quote(text), path)
  if (options.length === 0 || options.includes(text)) return { value: scalar }
  const message = `\`${name}\` has no option ${quote(text)}.`
  const hint = `Use one of ${options.join(', ')}.`
  return { code: 'unknown-option', message, hint, near: () => nearest(text, options), path }
}

function wrongType({ name, type }: FieldShape, instead: string, path: readonly number[] = []) {
  const [what, hint] = types[type]
  const message = `\`${name}\` must be ${what}, not ${instead}.`
  return { code: 'wrong-field-type' as const, message, hint, path }
}

function scalarOf(type: FieldType, text: string): string | number | boolean | undefined {
  if (type === 'number') return parseNumber(text)
  if (type === 'date') return parseDate(text) ?? undefined
  if (type !== 'boolean') return text
  return /^(true|false)$/iu.test(text) ? text.toLowerCase() === 'true' : undefined
}

/**
 * Reads the custom fields of a post, below `fields:`.
 *
 * @returns values in order of definition; undefined if the workspace defines none; `broken` if a value is invalid, which
 *   has been reported
 */
export function readCustomFields(
  { fields: defined, isBroken }: { fields: readonly FieldDefinition[]; isBroken: boolean },
  post: Reading,
  isDraft: boolean,
): CustomFields | undefined | 'broken' {
  const own = post.fields.get('fields')
  const fields = own === undefined ? new Map() : fieldsOf(own.value)
  const reading = post.with(fields, own?.keyAt ?? post.at, new Map())
  const names = defined.map(({ name }) => name)
  const withheld = isDraft || !withheldPost.hidden ? {} : { hidden: withheldPost.hidden }
  if (!isBroken) warnUnknownKeys(reading, names, { withheld, unknown: undefinedField })
  const read = defined.map(
    (definition) => [definition.name, readField(definition, reading)] as const,
  )
  if (read.some(([, value]) => value === undefined)) return 'broken'
  return read.length === 0 ? undefined : (Object.fromEntries(read) as CustomFields)
}

function undefinedField(name: string): Problem {
  return {
    code: 'unknown-field',
    severity: 'warning',
    message: `"${name}" is not a field of this workspace; it is ignored.`,
    hint: 'Define it below `fields` in workspace.yml.',
  }
}

/** @returns undefined for an invalid value, which has been reported */
function readField(definition: FieldDefinition, reading: Reading): FieldValue | undefined {
  const { name } = definition
  const read = readFieldValue(definition, reading.fields.get(name)?.value)
  if ('code' in read) {
    reading.report([name, ...read.path], read)
    return undefined
  }
  const { value } = read
  const isBlank =
    typeof value === 'string' ? value.trim() === '' : [value ?? []].flat().length === 0
  if (!isBlank) return value
  if (!definition.isRequired) return value ?? definition.default
  reading.report([name], {
    code: 'missing-custom-field',
    message: `The field \`${name}\` is required but empty or missing.`,
    hint: `Add \`${name}: …\` below \`fields:\`.`,
  })
  return undefined
}
