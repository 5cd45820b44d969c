// Derives the front matter of an imported post from that of its source. Every key goes through the ledger: it fills a
// field, becomes a custom field, or is left out with a reason.
import { type FieldType, parseDate, slugify } from 'quarry/authoring'
import { wordSet } from '../parts.ts'
import type { FieldValue, ImportContext, PostHead, StaticSite } from '../site.ts'
import { lastSegment, type Terms } from '../terms.ts'
import { type Byline, readByline } from './authors.ts'
import type { DocumentDestinations } from './destinations.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import { judge, knownKeys, mainFields, momentOf, readMoment, slugKeys } from './post-head.ts'

/** The context that the fields of all posts share. */
export interface FieldContext extends Pick<ImportContext, 'report'> {
  readonly site: StaticSite
  readonly terms: Terms
  readonly types: FieldTypes
  readonly keys: ImportContext['keys']
}

/** The data of a post, as written, and the targets of its keys. */
export interface PostData {
  readonly byline: Byline
  readonly category: string | undefined
  readonly tags: readonly string[]
  readonly filling: Filling
  /** Keys with a target, in lower case: a field or another target. */
  readonly used: ReadonlyMap<string, string>
  readonly custom: ReadonlyMap<string, FieldValue>
}

/** The key that fills each field: the first one with a suitable value. */
type Filling = { readonly [field in FilledField]?: string | undefined }
type FilledField = (typeof mainFields)[number]
const names = {
  ...{ date: 'publishedAt', updated: 'updatedAt', cover: 'coverImage' },
  ...{ title: 'title', description: 'description', featured: 'featured' },
} as const

export function readPost(head: PostHead, context: FieldContext): PostData {
  const { values, typed, file } = head
  const { site, terms, keys } = context
  const splits = site.splitsAtBlanks ?? false
  const isKey = (text: string) => terms.slugOf('authors', text) !== undefined
  const stated = keysOf(values, ...authorKeys).map((key) => valueAt(values, key))
  const named = stated.length === 0 ? [site.author] : stated
  const byline = readByline(named, isKey)
  const namesAt = (found: readonly string[]) => found.flatMap((key) => namesOf(values, key, splits))
  const categories = [...namesAt(categoryKeysOf(values, keys)), ...(file.categories ?? [])]
  const [category = site.category, ...others] = new Set(categories)
  const tags = namesAt(keysOf(values, ...tagKeys))
  const keyOf = (field: FilledField) =>
    knownKeys[field].find((key) => fits(field, valueAt(values, key)))
  const filling = Object.fromEntries(mainFields.map((field) => [field, keyOf(field)]))
  const used = usedKeys(values, usesOf(head, context, { byline, filling }))
  const own = wordSet(site.ownKeys.toLowerCase())
  const custom = new Map<string, FieldValue>()
  const taken = new Set<string | undefined>()
  for (const [key, value] of Object.entries(typed)) {
    const isKnown = used.has(key.toLowerCase()) || own.has(key.toLowerCase())
    if (isKnown || isEmpty(value) || taken.has(fieldName(key))) continue
    taken.add(fieldName(key))
    custom.set(key, value)
  }
  if (byline.text !== undefined && !custom.has('byline')) custom.set('byline', byline.text)
  if (others.length > 0)
    context.report.add('changed', 'categories after the first → tags', file.path)
  return { byline, category, filling, used, custom, tags: [...new Set([...tags, ...others])] }
}

/** Returns targets by key in lower case. A value stays a custom field if its field cannot hold all of it. */
function usedKeys(values: Values, uses: readonly Use[]): ReadonlyMap<string, string> {
  const used = new Map<string, string>()
  const paths = uses.map(([path]) => path.toLowerCase())
  const isField = (target: string) => mainFields.some((field) => names[field] === target)
  for (const [key, target] of uses) {
    const [name = ''] = key.toLowerCase().split('.')
    if (used.has(name) || asList(valueAt(values, key)).length === 0) continue
    if (!isField(target) || isWhole(name, values, paths)) used.set(name, target)
  }
  return used
}

