// Definitions of custom fields in a `workspace.yml`.
import * as z from 'zod'
import type { FieldValue } from '../api/resources.ts'
import type { YamlEntry } from '../content/raw.ts'
import { type FieldShape, type FieldType, fieldTypes, readFieldValue } from './field-values.ts'
import { didYouMean, type Problems } from './problems.ts'
import {
  fieldsOf,
  isAbsent,
  placeOf,
  type Reading,
  readFields,
  warnUnknownKeys,
} from './read-fields.ts'

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

/** All custom fields of a workspace. */
export interface FieldDefinitions {
  /** In file order, which is also the order in responses. */
  readonly defined: readonly FieldDefinition[]
  /** True if a definition has an error, which has been reported: an undefined name may mean that field. */
  readonly isDoubtful: boolean
}

/** Fields of a workspace that defines none. */
export const noFields: FieldDefinitions = { defined: [], isDoubtful: false }

/** Keys of a definition in its long form. */
export const definitionKeys: readonly string[] = [
  'type',
  'label',
  'description',
  'required',
  'index',
  'options',
  'default',
]

/**
 * Reads the definitions below `fields` of a `workspace.yml`: `name: type`, or `name: { type: …, … }`.
 *
 * @param settings the whole file
 */
export function readFieldDefinitions(settings: Reading, problems: Problems): FieldDefinitions {
  const value = settings.fields.get('fields')?.value
  // A value that is not a map has been reported with the other settings.
  if (value?.kind !== 'map')
    return { defined: [], isDoubtful: value !== undefined && !isAbsent(value) }
  const found = [...value.entries].map(([name, entry]) =>
    readDefinition(name, entry, settings, problems),
  )
  const defined = found.filter((definition) => definition !== undefined)
  return { defined, isDoubtful: defined.length < found.length }
}

/** Begins with a letter, so that no name is a number, which JSON would move to the front. */
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

const code = 'invalid-field-definition'

function issue(message: string, hint?: string) {
  return { code: 'custom' as const, message, params: { code, hint } }
}

const typeSchema = z.string('must be text').transform((text, context): FieldType => {
  const type = fieldTypes.find((known) => known === text)
  if (type !== undefined) return type
  context.addIssue(issue(`must be one of ${fieldTypes.join(', ')}`, didYouMean(text, fieldTypes)))
  return z.NEVER
})

const definitionSchema = z
  .object({
    type: typeSchema,
    label: z.string('must be text').nullable().default(null),
    description: z.string('must be text').nullable().default(null),
    required: z.enum(['true', 'false'], 'must be true or false').default('false'),
    index: z.enum(['true', 'false'], 'must be true or false').default('false'),
    options: z
      .array(z.string('must be text'), 'must be a list, such as [one, two]')
      .refine((options) => new Set(options).size === options.length, 'names an option twice')
      .default([]),
    default: z.unknown().optional(),
  })
  .superRefine(({ type, options, required, default: given }, context) => {
    if (type === 'select' && options.length === 0) {
      context.addIssue({ ...issue('must list what can be selected'), path: ['options'] })
    }
    if (type !== 'select' && type !== 'list' && options.length > 0) {
      context.addIssue({ ...issue('are only for the types select and list'), path: ['options'] })
    }
    if (required === 'true' && given !== undefined) {
      const message = 'has no effect with `required: true`, as every post has a value'
      context.addIssue({ ...issue(message, 'Keep one of them.'), path: ['default'] })
    }
  })

function readDefinition(
  name: string,
  { keyAt, value }: YamlEntry,
  { source }: Reading,
  problems: Problems,
): FieldDefinition | undefined {
  if (!namePattern.test(name)) {
    problems.report(source, keyAt, {
      code,
      message: `${JSON.stringify(name)} cannot be the name of a field.`,
      hint: 'Begin with a letter; letters A to Z, digits, "-" and "_" may follow, 64 characters at most.',
    })
    return undefined
  }
  // `rating: number` is the short form of `rating: { type: number }`.
  const fields = value.kind === 'text' ? new Map([['type', { keyAt, value }]]) : fieldsOf(value)
  const reading = { source, fields, at: keyAt }
  warnUnknownKeys(reading, definitionKeys, problems)
  const read = readFields(definitionSchema, reading, problems)
  if (read === undefined) return undefined
  const { type, options, label, description } = read
  const shape = { name, type, options }
  const fallback = readDefault(shape, reading, problems)
  const isRequired = read.required === 'true'
  const isIndexed = read.index === 'true'
  return fallback === undefined
    ? undefined
    : { ...shape, label, description, isRequired, isIndexed, default: fallback }
}

/** @returns undefined for a default that the field cannot have, which has been reported */
function readDefault(
  shape: FieldShape,
  reading: Reading,
  problems: Problems,
): FieldValue | undefined {
  const entry = reading.fields.get('default')
  if (entry === undefined) return null
  const read = readFieldValue(shape, entry.value)
  if (read.kind === 'value') return read.value
  problems.report(reading.source, placeOf(reading, ['default', ...read.path]), {
    ...read.problem,
    code,
    message: `The default of ${read.problem.message.charAt(0).toLowerCase()}${read.problem.message.slice(1)}`,
  })
  return undefined
}
