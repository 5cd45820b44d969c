// Derives the front matter of an imported post from that of its source.
import type { FieldTypes } from '../field-types.ts'
import type { ImportReport } from '../report.ts'
import type { FieldValue } from '../site.ts'
import type { Terms } from '../terms.ts'
import type { DocumentDestinations } from './destinations.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import type { PostHead, StaticSite } from './generator.ts'
import { readMoment } from './moments.ts'
import { knownKeys, undatedDraft } from './post-head.ts'
import { authorDetails, firstValue, readTerms } from './post-terms.ts'

/** The context for deriving fields. */
export interface FieldContext {
  readonly site: StaticSite
  readonly terms: Terms
  readonly types: FieldTypes
  readonly destinations: DocumentDestinations
  readonly report: ImportReport
}

/** Front matter in file order, without empty values. */
export function fieldsOf(head: PostHead, context: FieldContext): Values {
  const { values, file } = head
  const { terms, destinations, report } = context
  const { byline, category, tags, furtherCategories } = readTerms(head, context.site, terms)
  if (furtherCategories.length > 0)
    report.add('changed', 'categories after the first → tags', file.path)
  if (head.date === undatedDraft)
    report.add('changed', 'draft without a date → 1970-01-01', file.path)
  for (const note of head.notes ?? []) report.add('changed', note, file.path)
  const cover = imageOf(valueAt(values, keyFilling('coverImage', values) ?? ''))
  const custom = customValues(head, context.site, terms)
  reportKeys(head, context, custom)
  return {
    title: head.title,
    description: textAt(values, keyFilling('description', values) ?? ''),
    category: category === undefined ? undefined : terms.slugOf('categories', category),
    tags: slugsOf(terms, 'tags', tags),
    authors: slugsOf(
      terms,
      'authors',
      byline.authors.map(({ name }) => name),
    ),
    publishedAt: shortDate(head.date),
    updatedAt: updatedOf(values, head.date, context.site.dates?.zone),
    featured: knownKeys.featured.some((key) => textAt(values, key) === 'true') || undefined,
    coverImage: cover === undefined ? undefined : destinations.rewrite(cover),
    status: head.withheld === undefined ? undefined : 'draft',
    fields: shaped(custom, context.types),
  }
}

/** Source keys of which the first suitable one fills a field; the others become custom fields. */
const fillingKeys = {
  description: knownKeys.description,
  publishedAt: knownKeys.date,
  updatedAt: knownKeys.updated,
  coverImage: knownKeys.cover,
  authors: knownKeys.authors,
  tags: knownKeys.tags,
  category: knownKeys.categories,
  aliases: knownKeys.aliases,
} as const

const filledFields = Object.keys(fillingKeys) as (keyof typeof fillingKeys)[]

/** The key that fills a field: the first with a suitable value. */
function keyFilling(field: keyof typeof fillingKeys, values: Values): string | undefined {
  return fillingKeys[field].find((key) => {
    const value = valueAt(values, key)
    const [first] = asList(value)
    if (field === 'coverImage') return imageOf(value) !== undefined
    if (field === 'description')
      return typeof value === 'string' && value.trim() !== '' && imageOf(value) === undefined
    return field.endsWith('At')
      ? first !== undefined && readMoment(String(first)) !== undefined
      : first !== undefined
  })
}

/** Reports the target of each front-matter key. */
function reportKeys(
  { values, file }: PostHead,
  { site, report, types }: FieldContext,
  custom: ReadonlyMap<string, FieldValue>,
): void {
  for (const field of filledFields) {
    const key = keyFilling(field, values)
    if (key !== undefined && key !== field) report.add('mapped', `\`${key}\` → ${field}`, file.path)
  }
  for (const [field, keys] of Object.entries(authorDetails)) {
    const key = keys.find((name) => textAt(values, name) !== undefined)
    if (key !== undefined) report.add('mapped', `\`${key}\` → ${field} of the author`, file.path)
  }
  for (const [name, value] of custom) {
    const isKept = types.shape(name, value) !== undefined
    if (isKept) report.add('mapped', `\`${name}\` → fields.${name}`, file.path)
    else if (asList(value).length > 0)
      report.add('left', `\`${name}\`: no name of a field`, file.path)
  }
  for (const name of site.ownKeys.filter((key) => asList(valueAt(values, key)).length > 0))
    report.add('left', `\`${name}\`: is only used by the generator`, file.path)
}

function slugsOf(terms: Terms, kind: 'tags' | 'authors', names: readonly string[]): FieldValue {
  const slugs = names.map((name) => terms.slugOf(kind, name)).filter((slug) => slug !== undefined)
  return slugs.length === 0 ? undefined : [...new Set(slugs)]
}

/** Shortens a date without a time. */
function shortDate(date: string): string {
  return date.replace(/T00:00:00\.000Z$/, '').replace(/\.000Z$/, 'Z')
}

function updatedOf(values: Values, date: string, zone: string | undefined): string | undefined {
  for (const key of knownKeys.updated) {
    const text = textAt(values, key)
    const moment = text === undefined ? undefined : readMoment(text, zone)
    if (moment !== undefined) return moment > date ? shortDate(moment) : undefined
  }
  return undefined
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

/** Keys that always belong to a field of quarry, whether or not they were used. */
const alwaysKnown: ReadonlySet<string> = new Set(
  [
    knownKeys.title,
    knownKeys.aliases,
    knownKeys.draft,
    knownKeys.slug,
    knownKeys.featured,
    ['category', 'categories'],
    ...Object.values(authorDetails),
  ]
    .flat()
    .map((key) => key.toLowerCase()),
)

/** Values without a field in quarry, by name: custom fields. */
export function customValues(
  head: PostHead,
  site: StaticSite,
  terms: Terms,
): ReadonlyMap<string, FieldValue> {
  const { values } = head
  const used = new Set(filledFields.flatMap((field) => namesIn(keyFilling(field, values) ?? '')))
  const own = new Set(site.ownKeys.map((key) => key.toLowerCase()))
  const { params, ...rest } = values
  const all: Values = isMap(params) ? { ...params, ...rest } : values
  const entries = Object.entries(all).filter(([key]) => {
    const lower = key.toLowerCase()
    return !used.has(lower) && !alwaysKnown.has(lower) && !own.has(lower)
  })
  const { text } = readTerms(head, site, terms).byline
  return new Map(text === undefined ? entries : [...entries, ['byline', text]])
}

/** `params.author` is read as `params.author` and as `author`, `cover.image` as `cover`. */
function namesIn(key: string): readonly string[] {
  const plain = key.toLowerCase().replace(/^params\./, '')
  return [plain, plain.split('.')[0] ?? plain]
}

function shaped(values: ReadonlyMap<string, FieldValue>, types: FieldTypes): Values {
  return Object.fromEntries([...values].map(([name, value]) => [name, types.shape(name, value)]))
}

/** Old paths of a post. */
export function redirectsOf(values: Values): readonly string[] {
  return asList(firstValue(values, knownKeys.aliases)).filter((value) => typeof value === 'string')
}
