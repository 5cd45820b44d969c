// Derives the front matter of an imported post from that of its source. Every key goes through the ledger: it fills a
// field, becomes a custom field, or is left with a reason.
import { type FieldTypes, fieldName } from '../field-types.ts'
import type { Ledger } from '../ledger.ts'
import type { FieldValue, ImportContext } from '../site.ts'
import type { Terms } from '../terms.ts'
import { authorOf, type Byline, readByline } from './authors.ts'
import type { DocumentDestinations } from './destinations.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import type { PostHead, StaticSite } from './generator.ts'
import { readMoment } from './moments.ts'
import { dateInPattern, knownKeys, slugKeys } from './post-head.ts'
import { judge } from './withheld.ts'

/** The terms of a post, as written. */
export interface PostTerms {
  readonly byline: Byline
  /** Undefined when the post names none. */
  readonly category: string | undefined
  readonly tags: readonly string[]
  /** Categories after the first one; they become tags. */
  readonly furtherCategories: readonly string[]
}

/** What the fields of all posts share. */
export interface FieldContext {
  readonly site: StaticSite
  readonly terms: Terms
  readonly types: FieldTypes
  readonly report: Ledger
  readonly keys: ImportContext['keys']
  /** `links.post`, once it is known. */
  readonly pattern: string
}

/** A post to write. */
export interface NamedPost {
  readonly slug: string
  readonly id: string | undefined
  /** The URL of the post in the site, if `links.post` does not give it. */
  readonly url: string | undefined
}

/** Front matter in file order, without empty values. */
export function fieldsOf(
  head: PostHead,
  { slug, id, url }: NamedPost,
  destinations: DocumentDestinations,
  context: FieldContext,
): Values {
  const { values, file } = head
  const { site, terms, report, types } = context
  const { byline, category, tags, furtherCategories } = readTerms(head, context)
  if (furtherCategories.length > 0)
    report.add('changed', 'categories after the first → tags', file.path)
  for (const note of head.notes) report.add('changed', note, file.path)
  const publishedAt = dateInPattern(head, context.pattern)
  if (publishedAt !== head.date)
    report.add('changed', 'time moved within the day of its URL', file.path)
  const cover = imageOf(valueAt(values, keyFilling('coverImage', head) ?? ''))
  const used = usedKeys(head, context, { slug, id })
  const custom = customValues(head, context, used)
  settleKeys(head, used, custom, context)
  const shaped = Object.fromEntries(
    [...custom].map(([name, value]) => [
      fieldName(name) ?? '',
      types.shape(name, value, values[name]),
    ]),
  )
  const authors = byline.authors.map(({ name }) => name)
  return {
    id,
    title: head.title,
    description: textAt(values, keyFilling('description', head) ?? ''),
    category: category === undefined ? undefined : terms.slugOf('categories', category),
    tags: slugsOf(terms, 'tags', tags),
    authors: slugsOf(terms, 'authors', authors),
    publishedAt: shortDate(publishedAt),
    updatedAt: updatedOf(head, site.dates?.zone),
    featured: knownKeys.featured.some((key) => textAt(values, key) === 'true') || undefined,
    coverImage: cover === undefined ? undefined : destinations.rewrite(cover),
    status: head.withheld === undefined ? undefined : 'draft',
    fields: url === undefined ? shaped : { url, ...shaped },
  }
}

/** Source keys of which the first suitable one fills a field; the others become custom fields. */
const fillingKeys = {
  title: knownKeys.title,
  description: knownKeys.description,
  publishedAt: knownKeys.date,
  updatedAt: knownKeys.updated,
  coverImage: knownKeys.cover,
  featured: knownKeys.featured,
} as const
type FilledField = keyof typeof fillingKeys
const filledFields = Object.keys(fillingKeys) as FilledField[]

/** The key that fills a field: the first with a suitable value. */
function keyFilling(field: FilledField, { values }: PostHead): string | undefined {
  return fillingKeys[field].find((key) => {
    const value = valueAt(values, key)
    const [first] = asList(value)
    if (field === 'coverImage') return imageOf(value) !== undefined
    if (field === 'featured') return /^(?:true|false)$/.test(String(value))
    if (field === 'description')
      return typeof value === 'string' && value.trim() !== '' && imageOf(value) === undefined
    return field.endsWith('At')
      ? first !== undefined && readMoment(String(first)) !== undefined
      : first !== undefined
  })
}

