// Maps the keys of foreign front matter to quarry's fields.

import { parseDate } from '../api/dates.ts'
import { postKeyTable } from '../api/post-keys.ts'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import {
  type FieldSource,
  type FrontMatterMapping,
  type Mappings,
  mappedFields,
  mappedTermFields,
  type TermMapping,
} from './front-matter-mapping.ts'
import { slugify } from './identifier.ts'
import { type Fields, isAbsent } from './read-fields.ts'

/** Front matter with mapped keys. */
export interface MappedFields {
  readonly fields: Map<string, YamlEntry>
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
  const sources = Object.entries(given).map(([field, from]) => {
    const isList = typeof from === 'string' || Array.isArray(from)
    const source: FieldSource = isList ? { from } : ((from ?? {}) as FieldSource)
    return { field, source, keys: [source.from ?? [], field].flat() }
  })
  const read = new Set(sources.flatMap(({ keys }) => keys.map((key) => topKey(fields, key))))
  // A mapped key is dropped unless it is also the name of a field.
  const mapped = new Map([...fields].filter(([key]) => !read.has(key) || own.includes(key)))
  for (const { field, source, keys } of sources) {
    const key = keyOf(field, fields, source, keys)
    const entry = (key === undefined ? undefined : entryAt(fields, key)) ?? defaultEntry(source)
    // `not` applies to the other tool's key: neither to the field's own name nor to the default.
    const not = key !== undefined && key !== field && source.not === true
    // A term stays a name: the lookup derives the slug.
    const steps = { ...source, not, ...(isTerm(field) ? { slugify: false } : {}) }
    if (entry === undefined) mapped.delete(field)
    else mapped.set(field, { ...entry, value: shape(entry.value, steps) })
  }
  return { fields: mapped, usedKeys: [...read, ...(ignore === true ? [] : ignore)] }
}

function isTerm(field: string): boolean {
  return ['category', 'tags', 'authors'].includes(postKeyTable[field]?.type ?? '')
}

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

/** Returns the key whose value a field takes. */
function keyOf(
  field: string,
  fields: Fields,
  source: FieldSource,
  keys: readonly string[],
): string | undefined {
  const stated = keys.filter((key) => {
    const entry = entryAt(fields, key)
    return entry !== undefined && !isAbsent(entry.value)
  })
  const isDraft = (key: string, steps: FieldSource) => {
    const value = entryAt(fields, key)?.value
    return value !== undefined && !isFalse(shape(value, steps))
  }
  const own = fields.get(field)?.value
  if (field === 'status' && own && !isAbsent(own)) {
    if (own.kind !== 'text' || own.value !== 'published') return field
  }
  // No other key publishes what quarry's own field, or a mapped one, makes a draft.
  if (field !== 'draft') return stated[0]
  if (stated.includes(field) && isDraft(field, {})) return field
  return stated.find((key) => key !== field && isDraft(key, source)) ?? stated[0]
}

function isFalse(value: YamlValue): boolean {
  return value.kind === 'text' && /^false$/iu.test(value.value)
}

function defaultEntry(source: FieldSource): YamlEntry | undefined {
  if (source.default === undefined) return undefined
  const at = { line: 1, column: 1 }
  return { keyAt: at, value: { kind: 'text', value: source.default, isPlain: false, at } }
}

function shape(value: YamlValue, source: FieldSource): YamlValue {
  const { at } = value
  let found = value
  if (source.split !== undefined && value.kind === 'text') {
    const parts = value.value.split(source.split === ' ' ? /\s+/u : source.split)
    const texts = parts.map((part) => part.trim()).filter((part) => part !== '')
    found = { kind: 'list', items: texts.map((text) => ({ ...value, value: text })), at }
  }
  if (source.take !== undefined && found.kind === 'list') {
    const item = found.items.at(source.take === 'first' ? 0 : -1)
    found = item ?? { kind: 'text', value: '', isPlain: true, at }
  }
  if (found.kind !== 'list') return shapeText(found, source)
  return { ...found, items: found.items.map((item) => shapeText(item, source)) }
}

function shapeText(value: YamlValue, source: FieldSource): YamlValue {
  if (value.kind !== 'text') return value
  let text = value.value
  if (source.slugify === true) text = slugify(text)
  if (source.dates === 'loose') text = parseDate(text, 'loose') ?? text
  if (source.not === true && /^(?:true|false)$/iu.test(text)) {
    text = String(/^false$/iu.test(text))
  }
  return { ...value, value: text }
}

/** Mapped fields of a post. */
export interface MappedPost extends MappedFields {
  /** Original keys of fields that have another name in the file. */
  readonly writtenAs: ReadonlyMap<string, string>
  /** The second of several categories, at its position; it and the following ones became tags. */
  readonly moreCategories: YamlValue | undefined
}

/**
 * Maps and normalizes the fields of a post. An alias such as `date` becomes the field; a single text becomes a list of
 * one.
 */
export function mapPost(entries: Fields, mappings: Mappings): MappedPost {
  const { fields, usedKeys } = mapFields(entries, mappings.posts, mappedFields)
  const writtenAs = new Map<string, string>()
  for (const [name, { type, alias }] of Object.entries(postKeyTable)) {
    const own = fields.get(name)
    const isList = ['tags', 'authors', 'identifiers'].includes(type)
    if (isList && own !== undefined) fields.set(name, { ...own, value: asList(own.value) })
    const other = alias === undefined ? undefined : fields.get(alias)
    if (alias === undefined || other === undefined || (own !== undefined && !isAbsent(own.value)))
      continue
    fields.set(name, other)
    writtenAs.set(name, alias)
  }
  const moreCategories = splitCategories(fields)
  const authors = fields.get('authors')
  if (authors?.value.kind === 'list') {
    // Authors written as maps are mapped like authors in files.
    const items = authors.value.items.map((item): YamlValue => {
      if (item.kind !== 'map') return item
      return {
        ...item,
        entries: mapFields(item.entries, mappings.authors, mappedTermFields).fields,
      }
    })
    fields.set('authors', { ...authors, value: { ...authors.value, items } })
  }
  return { fields, usedKeys, moreCategories, writtenAs }
}

/** Drops empty items: many tools write a `-` with nothing after it. */
function asList(value: YamlValue): YamlValue {
  const items = (value.kind === 'list' ? value.items : [value]).filter((item) => !saysNothing(item))
  return { kind: 'list', items, at: value.at }
}

function saysNothing(value: YamlValue): boolean {
  return isAbsent(value) || (value.kind === 'text' && value.value.trim() === '')
}

/** Keeps the first of several categories and adds the others to the tags. @returns the second */
function splitCategories(fields: Map<string, YamlEntry>): YamlValue | undefined {
  const category = fields.get('category')
  if (category?.value.kind !== 'list') return undefined
  const [first, ...others] = category.value.items.filter((item) => !saysNothing(item))
  if (first === undefined) fields.delete('category')
  else fields.set('category', { ...category, value: first })
  if (others.length === 0) return undefined
  const tags = fields.get('tags') ?? category
  const own = tags !== category && tags.value.kind === 'list' ? tags.value.items : []
  const textOf = (value: YamlValue) => (value.kind === 'text' ? value.value : value)
  const named = new Set(own.map(textOf))
  const added = others.filter((item) => !named.has(textOf(item)))
  const value: YamlValue = { kind: 'list', items: [...own, ...added], at: tags.value.at }
  fields.set('tags', { keyAt: tags.keyAt, value })
  return others[0]
}