/** Reports whether fields can hold all parts of the value of a key. @param used paths of keys, in lower case */
function isWhole(name: string, values: Values, used: readonly string[]): boolean {
  const [first, ...others] = asList(valueAt(values, name))
  const hasPlace = ([part, item]: readonly [string, FieldValue]) =>
    isEmpty(item) ||
    used.includes(`${name}.${part.toLowerCase()}`) ||
    (used.includes(name) && /^(?:src|url|image)$/.test(part))
  return others.length === 0 && (!isMap(first) || Object.entries(first).every(hasPlace))
}

function fits(field: FilledField, value: FieldValue): boolean {
  const [first] = asList(value)
  const isText = typeof value === 'string' && value.trim() !== ''
  if (field === 'cover') return imageOf(value) !== undefined
  if (field === 'featured') return /^(?:true|false)$/.test(String(value))
  if (field === 'description') return isText && imageOf(value) === undefined
  if (field === 'title') return isText
  return first !== undefined && readMoment(String(first)) !== undefined
}

/** Returns front matter in file order, without empty values. Records the keys of the post in the ledger. */
export function fieldsOf(
  { head, data }: { readonly head: PostHead; readonly data: PostData },
  publishedAt: string,
  destinations: DocumentDestinations,
  context: FieldContext,
): Values {
  const { values, file } = head
  const { site, terms, report, types } = context
  const { byline, category, tags, filling, custom } = data
  for (const [section, note] of head.notes) report.add(section, note, file.path)
  settleKeys(head, data, context)
  const cover = imageOf(valueAt(values, filling.cover ?? ''))
  const shaped = Array.from(custom, ([name, value]) => [
    fieldName(name) ?? '',
    types.shape(name, value, values[name]),
  ])
  const authors = byline.authors.map(({ name }) => name)
  const updated = updatedOf(head, filling, site)
  const slugsOf = (kind: 'tags' | 'authors', names: readonly string[]) => [
    ...new Set(names.flatMap((name) => terms.slugOf(kind, name) ?? [])),
  ]
  return {
    title: head.title,
    description: textAt(values, filling.description ?? ''),
    category: category === undefined ? undefined : terms.slugOf('categories', category),
    tags: slugsOf('tags', tags),
    authors: slugsOf('authors', authors),
    publishedAt: shortDate(publishedAt),
    updatedAt: updated === undefined || updated === head.date ? undefined : shortDate(updated),
    expiresAt: head.expiry && shortDate(head.expiry.at),
    featured: knownKeys.featured.some((key) => textAt(values, key) === 'true') || undefined,
    coverImage: cover === undefined ? undefined : destinations.rewrite(cover),
    status: head.withheld === undefined ? undefined : 'draft',
    fields: Object.fromEntries(shaped),
  }
}

type Use = readonly [key: string, target: string]

function usesOf(
  head: PostHead,
  { keys, site }: FieldContext,
  { byline, filling }: Pick<PostData, 'byline' | 'filling'>,
): readonly Use[] {
  const { values, expiry, date } = head
  const each = (keyNames: readonly string[], target: string) =>
    keyNames.map((name): Use => [name, target])
  const isDate = readMoment(textAt(values, keys?.date ?? '') ?? '') !== undefined
  const isFilled = (field: FilledField) =>
    field === 'updated'
      ? updatedOf(head, filling, site) !== undefined
      : field !== 'date' || keys?.date === undefined
  const filled = mainFields.filter(isFilled)
  const deciding = Object.keys(values).filter((name) => decides(name, values, date))
  return [
    ...each(isDate ? [keys?.date ?? ''] : [], 'publishedAt'),
    ...filled.map((field): Use => [filling[field] ?? '', names[field]]),
    [expiry?.key ?? '', 'expiresAt'],
    ...each(deciding, 'status'),
    [keys?.status ?? '', 'status'],
    ...each(byline.authors.length > 0 ? keysOf(values, ...authorKeys) : [], 'authors'),
    ...each(keysOf(values, ...tagKeys), 'tags'),
    ...each(categoryKeysOf(values, keys), 'category'),
    ...each(knownKeys.aliases, 'aliases'),
    ...namingUses(head, site),
  ]
}