/** Keys that have filled a field, in lower case, with the field or another target. */
type UsedKeys = ReadonlyMap<string, string>

function usedKeys(head: PostHead, context: KeyContext, post: Named): UsedKeys {
  const used = new Map<string, string>()
  for (const [key, target] of usesOf(head, context, post)) {
    const name = (key.split('.')[0] ?? key).toLowerCase()
    if (!used.has(name) && asList(valueAt(head.values, key)).length > 0) used.set(name, target)
  }
  return used
}

type KeyContext = Pick<FieldContext, 'terms' | 'keys' | 'site'>
type Named = Pick<NamedPost, 'slug' | 'id'>
type Use = readonly [key: string, target: string]

function usesOf(head: PostHead, context: KeyContext, post: Named): readonly Use[] {
  const { values } = head
  const { keys } = context
  const isDate = readMoment(textAt(values, keys?.date ?? '') ?? '') !== undefined
  const hasAuthors = readTerms(head, context).byline.authors.length > 0
  const each = (names: readonly string[], target: string) =>
    names.map((name): Use => [name, target])
  return [
    ...each(isDate ? [keys?.date ?? ''] : [], 'publishedAt'),
    ...filledFields.map((field): Use => {
      const key = keyFilling(field, head)
      return [key !== undefined && usesAll(field, key, head, context) ? key : '', field]
    }),
    ...each(
      Object.keys(values).filter((name) => decides(name, head)),
      'status',
    ),
    [keys?.status ?? '', 'status'],
    ...each(hasAuthors ? authorKeysOf(head) : [], 'authors'),
    ...Object.entries(authorDetails).map(([field, names]): Use => {
      const name = names.find((key) => textAt(values, key) !== undefined)
      return [name ?? '', `${field} of the author`]
    }),
    ...each(tagKeysOf(head), 'tags'),
    ...each(categoryKeysOf(head, keys), 'category'),
    ...each(knownKeys.aliases, 'aliases'),
    ...namingUses(head, context, post),
  ]
}

/** Keys that state the slug, the id, or a part of the URL. */
function namingUses(head: PostHead, { site }: KeyContext, { slug, id }: Named): readonly Use[] {
  const address = trimmedPath(site.address(head) ?? '')
  const stated = textAt(head.values, 'id')
  const isId = stated !== undefined && (stated === slug || stated === id)
  const slugs = slugKeys.flatMap((key): Use[] => {
    const text = textAt(head.values, key)
    if (text === slug) return [[key, 'slug']]
    return text !== undefined && address.endsWith(trimmedPath(text)) ? [[key, 'URL']] : []
  })
  return isId ? [...slugs, ['id', 'id']] : slugs
}

/** False if a part of the value, or all of it, has no place in the field. */
function usesAll(
  field: FilledField,
  key: string,
  head: PostHead,
  { keys, site }: KeyContext,
): boolean {
  // The other images of a list stay a custom field.
  if (field === 'coverImage') return asList(valueAt(head.values, key)).length === 1
  if (field === 'updatedAt') return updatedOf(head, site.dates?.zone) !== undefined
  return field !== 'publishedAt' || keys?.date === undefined
}

/** True for a key that decides about publication, by its status or its date. */
function decides(name: string, { values, date }: PostHead): boolean {
  const kind = judge(name, values[name])
  const moment = () => readMoment(String(asList(values[name])[0]))?.slice(0, 10)
  return (
    kind === 'hidden' ||
    kind === 'harmless' ||
    (kind === 'publication' && name !== 'date' && moment() === date.slice(0, 10))
  )
}

function trimmedPath(path: string): string {
  return path.replace(/^\/|\/$/g, '')
}

/** Values without a field in quarry, by name, before the slug of the post is known. */
export function observedValues(
  head: PostHead,
  context: FieldContext,
): ReadonlyMap<string, FieldValue> {
  return customValues(
    head,
    context,
    usedKeys(head, context, { slug: head.slug, id: textAt(head.values, 'id') }),
  )
}

