// A post's front matter with mapped keys, normalized for the schema: lists where lists are expected, one category.
import { postKeyTable } from '../api/post-keys.ts'
import type { YamlEntry, YamlValue } from '../content/raw.ts'
import { type Mappings, mappedFields, mappedTermFields } from './front-matter-mapping.ts'
import { mapFields } from './map-fields.ts'
import { type Fields, isAbsent, type Reading } from './read-fields.ts'

/** Mapped fields of a post. */
export interface MappedPost extends Pick<Reading, 'fields' | 'writtenAs'> {
  /** Keys that the mapping reads, or ignores by name. */
  readonly usedKeys: readonly string[]
  /** The second of several categories, at its position; it and the following ones became tags. */
  readonly moreCategories: YamlValue | undefined
}

/**
 * Maps and normalizes the fields of a post. An alias such as `date` becomes the field; a single text becomes a list of
 * one.
 */
export function mapPost(entries: Fields, mappings: Mappings): MappedPost {
  const { fields: mapped, usedKeys } = mapFields(entries, mappings.posts, mappedFields)
  const fields = new Map(mapped)
  for (const name of listKeys) {
    const entry = fields.get(name)
    if (entry !== undefined) fields.set(name, { ...entry, value: asList(entry.value) })
  }
  const moreCategories = splitCategories(fields)
  mapAuthors(fields, mappings)
  const writtenAs = new Map<string, string>()
  for (const [name, { alias }] of Object.entries(postKeyTable)) {
    const entry = alias === undefined ? undefined : fields.get(alias)
    if (alias === undefined || entry === undefined) continue
    const own = fields.get(name)
    if (own !== undefined && !isAbsent(own.value)) continue
    fields.set(name, entry)
    writtenAs.set(name, alias)
  }
  return { fields, usedKeys, moreCategories, writtenAs }
}

const listTypes: readonly string[] = ['tags', 'authors', 'identifiers']

const listKeys = Object.keys(postKeyTable).filter((name) =>
  listTypes.includes(postKeyTable[name]?.type ?? ''),
)

/** Drops empty items: many tools write a `-` with nothing after it. */
function asList(value: YamlValue): YamlValue {
  if (saysNothing(value)) return { kind: 'list', items: [], at: value.at }
  if (value.kind !== 'list') return { kind: 'list', items: [value], at: value.at }
  const items = value.items.filter((item) => !saysNothing(item))
  return items.length === value.items.length ? value : { ...value, items }
}

function saysNothing(value: YamlValue): boolean {
  return isAbsent(value) || (value.kind === 'text' && value.value.trim() === '')
}

/** Keeps the first of several categories and adds the others to the tags. @returns the second */
function splitCategories(fields: Map<string, YamlEntry>): YamlValue | undefined {
  const category = fields.get('category')
  if (category?.value.kind !== 'list') return undefined
  const items = category.value.items.filter((item) => !saysNothing(item))
  const [first, ...others] = items
  if (first === undefined) fields.delete('category')
  else fields.set('category', { ...category, value: first })
  if (others.length === 0) return undefined
  const tags = fields.get('tags')
  const own = tags?.value.kind === 'list' ? tags.value.items : []
  const named = new Set(own.map(textOf))
  const added = others.filter((item) => !named.has(textOf(item)))
  const at = tags?.value.at ?? category.value.at
  const value: YamlValue = { kind: 'list', items: [...own, ...added], at }
  fields.set('tags', { keyAt: tags?.keyAt ?? category.keyAt, value })
  return others[0]
}

function textOf(value: YamlValue): unknown {
  return value.kind === 'text' ? value.value : value
}

/** Maps authors written as maps, like authors in files. */
function mapAuthors(fields: Map<string, YamlEntry>, mappings: Mappings): void {
  const authors = fields.get('authors')
  if (authors?.value.kind !== 'list') return
  if (!authors.value.items.some(({ kind }) => kind === 'map')) return
  const items = authors.value.items.map((item): YamlValue => {
    if (item.kind !== 'map') return item
    const { fields: entries } = mapFields(item.entries, mappings.authors, mappedTermFields)
    return { ...item, entries }
  })
  fields.set('authors', { ...authors, value: { ...authors.value, items } })
}
