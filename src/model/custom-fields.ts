// Custom fields of a post, validated against the definitions of its workspace.
import type { CustomFields, FieldValue } from '../api/resources.ts'
import { nearest } from '../content/nearest.ts'
import type { YamlEntry } from '../content/raw.ts'
import type { FieldDefinition, FieldDefinitions } from './field-definitions.ts'
import { readFieldValue } from './field-values.ts'
import type { Problems } from './problems.ts'
import { fieldsOf, isAbsent, placeOf, plain, type Reading } from './read-fields.ts'
import { shownKey, withheldPost, withholds } from './withheld-keys.ts'

/** Custom fields of a post. */
export interface ReadCustomFields {
  /** Every defined field, in order of definition; undefined if none is defined. */
  readonly fields: CustomFields | undefined
  /** True if a field has an error, which has been reported. */
  readonly isBroken: boolean
}

/** The custom fields of a post, and its front matter. */
interface OwnFields {
  /** The entry `fields`: a map. */
  readonly own: YamlEntry | undefined
  readonly reading: Reading
  readonly isDraft: boolean
}

/** Reads the custom fields below `fields:`. */
export function readCustomFields(
  definitions: FieldDefinitions,
  { own, reading: post, isDraft }: OwnFields,
  problems: Problems,
): ReadCustomFields {
  if (own === undefined && definitions.defined.length === 0) {
    return { fields: undefined, isBroken: false }
  }
  const reading: Reading = {
    source: post.source,
    fields: own === undefined ? new Map() : fieldsOf(own.value),
    get at() {
      return own?.keyAt ?? post.at
    },
  }
  warnUndefined(definitions, reading, isDraft, problems)
  if (definitions.defined.length === 0) return { fields: undefined, isBroken: false }
  const read = definitions.defined.map((definition): readonly [string, FieldValue | undefined] => [
    definition.name,
    readField(definition, reading, problems),
  ])
  const isBroken = read.some(([, value]) => value === undefined)
  return { fields: isBroken ? undefined : (Object.fromEntries(read) as CustomFields), isBroken }
}

function warnUndefined(
  { defined, isDoubtful }: FieldDefinitions,
  { source, fields }: Reading,
  isDraft: boolean,
  problems: Problems,
): void {
  if (isDoubtful) return
  const names = defined.map(({ name }) => name)
  for (const [name, { keyAt, value }] of fields) {
    if (names.includes(name)) continue
    if (!isDraft && withholds(name, plain(value)) === 'hidden') {
      const problem = withheldPost.hidden?.(shownKey(name, value, plain(value)))
      if (problem) problems.report(source, keyAt, { code: 'withheld-key', ...problem })
      continue
    }
    problems.report(source, keyAt, {
      code: 'unknown-field',
      severity: 'warning',
      message: `"${name}" is not a field of this workspace; it is ignored.`,
      hint: 'Define it below `fields` in workspace.yml.',
      near: () => nearest(name, names),
    })
  }
}

/** @returns undefined for an invalid value, which has been reported */
function readField(
  definition: FieldDefinition,
  reading: Reading,
  problems: Problems,
): FieldValue | undefined {
  const { name } = definition
  const value = reading.fields.get(name)?.value
  const read = value === undefined || isAbsent(value) ? absent : readFieldValue(definition, value)
  if (read.kind === 'problem') {
    problems.report(reading.source, placeOf(reading, [name, ...read.path]), read.problem)
    return undefined
  }
  if (!saysNothing(read.value)) return read.value
  if (!definition.isRequired) return read.value ?? definition.default
  problems.report(reading.source, placeOf(reading, [name]), {
    code: 'missing-custom-field',
    message: `The field \`${name}\` is required but empty or missing.`,
    hint: `Add \`${name}: …\` below \`fields:\`.`,
  })
  return undefined
}

const absent = { kind: 'value', value: null } as const

function saysNothing(value: FieldValue): boolean {
  if (typeof value === 'string') return value.trim() === ''
  return value === null || (Array.isArray(value) && value.length === 0)
}