function customValues(
  head: PostHead,
  context: KeyContext,
  used: UsedKeys,
): ReadonlyMap<string, FieldValue> {
  const own = ownKeys(context.site)
  const entries = Object.entries(head.typed).filter(([key, value]) => {
    const lower = key.toLowerCase()
    return !used.has(lower) && !own.has(lower) && !isEmpty(value)
  })
  const { text } = readTerms(head, context).byline
  const isFree = !entries.some(([key]) => key === 'byline')
  return new Map(text === undefined || !isFree ? entries : [...entries, ['byline', text]])
}

function ownKeys({ ownKeys: names }: Pick<StaticSite, 'ownKeys'>): ReadonlySet<string> {
  return new Set(names.toLowerCase().split(' '))
}

function isEmpty(value: FieldValue): boolean {
  return asList(value).length === 0 || (isMap(value) && Object.keys(value).length === 0)
}

/** Tells the ledger what became of each key. */
function settleKeys(
  head: PostHead,
  used: UsedKeys,
  custom: ReadonlyMap<string, FieldValue>,
  { site, report, types }: FieldContext,
): void {
  const { path } = head.file
  const own = ownKeys(site)
  report.findKeys(Object.keys(head.values).length + head.repeated.length)
  for (const key of head.repeated)
    report.key('left', `\`${key}\`: the front matter has this key with another value`, path)
  for (const [name, value] of Object.entries(head.values)) {
    const target = used.get(name.toLowerCase())
    const field = fieldName(name) ?? ''
    if (target !== undefined)
      report.key('mapped', target === name ? undefined : `\`${name}\` → ${target}`, path)
    else if (types.shape(name, custom.get(name)) !== undefined)
      report.key('kept', `\`${name}\` → fields.${field}`, path)
    else report.key('left', reasonFor(name, value, own), path)
  }
  if (custom.has('byline') && !Object.hasOwn(head.values, 'byline'))
    report.add('mapped', '`byline` → fields.byline', path)
}

function reasonFor(name: string, value: FieldValue, own: ReadonlySet<string>): string {
  if (own.has(name.toLowerCase())) return `\`${name}\`: is only used by the generator`
  return isEmpty(value) ? 'key without a value' : `\`${name}\`: no name of a field`
}

function slugsOf(terms: Terms, kind: 'tags' | 'authors', names: readonly string[]): FieldValue {
  const slugs = names.map((name) => terms.slugOf(kind, name)).filter((slug) => slug !== undefined)
  return slugs.length === 0 ? undefined : [...new Set(slugs)]
}

/** Shortens a date without a time. */
function shortDate(date: string): string {
  return date.replace(/T00:00:00\.000Z$/, '').replace(/\.000Z$/, 'Z')
}

function updatedOf(head: PostHead, zone: string | undefined): string | undefined {
  const moment = readMoment(textAt(head.values, keyFilling('updatedAt', head) ?? '') ?? '', zone)
  return moment !== undefined && moment > head.date ? shortDate(moment) : undefined
}

