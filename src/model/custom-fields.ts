// Custom fields: their definitions in a `workspace.yml`, and their values in posts, items and rows of data.
import * as z from 'zod'
import { parseDate } from '../api/dates.ts'
import { type IndexedField, isIndexable, parseNumber } from '../api/parameter-values.ts'
import { type CustomFields, type FieldValue, type Json, summaryOf } from '../api/resources.ts'
import { entriesOf } from '../content/mounts.ts'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import { nearest } from '../content/source.ts'
import { type Position, type Problem, quote } from '../diagnostics.ts'
import { itemKeys } from './map-fields.ts'
import {
  didYouMean,
  type Fields,
  isAbsent,
  type Reading,
  readValidFields,
  reportIssue,
  splitText,
  warnUnknownKeys,
} from './read-fields.ts'
import { boolean, isSafeUrl, text } from './schema.ts'
import { withheldPost } from './withheld-keys.ts'

/** Every type, in the order of messages, with its name and the hint for an invalid value. A list contains text. */
const types = {
  text: ['text', 'Write it on one line, in quotes if it contains YAML syntax.'],
  number: ['a number', 'Write it as JSON does, such as 4, -0.5 or 1e3; integers up to 2^53.'],
  boolean: ['true or false', 'Write true or false.'],
  date: ['an ISO 8601 date', 'Write it as 2026-03-04 or 2026-03-04T09:30:00Z.'],
  list: ['a list of texts', 'Write it as [one, two].'],
  select: ['one of its options', 'Write one option.'],
  image: ['the path or URL of an image', 'Write it as ./picture.png.'],
  reference: ['a slug or id', 'Write one slug.'],
  references: ['a list of slugs or ids', 'Write it as [one, two].'],
  object: ['a map', 'Write its keys indented below it.'],
  objects: ['a list of maps', 'Begin each map with a dash.'],
  json: ['any value', 'Write it as YAML.'],
} as const

/** Type of a custom field. */
export type FieldType = keyof typeof types

/** Every type, in the order of messages. */
export const fieldTypes = Object.keys(types) as readonly FieldType[]

const listTypes: readonly FieldType[] = ['list', 'references', 'objects']

/** Types whose values name other resources. */
export const referenceTypes = ['reference', 'references'] as const

/** Definition of a custom field. */
export interface FieldDefinition {
  readonly name: string
  readonly type: FieldType
  /** Allowed values of a `select`, or of a `list` if restricted; otherwise empty. */
  readonly options: readonly string[]
  /** For display; null for none. */
  readonly label: string | null
  /** For display; null for none. */
  readonly description: string | null
  readonly isRequired: boolean
  /** True if posts can be filtered by it. */
  readonly isIndexed: boolean
  /** True if no two posts may have the same value. */
  readonly isUnique: boolean
  /** Bounds of a number, of the characters of a text, or of the items of a list; null for none. */
  readonly min: number | null
  readonly max: number | null
  /** Pattern that a text must match; null for none. */
  readonly pattern: RegExp | null
  /** Target of a reference: a kind of resource, or a collection; '' for other types. */
  readonly to: string
  /** Fields of an object, or of each object of a list; otherwise empty. */
  readonly fields: readonly FieldDefinition[]
  /** Value of a post that does not state it; null for none. */
  readonly default: FieldValue
}

/** Returns the custom fields by which posts can be filtered. */
export function indexedFields(defined: readonly FieldDefinition[]): readonly IndexedField[] {
  return defined.flatMap(({ name, type, isIndexed, options }) =>
    isIndexed && isIndexable(type) ? { name, type, ...(options.length > 0 && { options }) } : [],
  )
}

/** A name begins with a letter, because JavaScript moves numeric keys of an object to the front. */
export const namePattern: RegExp = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const nameHint =
  'Begin with a letter; letters A to Z, digits, "-" and "_" may follow, 64 characters at most.'

/** Keys that every item may have. No field of a collection can have one of these names. */
export const builtInKeys: readonly string[] = [
  ...itemKeys,
  ...['name', 'content', 'date', 'parent', 'children', 'fields', 'locale'],
]

const code = 'invalid-field-definition'

