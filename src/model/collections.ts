// Collections and singletons of a workspace, as its `workspace.yml` defines them.
import * as z from 'zod'
import { isSortable } from '../api/parameter-values.ts'
import { type ResourceKind, resourceKinds } from '../api/resources.ts'
import type { OrderBy } from '../api/snapshot.ts'
import { isOwnSource } from '../content/mounts.ts'
import { nearest } from '../content/source.ts'
import {
  builtInKeys,
  type FieldDefinition,
  indexedFields,
  readFieldDefinitions,
} from './custom-fields.ts'
import { foldCase, identifierProblem } from './identifier.ts'
import { fieldsOf, type Reading, readFields, warnUnknownKeys } from './read-fields.ts'
import { text, withoutProblem } from './schema.ts'

/** Where a collection is in a workspace. */
export interface CollectionDefinition {
  readonly name: string
  /** Path of a folder of Markdown files, or of a file that is a list, below the folder of the workspace. */
  readonly source: string
  readonly fields: readonly FieldDefinition[]
  /** Null for the order of dates or files. */
  readonly orderBy: OrderBy | null
}

const source = withoutProblem((path) =>
  isOwnSource(path) ? null : 'must be a path below the folder of the workspace, and not of posts',
)

const shape = z.object({
  folder: source.optional(),
  file: source.optional(),
  fields: z.looseObject({}, 'must be a map, such as `level: number`').optional(),
  orderBy: text.optional(),
})

/** What a reference can refer to: kinds of resources, and the collections of the workspace. */
export function targetsIn(settings: Reading): readonly string[] {
  return [...resourceKinds, ...entriesOf(settings, 'collections').map(([name]) => name)]
}

/** Reads the collections of a workspace; problems are reported. */
export function readCollections(
  settings: Reading,
  targets: readonly string[],
): readonly CollectionDefinition[] {
  const names = { reserved: builtInKeys, targets }
  const sources = new Map<string, string>()
  return entriesOf(settings, 'collections').flatMap(([name, { keyAt, value }]) => {
    if (!isNamed(name, settings, keyAt)) return []
    const reading = settings.with(fieldsOf(value), keyAt)
    warnUnknownKeys(reading, Object.keys(shape.shape))
    const read = readFields(shape, reading)
    if (read === undefined) return []
    const path = read.folder ?? read.file
    if (path === undefined || (read.folder !== undefined && read.file !== undefined)) {
      const message = `The collection ${JSON.stringify(name)} needs \`folder\` or \`file\`, and not both.`
      reading.report([], { code: 'invalid-field', message, hint: `Write \`folder: ${name}\`.` })
      return []
    }
    const other = sources.get(foldCase(path)) ?? sources.get(`name ${foldCase(name)}`)
    sources.set(foldCase(path), name).set(`name ${foldCase(name)}`, name)
    if (other !== undefined) {
      const message = `The collection ${JSON.stringify(name)} has the name or the place of ${JSON.stringify(other)}.`
      reading.report([], { code: 'invalid-field', message, hint: 'Change one of them.' })
      return []
    }
    const fields = readFieldDefinitions(reading, reading.fields.get('fields')?.value, names)
    const orderBy = orderOf(read.orderBy, fields, reading)
    return orderBy === undefined ? [] : [{ name, source: path, fields, orderBy }]
  })
}

function orderOf(
  given: string | undefined,
  fields: readonly FieldDefinition[],
  reading: Reading,
): OrderBy | null | undefined {
  if (given === undefined) return null
  const builtIn = (['title', 'publishedAt', 'updatedAt'] as const).find((name) => name === given)
  if (builtIn !== undefined) return builtIn
  const sortable = indexedFields(fields).filter(({ type }) => isSortable(type))
  const names = sortable.map(({ name }) => name)
  if (names.includes(given)) return `fields.${given}`
  reading.report(['orderBy'], {
    code: 'invalid-field',
    message: `\`orderBy\` ${JSON.stringify(given)} must be title, publishedAt, updatedAt or a field with \`index: true\`.`,
    near: () => nearest(given, [...names, 'title', 'publishedAt', 'updatedAt']),
  })
  return undefined
}

/** Reads the names of the singletons of a workspace; problems are reported. */
export function readSingletons(settings: Reading): readonly string[] {
  return entriesOf(settings, 'singletons').flatMap(([name, { keyAt, value }]) => {
    if (!isNamed(name, settings, keyAt)) return []
    if (value.kind === 'text' && isOwnSource(value.value) && /\.\w+$/.test(value.value))
      return [name]
    const message = `The singleton ${JSON.stringify(name)} must be a file of the workspace.`
    const hint = `Write \`${name}: ${name}.yml\`; the file ends in .yml, .json or .md.`
    settings.report(value.at, { code: 'invalid-field', message, hint })
    return []
  })
}

function entriesOf(settings: Reading, key: string) {
  const value = settings.fields.get(key)?.value
  return [...fieldsOf(value)]
}

/** A name is part of paths. Kinds of resources are taken. */
function isNamed(name: string, settings: Reading, at: Parameters<Reading['report']>[0]): boolean {
  const isTaken = resourceKinds.includes(name as ResourceKind)
  const problem = isTaken ? 'is a kind of resources' : identifierProblem(name)
  if (problem === null) return true
  const message = `The name ${JSON.stringify(name)} ${problem}.`
  settings.report(at, { code: 'invalid-identifier', message, hint: 'Choose another name.' })
  return false
}
