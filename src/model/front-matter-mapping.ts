// Reads foreign front matter under the names that are known here: which key a field comes from, and how its
// value is put into shape. Knows nothing of what the fields mean.
import type { YamlEntry, YamlText, YamlValue } from '../content/raw.ts'
import { parseDate } from './dates.ts'
import { slugify } from './identifier.ts'
import { type Fields, isAbsent } from './read-fields.ts'

/** The fields of a post that can be mapped. */
export const mappedFields = [
  'title',
  'slug',
  'id',
  'description',
  'category',
  'tags',
  'authors',
  'publishedAt',
  'updatedAt',
  'featured',
  'coverImage',
  'attribution',
  'status',
  'draft',
] as const

export type MappedField = (typeof mappedFields)[number]

/** Where a field comes from, and how its value is put into shape; steps are taken in this order. */
export interface FieldSource {
  /** Keys to read; the first that says something wins. The field's own name is always tried last. */
  readonly from?: string | readonly string[]
  /** Cuts text into a list at this separator; `' '` at any white space. */
  readonly split?: string
  /** Of a list, one item only. */
  readonly take?: 'first' | 'last'
  /** Makes a slug of text: `Open Source` becomes `open-source`. */
  readonly slugify?: boolean
  /** Also reads dates with a blank: `2024-05-06 07:08:09 +0200`. */
  readonly dates?: 'loose'
  /** Turns true into false and back, of the keys in `from` alone: `draft: { from: 'published', not: true }`. */
  readonly not?: boolean
  /** The value when no key says anything. */
  readonly default?: string
}

/** Where a slug comes from. */
export interface SlugSource extends FieldSource {
  /**
   * What a slug is made of when no key states one: the file's name, or its whole path below `posts/`, with
   * `-` for `/` and without a last `index`.
   */
  readonly derive?: 'name' | 'path'
}

/**
 * How posts written for another tool are read.
 *
 * ```ts
 * { publishedAt: 'date', tags: ['tags', 'keywords'], category: { from: 'categories', take: 'first' } }
 * ```
 */
export type FrontMatterMapping = {
  readonly [field in Exclude<MappedField, 'slug'>]?: string | readonly string[] | FieldSource
} & {
  readonly slug?: string | readonly string[] | SlugSource
  /** Keys that are there for other tools: no warning is given for them. `true` for all. */
  readonly ignore?: readonly string[] | true
}

/** Front matter under known names. */
export interface MappedFields {
  readonly fields: Fields
  /** Keys that the mapping read or ignores. */
  readonly usedKeys: readonly string[]
}

/** Front matter under the names that are known here; keys that are not mapped pass as they are. */
export function mapFields(fields: Fields, mapping: FrontMatterMapping): MappedFields {
  const { ignore = [], ...given } = mapping
  const sources = Object.entries(given).map(([field, source]) => ({
    field,
    source: normalise(source),
    keys: keysOf(field, normalise(source)),
  }))
  const read = new Set(sources.flatMap(({ keys }) => keys))
  // A key that was read under another name is not also what it was, unless that is a field of its own.
  const mapped = new Map([...fields].filter(([key]) => !read.has(key) || isMappedField(key)))
  for (const { field, source, keys } of sources) {
    const key = saysDraft(field, fields) ? field : findKey(fields, keys)
    const entry = (key === undefined ? undefined : fields.get(key)) ?? defaultEntry(source)
    // `not` is said of the other tool's key: neither of the field's own name nor of the default.
    const steps = key === undefined || key === field ? { ...source, not: false } : source
    if (entry === undefined) mapped.delete(field)
    else mapped.set(field, { ...entry, value: shape(entry.value, steps) })
  }
  return { fields: mapped, usedKeys: [...read, ...(ignore === true ? fields.keys() : ignore)] }
}

/** The source of one field of a mapping, in its long form. */
export function normalise(
  given: string | readonly string[] | FieldSource | undefined,
): FieldSource {
  if (given === undefined) return {}
  return typeof given === 'string' || isList(given) ? { from: given } : given
}

function isMappedField(key: string): boolean {
  return mappedFields.some((field) => field === key)
}

function keysOf(field: string, { from = [] }: FieldSource): readonly string[] {
  return [...(typeof from === 'string' ? [from] : from), field]
}

/** True when a post calls itself a draft in our own words: no other key publishes it then. */
function saysDraft(field: string, fields: Fields): boolean {
  const value = fields.get(field)?.value
  if (value?.kind !== 'text') return false
  return field === 'draft'
    ? /^true$/iu.test(value.value)
    : field === 'status' && value.value === 'draft'
}

function findKey(fields: Fields, keys: readonly string[]): string | undefined {
  return keys.find((key) => {
    const entry = fields.get(key)
    return entry !== undefined && !isAbsent(entry.value)
  })
}

function defaultEntry(source: FieldSource): YamlEntry | undefined {
  if (source.default === undefined) return undefined
  const at = { line: 1, column: 1 }
  return { keyAt: at, value: { kind: 'text', value: source.default, isPlain: false, at } }
}

function shape(value: YamlValue, source: FieldSource): YamlValue {
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