/** Schema of a value that a function makes from a text; undefined is reported as an issue. */
function made<T>(
  make: (given: string) => T | undefined,
  message: string,
  hintOf?: (given: string) => string | undefined,
) {
  return text.transform((given, context) => {
    const value = make(given)
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message, params: { code, hint: hintOf?.(given) } })
    return z.NEVER
  })
}

const bound = made(parseNumber, 'must be a number').nullable().default(null)
const flag = boolean.default(false)

const definitionShape = z.object({
  type: made(
    (given) => fieldTypes.find((type) => type === given),
    `must be one of ${fieldTypes.join(', ')}`,
    (given) => didYouMean(given, fieldTypes),
  ),
  label: text.nullable().default(null),
  description: text.nullable().default(null),
  required: flag,
  index: flag,
  unique: flag,
  options: z.array(text, 'must be a list, such as [one, two]').default([]),
  min: bound,
  max: bound,
  pattern: made(expressionOf, 'is not a regular expression').nullable().default(null),
  to: text.default(''),
  fields: z.looseObject({}, 'must be a map').optional(),
  default: z.unknown().optional(),
})

function expressionOf(given: string): RegExp | undefined {
  try {
    // regex: from the settings of the site
    return new RegExp(given, 'u')
  } catch {
    return undefined
  }
}

type DefinitionKeys = z.infer<typeof definitionShape>

/** Schema of the long form of a definition. */
export const definitionKeysSchema: z.ZodType = definitionShape

const keyTypes: Readonly<Record<string, readonly FieldType[]>> = {
  options: ['select', 'list'],
  min: ['number', 'text', ...listTypes],
  max: ['number', 'text', ...listTypes],
  pattern: ['text', 'list'],
  to: referenceTypes,
  fields: ['object', 'objects'],
  unique: ['text', 'number', 'date', 'select'],
  default: ['text', 'number', 'boolean', 'date', 'list', 'select', 'json'],
  index: fieldTypes.filter(isIndexable),
}

/** The key that a type requires. */
export const requiredKeys: Partial<Readonly<Record<FieldType, keyof typeof purposes>>> = {
  ...{ select: 'options', reference: 'to', references: 'to', object: 'fields', objects: 'fields' },
}

const purposes = {
  options: 'must list what can be selected',
  to: 'must name what it refers to',
  fields: 'must define the fields of the map',
}

/** Returns the valid definitions, in file order; the errors of the others have been reported. */
export function readFieldDefinitions(
  settings: Reading,
  value: YamlValue | undefined,
  names: DefinitionNames,
): readonly FieldDefinition[] {
  return [...entriesOf(value)].flatMap((field) => readDefinition(...field, settings, names) ?? [])
}

/** Names that decide which definitions are valid. */
export interface DefinitionNames {
  /** Names that no field can have. */
  readonly reserved: readonly string[]
  /** Names of the possible targets of references. */
  readonly targets: readonly string[]
  /** Types that no field can have, and no field of an object. */
  readonly excluded: readonly FieldType[]
}

/** Values of `include` that are not names of fields. */
const includeValues = ['posts', 'facets', 'matches', 'neighbours', 'related', 'parent', 'children']

