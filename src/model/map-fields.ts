// Maps the keys of foreign front matter to quarry's fields.

import { parseDate } from '../api/dates.ts'
import { postKeyTable } from '../api/post-keys.ts'
import type { YamlEntry, YamlText, YamlValue } from '../content/raw.ts'
import type { FieldSource, FrontMatterMapping, TermMapping } from './front-matter-mapping.ts'
import { slugify } from './identifier.ts'
import { type Fields, isAbsent } from './read-fields.ts'

/** Front matter with mapped keys. */
export interface MappedFields {
  readonly fields: Fields
  /** Keys that the mapping reads, or ignores by name. */
  readonly usedKeys: readonly string[]
}

/**
 * Maps front matter. Keys without a mapping are kept.
 *
 * @param own names of all fields of the kind
 */
export function mapFields(
  fields: Fields,
  mapping: FrontMatterMapping | TermMapping,
  own: readonly string[],
): MappedFields {
  const { ignore = [], ...given } = mapping
  const sources = Object.entries(given).map(([field, source]) => ({
    field,
    source: normalise(source),
    keys: keysOf(field, normalise(source)),
  }))
  const read = new Set(sources.flatMap(({ keys }) => keys.map((key) => topKey(fields, key))))
  // A mapped key is dropped unless it is also the name of a field.
  const mapped = new Map([...fields].filter(([key]) => !read.has(key) || own.includes(key)))
  for (const { field, source, keys } of sources) {
    const key = saysDraft(field, fields)
      ? field
      : (hidingKey(field, fields, source, keys) ?? findKey(fields, keys))
    const entry = (key === undefined ? undefined : entryAt(fields, key)) ?? defaultEntry(source)
    // `not` applies to the other tool's key: neither to the field's own name nor to the default.
    const steps = key === undefined || key === field ? { ...source, not: false } : source
    const isName = references.has(field)
    if (entry === undefined) mapped.delete(field)
    else mapped.set(field, { ...entry, value: shape(entry.value, steps, isName) })
  }
  return { fields: mapped, usedKeys: [...read, ...(ignore === true ? [] : ignore)] }
}

function normalise(given: string | readonly string[] | FieldSource | undefined): FieldSource {
  if (given === undefined) return {}
  return typeof given === 'string' || isList(given) ? { from: given } : given
}

/** Fields whose text is a name: the lookup derives the slug. */
const references: ReadonlySet<string> = new Set(
  Object.keys(postKeyTable).filter((name) =>
    ['category', 'tags', 'authors'].includes(postKeyTable[name]?.type ?? ''),
  ),
)

/** Returns the entry of a key or a path. A key that contains dots takes precedence. */
function entryAt(fields: Fields, path: string): YamlEntry | undefined {
  const own = fields.get(path)
  const dot = path.indexOf('.')
  if (own !== undefined || dot === -1) return own
  const outer = fields.get(path.slice(0, dot))?.value
  return outer?.kind === 'map' ? entryAt(outer.entries, path.slice(dot + 1)) : undefined
}

function topKey(fields: Fields, path: string): string {
  const dot = path.indexOf('.')
  return dot === -1 || fields.has(path) ? path : path.slice(0, dot)
}

function keysOf(field: string, { from = [] }: FieldSource): readonly string[] {
  return [...(typeof from === 'string' ? [from] : from), field]
}

/** Reports whether quarry's own field may make the post a draft: no other key can publish it then. */
function saysDraft(field: string, fields: Fields): boolean {
  const value = fields.get(field)?.value
  if (value === undefined || isAbsent(value)) return false
  const text = value.kind === 'text' ? value.value : ''
  if (field === 'draft') return !/^false$/iu.test(text)
  return field === 'status' && text !== 'published'
}

/** Returns the first key mapped to `draft` that does not say that the post is public. */
function hidingKey(
  field: string,
  fields: Fields,
  source: FieldSource,
  keys: readonly string[],
): string | undefined {
  if (field !== 'draft') return undefined
  return keys.find((key) => {
    const value = entryAt(fields, key)?.value
    if (value === undefined || isAbsent(value) || key === field) return false
    const text = shape(value, source, false)
    return text.kind !== 'text' || !/^false$/iu.test(text.value)
  })
}

function findKey(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.find((key) => {
    const entry = entryAt(fields, key)
    return entry !== undefined && !isAbsent(entry.value)
  })
}

function defaultEntry(source: FieldSource): YamlEntry | undefined {
  if (source.default === undefined) return undefined
  const at = { line: 1, column: 1 }
  return { keyAt: at, value: { kind: 'text', value: source.default, isPlain: false, at } }
}

function shape(value: YamlValue, given: FieldSource, isName: boolean): YamlValue {
  const source = isName ? { ...given, slugify: false } : given
  const list = source.split === undefined ? value : splitText(value, source.split)
  const one = source.take === undefined ? list : takeItem(list, source.take)
  if (one.kind !== 'list') return shapeText(one, source)
  return { ...one, items: one.items.map((item) => shapeText(item, source)) }
}

function splitText(value: YamlValue, separator: string): YamlValue {
  if (value.kind !== 'text') return value
  const parts = value.value.split(separator === ' ' ? /\s+/u : separator)
  const items = parts.map((part) => part.trim()).filter((part) => part !== '')
  return {
    kind: 'list',
    items: items.map((item): YamlText => ({ ...value, value: item })),
    at: value.at,
  }
}

function takeItem(value: YamlValue, which: 'first' | 'last'): YamlValue {
  if (value.kind !== 'list') return value
  return (
    value.items.at(which === 'first' ? 0 : -1) ?? {
      ...value,
      kind: 'text',
      value: '',
      isPlain: true,
    }
  )
}

function shapeText(value: YamlValue, source: FieldSource): YamlValue {
  if (value.kind !== 'text') return value
  let text = value.value
  if (source.slugify === true) text = slugify(text)
  if (source.dates === 'loose') text = parseDate(text, 'loose') ?? text
  if (source.not === true) text = opposite(text)
  return { ...value, value: text }
}

function opposite(text: string): string {
  if (/^true$/iu.test(text)) return 'false'
  return /^false$/iu.test(text) ? 'true' : text
}

function isList(given: readonly string[] | FieldSource): given is readonly string[] {
  return Array.isArray(given)
}