function namingUses(head: PostHead, site: StaticSite): readonly Use[] {
  const { slug } = head
  // Tools change the case and the signs of a slug.
  const names = [slug, lastSegment(site.address(head) ?? '')].map(slugify)
  const uses = slugKeys.map((key): Use => {
    const text = textAt(head.values, key) ?? ''
    const isPattern = key === 'permalink' && /(?:^|\/):\w|\{/.test(text)
    const isAddress = isPattern || names.includes(slugify(lastSegment(text)))
    return [isAddress ? key : '', text === slug ? 'slug' : 'URL']
  })
  return [...uses, ['id', 'id']]
}

function decides(name: string, values: Values, date: string): boolean {
  const kind = judge(name, values[name])
  const moment = () => readMoment(String(asList(values[name])[0]))?.slice(0, 10)
  return kind === 'publication' && name !== 'date'
    ? moment() === date.slice(0, 10)
    : kind === 'hidden' || kind === 'harmless'
}

function isEmpty(value: FieldValue): boolean {
  return asList(value).length === 0 || (isMap(value) && Object.keys(value).length === 0)
}

function settleKeys(
  { values, file: { path } }: PostHead,
  { used, custom }: PostData,
  { site, report, types }: FieldContext,
): void {
  const own = wordSet(site.ownKeys.toLowerCase())
  report.findKeys(Object.keys(values).length)
  const reasonFor = (name: string) => {
    if (own.has(name.toLowerCase())) return `\`${name}\`: only used by the generator`
    return isEmpty(values[name]) ? 'key without a value' : `\`${name}\`: no field name is free`
  }
  for (const name of Object.keys(values)) {
    const target = used.get(name.toLowerCase())
    if (target !== undefined)
      report.key('mapped', target === name ? undefined : `\`${name}\` → ${target}`, path)
    else if (types.shape(name, custom.get(name)) !== undefined)
      report.key('kept', `\`${name}\` → fields.${fieldName(name)}`, path)
    else report.key('left', reasonFor(name), path)
    if (/^(?:tags|category|aliases)$/.test(target ?? ''))
      for (const part of partsOf(values[name]))
        report.add('left', `\`${name}.${part}\`: does not fit into ${target}`, path)
  }
  if (custom.has('byline') && !Object.hasOwn(values, 'byline'))
    report.add('mapped', '`byline` → fields.byline', path)
}

/** Returns the keys, other than the name, of the items in a list of names. */
function partsOf(value: FieldValue): readonly string[] {
  return [asList(value)].flat(9).flatMap((item) => {
    const keys = isMap(item) ? Object.keys(item) : []
    const named = nameKeys.find((key) => keys.includes(key))
    return keys.filter((key) => key !== named)
  })
}

function shortDate(date: string): string {
  return date.replace(/T00:00:00\.000Z$/, '').replace(/\.000Z$/, 'Z')
}

/** Returns the date of the last change; undefined if it is before the publication. */
function updatedOf({ values, date, day }: PostHead, { updated = '' }: Filling, site: StaticSite) {
  const { at = '' } = momentOf(textAt(values, updated), site.dates) ?? {}
  return at > date ? at : [date, `${day}T00:00:00.000Z`].includes(at) ? date : undefined
}

/** Returns the URL of an image: a text that looks like a URL, or the first such text in a list or map. */
function imageOf(value: FieldValue): string | undefined {
  const [first] = asList(value)
  const text = isMap(first) ? textAt(first, 'src', 'url', 'image') : first
  if (typeof text !== 'string') return undefined
  const address = text.trim()
  const [path = ''] = address.split(/[?#]/, 1)
  const isImage = !/[:{}]/.test(path) && /[^.]\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(path)
  return isImage || /^https?:\/\/\S+$/i.test(address) ? address : undefined
}

/** Returns the old paths of a post. */
export function redirectsOf(values: Values): readonly string[] {
  return knownKeys.aliases
    .flatMap((key) => asList(valueAt(values, key)))
    .flatMap((value) => (typeof value === 'string' ? value.split(/,\s/) : []))
}

/** Returns the keys that have values: all of `together`, else the first of `others`. */
function keysOf(values: Values, together: readonly string[], others: readonly string[]) {
  const isSet = (key: string) => asList(valueAt(values, key)).length > 0
  const found = together.filter(isSet)
  return found.length > 0 ? found : others.filter(isSet).slice(0, 1)
}

/** The keys of authors and of tags; see `keysOf`. */
const authorKeys = [['authors', 'author'], knownKeys.authors] as const
const tagKeys = [['tags', 'tag'], ['keywords']] as const

function categoryKeysOf(values: Values, keys: FieldContext['keys']): readonly string[] {
  const given = keysOf(values, keys?.category === undefined ? [] : [keys.category], [])
  return given.length > 0 ? given : keysOf(values, ['category', 'categories'], ['section'])
}

const nameKeys = ['label', 'name', 'title', 'slug']

/** Returns the names in the value of a key, each once. */
export function namesOf(values: Values, key: string, splitsAtBlanks: boolean): readonly string[] {
  const nameOf = (item: FieldValue): readonly string[] => {
    if (isMap(item)) return [textAt(item, ...nameKeys) ?? '']
    return Array.isArray(item) ? item.flatMap(nameOf) : [String(item ?? '')]
  }
  const value = valueAt(values, key)
  // A text of `tag` or `category` is one name. Pelican splits at semicolons, if there are any.
  const isList = typeof value === 'string' && !/(?:tag|category)$/i.test(key)
  const plain = splitsAtBlanks && !String(value).includes(',') ? /\s+/ : ','
  const separator = String(value).includes(';') ? ';' : plain
  const texts = isList ? value.split(separator) : asList(value).flatMap(nameOf)
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
}

/** The types of custom fields. Memory: one entry per name. */
export class FieldTypes {
  readonly types: Map<string, FieldType> = new Map()

  /** Records a value. Ignores names that cannot become the name of a field. */
  observe(name: string, value: FieldValue): void {
    const type = typeOf(value)
    const field = fieldName(name)
    if (type === null || field === undefined) return
    const known = this.types.get(field)
    this.types.set(field, known === undefined ? type : common(known, type))
  }

  /**
   * Converts a value to its field's type; undefined for an empty value or a name that cannot become the name of a field.
   *
   * @param written the value as written in the file: `1.10` becomes 1.1 only in a field of numbers
   */
  shape(name: string, value: FieldValue, written: FieldValue = value): FieldValue {
    const type = this.types.get(fieldName(name) ?? '')
    if (type === undefined || typeOf(value) === null) return undefined
    if (type === 'list') return Array.isArray(value) ? value.map(asText) : [asText(value)]
    if (type === 'date') return parseDate(String(value), 'loose')
    if (type !== 'text') return value
    return asText(typeof written === 'string' ? written : value)
  }
}

/** Returns the name of a field for a key: `og_image` for `og:image`; undefined if none is valid. See `docs/content.md`. */
export function fieldName(key: string): string | undefined {
  const name = key.replace(/[\s.:/]+/g, '_')
  const isValid = /^[A-Za-z][\w-]{0,63}$/.test(name) && !['constructor', 'prototype'].includes(name)
  return isValid ? name : undefined
}

/** Returns the type of a value; null for an empty value. A text in quotes is always text. */
function typeOf(value: FieldValue): FieldType | null {
  if (value === null || value === undefined || value === '') return null
  if (Array.isArray(value)) {
    if (value.some((item) => typeof item !== 'string')) return 'json'
    return value.length === 0 ? null : 'list'
  }
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return 'number'
  if (typeof value !== 'string') return 'json'
  return /^\d{4}-\d{1,2}-\d{1,2}/.test(value) && parseDate(value, 'loose') !== null
    ? 'date'
    : 'text'
}

function common(a: FieldType, b: FieldType): FieldType {
  if (a === b) return a
  if (a === 'json' || b === 'json') return 'json'
  return a === 'list' || b === 'list' ? 'list' : 'text'
}

function asText(value: FieldValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