function readDefinition(
  name: string,
  { keyAt, value }: YamlEntry,
  settings: Reading,
  names: DefinitionNames,
): FieldDefinition | undefined {
  const shown = JSON.stringify(name)
  // `rating: number` is the short form of `rating: { type: number }`.
  const stated = value.kind === 'text' ? new Map([['type', { keyAt, value }]]) : entriesOf(value)
  const reading = settings.with(stated, keyAt)
  const before = reading.errors
  if (!namePattern.test(name)) {
    const message = `${shown} cannot be the name of a field.`
    reading.report([], { code, message, hint: nameHint })
  } else if (names.reserved.includes(name)) {
    const message = `${shown} cannot be the name of a field: it is a built-in key, and always read.`
    const hint = 'Leave the field out, or choose another name.'
    reading.report([], { code, message, hint })
  }
  warnUnknownKeys(reading, Object.keys(definitionShape.shape))
  const { value: read, failed } = readValidFields(definitionShape, reading)
  const inner = { ...names, reserved: [], excluded: [...names.excluded, ...referenceTypes] }
  const fields = readFieldDefinitions(reading, stated.get('fields')?.value, inner)
  if (failed.has('type')) return undefined
  for (const [key, message] of wrongKeys(read, failed, stated))
    reportIssue({ code: 'custom', path: [key], message, params: { code } }, reading)
  const { required, index, unique, to, ...rest } = read
  if (reading.errors === before && names.excluded.includes(read.type)) {
    const message = `${shown} cannot be of the type ${read.type} here.`
    const hint =
      'Fields of objects cannot be references; those of terms neither references nor images.'
    reading.report([], { code, message, hint })
  } else if (to !== '' && includeValues.includes(name)) {
    const message = `A reference cannot be named after a value of \`include\`: ${shown}.`
    reading.report([], { code, message, hint: 'Choose another name.' })
  } else if (to !== '' && names.targets.length > 0 && !names.targets.includes(to)) {
    const message = `\`to\` ${JSON.stringify(to)} is neither a collection nor a kind of resource.`
    const hint = `Use one of ${names.targets.join(', ')}.`
    reading.report(['to'], { code, message, hint, near: () => nearest(to, names.targets) })
  }
  const definition: FieldDefinition = {
    ...{ name, ...rest, to, fields, default: null },
    isRequired: required,
    isIndexed: index,
    isUnique: unique,
  }
  const report: Report = (at, problem) =>
    reading.report(at, { ...problem, code, message: `The default of ${problem.message}` })
  if (reading.errors > before) return undefined
  const fallback = readValue({ definition, at: keyAt, report }, stated.get('default')?.value)
  return reading.errors > before ? undefined : { ...definition, default: fallback }
}

/** Returns the keys that a type does not have, and a required key that is empty, each with a message. */
function wrongKeys(
  read: DefinitionKeys,
  failed: ReadonlySet<string>,
  stated: Fields,
): readonly (readonly [key: string, message: string])[] {
  const foreign = Object.entries(keyTypes).flatMap(([key, allowed]) => {
    const { value } = stated.get(key) ?? {}
    const isSet = value !== undefined && !isAbsent(value) && Reflect.get(read, key) !== false
    const isNone = value?.kind === 'list' && value.items.length === 0
    if (!isSet || isNone || allowed.includes(read.type)) return []
    const words = allowed.join(', ').replace(/, (?=\w+$)/, ' and ')
    return [[key, `${/s$/.test(key) ? 'are' : 'is'} only for the types ${words}`] as const]
  })
  const needed = requiredKeys[read.type]
  if (needed === undefined || failed.has(needed)) return foreign
  const isEmpty = Object.keys(read[needed] ?? '').length === 0
  return isEmpty ? [[needed, purposes[needed]], ...foreign] : foreign
}

/** Reports the problem of a value at its place. */
export type Report = (at: Position, problem: Problem) => void

/** The context of custom fields, of which some name other resources or files. */
export interface FieldContext {
  /** Returns the targets of references; called for the first reference. @default no targets */
  readonly targets?: () => Targets
  readonly resolveImage?: (url: string, at: Position) => Json
  /** Location of each value of a unique field: `acme/posts/hello.md:3`. Grows. @default values are not compared */
  readonly owners?: Map<string, string>
  /** Returns a hint for adding a missing value. @default with its key */
  readonly hintOf?: ((name: string) => string) | undefined
}

/** Resources to which a field can refer. */
export interface Target {
  /** By slug and id; null for a draft. */
  readonly known: ReadonlyMap<string, Parameters<typeof summaryOf>[0] | null>
  /** False if some could not be read. */
  readonly isComplete: boolean
  /** True if posts create some resources, which may disappear with these posts. */
  readonly isCreated: boolean
}

/** The targets of references in one workspace, by kind. */
export type Targets = ReadonlyMap<string, Target>

/** A field, and the context for reading it. */
interface Slot extends FieldContext {
  readonly definition: FieldDefinition
  /** Place of a missing value. */
  readonly at: Position
  readonly report: Report
}

/** Returns the value of a field; null for an absent value. An invalid value has been reported. */
function readValue(slot: Slot, value: YamlValue | undefined): FieldValue {
  const { type } = slot.definition
  if (value === undefined || isAbsent(value)) return null
  if (type === 'json') return toJson(value, slot.report)
  if (type === 'object') return readObject(slot, value)
  return listTypes.includes(type) ? readList(slot, value) : readScalar(slot, value)
}