/** The URL of an image: a text that looks like one, or the first one in a list or map. */
function imageOf(value: FieldValue): string | undefined {
  const [first] = asList(value)
  const text = isMap(first) ? textAt(first, 'src', 'url', 'image') : first
  if (typeof text !== 'string') return undefined
  const address = text.trim()
  const [path = ''] = address.split(/[?#]/, 1)
  const isImage = !/[:{}]/.test(path) && /[^.]\.(?:avif|gif|jpe?g|png|svg|webp)$/i.test(path)
  return isImage || /^https?:\/\/\S+$/i.test(address) ? address : undefined
}

/** Old paths of a post. */
export function redirectsOf(values: Values): readonly string[] {
  return knownKeys.aliases
    .flatMap((key) => asList(valueAt(values, key)))
    .filter((value) => typeof value === 'string')
}

/** @param terms resolves keys of data files */
export function readTerms(
  head: PostHead,
  { site, terms, keys }: Pick<FieldContext, 'site' | 'terms' | 'keys'>,
): PostTerms {
  const { values, file } = head
  const splits = site.splitsAtBlanks ?? false
  const isKey = (text: string) => terms.slugOf('authors', text) !== undefined
  const byline = withDetails(readByline(firstAuthors(head), isKey), values)
  const named = categoryNames(head, splits, keys)
  const [category, ...furtherCategories] = new Set([...named, ...(file.categories ?? [])])
  const tags = tagKeysOf(head).flatMap((key) => namesOf(values, key, splits))
  return {
    byline,
    category,
    tags: [...new Set([...tags, ...furtherCategories])],
    furtherCategories,
  }
}

/** The names of the categories in front matter. */
export function categoryNames(
  head: PostHead,
  splitsAtBlanks: boolean,
  keys?: FieldContext['keys'],
): readonly string[] {
  const found = categoryKeysOf(head, keys)
  return [...new Set(found.flatMap((key) => namesOf(head.values, key, splitsAtBlanks)))]
}

/** `authors` and `author` together, else the first other key. */
function authorKeysOf({ values }: PostHead): readonly string[] {
  const isSet = (key: string) => asList(valueAt(values, key)).length > 0
  const both = ['authors', 'author'].filter(isSet)
  const other = knownKeys.authors.find(isSet)
  return both.length > 0 || other === undefined ? both : [other]
}

function firstAuthors(head: PostHead): FieldValue {
  const items = authorKeysOf(head).flatMap((key) => asList(valueAt(head.values, key)))
  return items.filter(
    (item, at) => items.findIndex((other) => JSON.stringify(other) === JSON.stringify(item)) === at,
  )
}

/** `tags` and `tag` together, else `keywords`. */
function tagKeysOf({ values }: PostHead): readonly string[] {
  const both = ['tags', 'tag'].filter((key) => asList(valueAt(values, key)).length > 0)
  return both.length > 0 ? both : ['keywords']
}

/** The key of the user, else `category` and `categories` together, else `section`. */
function categoryKeysOf({ values }: PostHead, keys: FieldContext['keys']): readonly string[] {
  const isSet = (key: string) => asList(valueAt(values, key)).length > 0
  if (keys?.category !== undefined && isSet(keys.category)) return [keys.category]
  const both = ['category', 'categories'].filter(isSet)
  return both.length > 0 ? both : ['section']
}

/** Old Docusaurus keys for the only author of a post, by the corresponding keys of an author record. */
const authorDetails = {
  title: ['authorTitle', 'author_title'],
  url: ['authorURL', 'author_url', 'author_site'],
  image: ['authorImageURL', 'author_image_url', 'author_image'],
  twitter: ['authorTwitter', 'author_twitter'],
} as const

function withDetails(byline: Byline, values: Values): Byline {
  const [author, ...others] = byline.authors
  const entries = Object.entries(authorDetails).map(([key, names]) => [
    key,
    textAt(values, ...names),
  ])
  if (author === undefined || others.length > 0 || entries.every(([, text]) => text === undefined))
    return byline
  const { fields = {} } = authorOf({ ...Object.fromEntries(entries), name: author.name }) ?? {}
  return { ...byline, authors: [{ ...author, fields: { ...fields, ...author.fields } }] }
}

/** Names of terms, from texts, maps with a label, and texts with several names. */
function namesOf(values: Values, key: string, splitsAtBlanks: boolean): readonly string[] {
  const value = valueAt(values, key)
  // Jekyll splits `tags` and `categories`, but not `tag` and `category`.
  const splits = splitsAtBlanks && /(?:tags|categories)$/.test(key)
  const texts =
    typeof value === 'string' ? splitNames(value, splits) : asList(value).flatMap(nameOf)
  return [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ''))]
}

function nameOf(item: FieldValue): readonly string[] {
  if (isMap(item)) return [textAt(item, 'label', 'name', 'title', 'slug') ?? '']
  return Array.isArray(item) ? item.flatMap(nameOf) : [String(item ?? '')]
}

function splitNames(text: string, splitsAtBlanks: boolean): readonly string[] {
  if (/[,;]/.test(text)) return text.split(/[,;]/)
  return splitsAtBlanks ? text.split(/\s+/) : [text]
}
