// Terms in a data file: a list of maps or names, or a map by slug.
import type { RawYaml, YamlEntry, YamlValue } from '../content/raw.ts'
import { slugify } from './identifier.ts'
import type { Problems } from './problems.ts'
import { type Fields, fieldsOf, type Reading } from './read-fields.ts'
import { readList } from './read-list.ts'

/** Returns every term of a data file, and reports everything else. */
export function readTermList(list: RawYaml, kind: string, problems: Problems): readonly Reading[] {
  const { file, source: text, value } = list
  const source = { file, text }
  if (value.kind === 'map') {
    return [...value.entries].map(([slug, { keyAt, value: inner }]) => {
      const named: YamlEntry = {
        keyAt,
        value: { kind: 'text', value: slug, isPlain: false, at: keyAt },
      }
      return { source, fields: withSlug(named, inner), at: keyAt }
    })
  }
  if (value.kind !== 'list') return readList(list, { name: kind, firstKey: 'slug' }, problems)
  const items = value.items.map((item) => (item.kind === 'text' ? named(item, item.value) : item))
  const form = { name: kind, firstKey: 'slug' }
  return readList({ ...list, value: { ...value, items } }, form, problems)
}

/** Converts the entry of a slug: its value is a map, or just a name. */
function withSlug(slug: YamlEntry, inner: YamlValue): Fields {
  if (inner.kind === 'text')
    return new Map([
      ['slug', slug],
      ['name', { keyAt: inner.at, value: inner }],
    ])
  const fields = fieldsOf(inner)
  return fields.has('slug') ? fields : new Map([['slug', slug], ...fields])
}

/** Converts a name in a list to a term with the slug of that name. */
function named(value: YamlValue, name: string): YamlValue {
  const { at } = value
  const slug: YamlValue = { kind: 'text', value: slugify(name), isPlain: false, at }
  const entries = Object.entries({ slug, name: value })
  return {
    kind: 'map',
    entries: new Map(entries.map(([key, of]) => [key, { keyAt: at, value: of }])),
    at,
  }
}