function readList(slot: Slot, value: YamlValue): FieldValue {
  const { type } = slot.definition
  const list = type === 'references' ? splitText(value, ',') : value
  if (list.kind !== 'list') return wrongType(slot, value, false)
  const readItem = type === 'objects' ? readObject : readScalar
  const items = list.items.map((item) => readItem(slot, item))
  checkBounds(slot, items.length, 'item', value.at)
  // A target that is not visible is left out.
  return (type === 'references' ? items.filter((item) => item !== null) : items) as readonly Json[]
}

function readObject(slot: Slot, value: YamlValue): FieldValue {
  if (value.kind !== 'map') return wrongType(slot, value)
  const { fields } = slot.definition
  for (const [name, { value: inner }] of value.entries) {
    const isDefined = fields.some((field) => field.name === name)
    if (!isDefined) slot.report(inner.at, undefinedField(name))
  }
  return readFieldValues(fields, value.entries, { ...slot, at: value.at, hintOf: undefined })
}

/** Returns the values of fields by name. */
function readFieldValues(
  defined: readonly FieldDefinition[],
  stated: Fields,
  context: Omit<Slot, 'definition'>,
): CustomFields {
  const read = defined.map((definition) => {
    const given = stated.get(definition.name)?.value
    return [definition.name, readRequired({ ...context, definition }, given)] as const
  })
  return Object.fromEntries(read)
}

function readScalar(slot: Slot, value: YamlValue): FieldValue {
  const { definition, report } = slot
  const { type } = definition
  if (value.kind !== 'text' || isAbsent(value)) return wrongType(slot, value)
  const { value: text, at } = value
  const scalar = scalarOf(type, text)
  if (scalar === undefined) return wrongType(slot, value)
  if (type === 'image') return text.trim() === '' ? null : (slot.resolveImage?.(text, at) ?? text)
  const refuse = (problem: Problem) => report(at, problem)
  if (type === 'reference' || type === 'references')
    return text.trim() === '' ? null : targetOf(definition, text, slot.targets?.(), refuse)
  const problem = problemOf(definition, text)
  if (problem !== undefined) refuse(problem)
  else if (typeof scalar === 'number') checkBounds(slot, scalar, '', at)
  else if (type !== 'list') checkBounds(slot, [...text].length, 'character', at)
  return scalar
}

/** Returns the summary of a target; null if it is left out, or unknown, which has been reported. */
function targetOf(
  { name: field, to }: FieldDefinition,
  name: string,
  targets: Targets | undefined,
  report: (problem: Problem) => void,
): Json {
  const { known, isComplete, isCreated } = targets?.get(to) ?? {}
  const found = known?.get(name)
  if (found !== undefined) return found && summaryOf(found)
  if (known === undefined || !isComplete) return null
  report({
    severity: isCreated ? 'warning' : 'error',
    code: 'unknown-reference',
    message: `\`${field}\` refers to ${JSON.stringify(name)}, which is not in ${to}.`,
    hint: 'Write a slug or an id.',
    near: () => nearest(name, [...known.keys()]),
  })
  return null
}

function problemOf({ name, options, pattern }: FieldDefinition, text: string): Problem | undefined {
  if (options.length > 0 && !options.includes(text)) {
    const message = `\`${name}\` has no option ${quote(text)}.`
    const hint = `Use one of ${options.join(', ')}.`
    return { code: 'unknown-option', message, hint, near: () => nearest(text, options) }
  }
  if (pattern === null || pattern.test(text)) return undefined
  const message = `\`${name}\` ${quote(text)} does not match its pattern.`
  return { code: 'invalid-field', message, hint: `It must match ${pattern.source}.` }
}

function checkBounds({ definition, report }: Slot, size: number, unit: string, at: Position): void {
  const { name, min, max } = definition
  const isTooSmall = min !== null && size < min
  if (!isTooSmall && (max === null || size <= max)) return
  const limit = isTooSmall ? `at least ${min}` : `at most ${max}`
  const units = `${unit}${(isTooSmall ? min : max) === 1 ? '' : 's'}`
  const must = unit === '' ? `must be ${limit}` : `must have ${limit} ${units}`
  const message = `\`${name}\` ${must}, not ${size}.`
  report(at, { code: 'invalid-field', message, hint: 'Change the value.' })
}

function wrongType({ definition, report }: Slot, value: YamlValue, isItem?: boolean): null {
  const { name, type } = definition
  const [what, hint] = types[type]
  const of = (isItem ?? listTypes.includes(type)) ? 'of ' : ''
  const text = value.kind === 'text' && !isAbsent(value) ? quote(value.value) : ''
  const found = text || `${of}${value.kind === 'text' ? 'nothing' : `a ${value.kind}`}`
  const message = `\`${name}\` must be ${what}, not ${found}.`
  report(value.at, { code: 'wrong-field-type', message, hint })
  return null
}

function scalarOf(type: FieldType, text: string): string | number | boolean | undefined {
  if (type === 'number') return parseNumber(text)
  if (type === 'date') return parseDate(text) ?? undefined
  if (type === 'image' && (!isSafeUrl(text) || /^mailto:/i.test(text))) return undefined
  if (type !== 'boolean') return text
  return /^(true|false)$/iu.test(text) ? text.toLowerCase() === 'true' : undefined
}

/** Converts a value to JSON with the types of YAML's core schema: numbers, true, false and null, unless quoted. */
export function toJson(value: YamlValue, report: Report): Json {
  if (value.kind === 'list') return value.items.map((item) => toJson(item, report))
  if (value.kind === 'map') {
    const entries = [...value.entries].map(([key, { value }]) => [key, toJson(value, report)])
    return Object.fromEntries(entries)
  }
  const { value: text, isPlain, at } = value
  if (!isPlain) return text
  if (isAbsent(value)) return null
  if (/^(?:true|false)$/iu.test(text)) return text.toLowerCase() === 'true'
  const number = parseNumber(text)
  if (number === undefined && /^-?(?:0|[1-9]\d*)$/.test(text)) {
    const message = `${quote(text)} is beyond 2^53: no reader of JSON keeps it exactly.`
    report(at, { code: 'wrong-field-type', message, hint: 'Put it in quotes, as text.' })
  }
  return number ?? text
}

/** Returns the map below `fields:`. */
export function ownFields(post: Reading): Reading {
  const own = post.fields.get('fields')
  return post.with(entriesOf(own?.value), own?.keyAt ?? post.at, new Map())
}

/** Returns the values of fields; undefined if none are defined. Invalid values have been reported. */
export function readCustomFields(
  { fields: defined, isBroken }: { fields: readonly FieldDefinition[]; isBroken: boolean },
  reading: Reading,
  isHidden: boolean,
  context: FieldContext,
): CustomFields | undefined {
  const names = defined.map(({ name }) => name)
  const withheld = isHidden ? {} : { hidden: withheldPost.hidden }
  if (!isBroken) warnUnknownKeys(reading, names, { withheld, unknown: undefinedField })
  if (defined.length === 0) return undefined
  const report: Report = (at, problem) => reading.report(at, problem)
  const values = readFieldValues(defined, reading.fields, { ...context, at: reading.at, report })
  for (const { name, isUnique } of isHidden ? [] : defined) {
    const value = values[name] ?? null
    if (!isUnique || value === null || context.owners === undefined) continue
    reading.claim(context.owners, JSON.stringify([name, value]), [name], (other) => ({
      code: 'duplicate-value',
      message: `The field \`${name}\` has the same value in ${other}.`,
      hint: 'Change one of them.',
    }))
  }
  return values
}

function undefinedField(name: string): Problem {
  return {
    code: 'unknown-field',
    severity: 'warning',
    message: `"${name}" is not a field of this workspace; it is ignored.`,
    hint: 'Define it below `fields` in workspace.yml.',
  }
}

function readRequired(slot: Slot, given: YamlValue | undefined): FieldValue {
  const { name, type, isRequired, default: usual } = slot.definition
  if (!isBlank(given)) return readValue(slot, given)
  if (!isRequired) return readValue(slot, given) ?? usual ?? (type === 'references' ? [] : null)
  slot.report(given?.at ?? slot.at, {
    code: 'missing-custom-field',
    message: `The field \`${name}\` is required but empty or missing.`,
    hint: slot.hintOf?.(name) || `Add \`${name}: …\`.`,
  })
  return null
}

function isBlank(value: YamlValue | undefined): boolean {
  if (value?.kind === 'text') return isAbsent(value) || value.value.trim() === ''
  return value === undefined || (value.kind === 'list' && value.items.length === 0)
}
