// A post before its references are resolved: its front matter, mapped and validated.
import { parseDate } from '../api/dates.ts'
import { postKeyTable } from '../api/post-keys.ts'
import type { RawDocument, WorkspaceFolders, YamlEntry, YamlValue } from '../content/raw.ts'
import type { Problem } from '../diagnostics.ts'
import { type Mappings, mappedFields, mappedTermFields } from './front-matter-mapping.ts'
import { splitFileName } from './identifier.ts'
import { mapFields } from './map-fields.ts'
import { firstHeading } from './post-title.ts'
import { type Problems, pageNameOf } from './problems.ts'
import {
  type Fields,
  isAbsent,
  type PartlyRead,
  placeOf,
  type Reading,
  readFieldsPartly,
  warnUnknownKeys,
} from './read-fields.ts'
import { knownKeys, type PostFields, postSchema } from './schema.ts'
import { withheldPost } from './withheld-keys.ts'

/** A post before its references are resolved. */
export interface PreparedPost {
  readonly reading: Reading
  readonly read: PartlyRead<PostFields>
  readonly isDraft: boolean
  /** The value of `fields:`. */
  readonly own: YamlEntry | undefined
  /** Undefined if missing, which has been reported. */
  readonly publishedAt: string | undefined
  /** The stated title, the first heading, or the file's name. */
  readonly title: string
  /** Slug from the file's name. */
  readonly fileSlug: string
}

/** Settings of a preparation. */
export interface PrepareContext {
  readonly mappings: Mappings
  readonly folders: WorkspaceFolders
  readonly problems: Problems
}

/** Reads the front matter of a post, and reports its problems. */
export function preparePost(
  document: RawDocument,
  { mappings, folders, problems }: PrepareContext,
): PreparedPost {
  const { file } = document
  const { entries, at } = document.frontMatter
  const source = { file, text: document.source }
  const { usedKeys, moreCategories, ...mapped } = mapPost(entries, mappings)
  if (moreCategories !== undefined) problems.report(source, moreCategories.at, severalCategories)
  const reading: Reading = { source, at, ...mapped }
  const read = readFieldsPartly(postSchema, reading, problems, {})
  const { value: fields, failed } = read
  const isDraft = fields !== undefined && isDraftPost(fields, reading, problems)
  warnUnknownKeys({ ...reading, fields: entries }, [...knownKeys.post, ...usedKeys], problems, {
    hintFor: hintForKey,
    withheld: isDraft ? undefined : withheldPost,
    isSilent: mappings.posts.ignore === true,
  })
  const { slug, date } = splitFileName(pageNameOf(file, folders.posts))
  const needsHeading = fields !== undefined && !failed.has('title') && fields.title === undefined
  const heading = needsHeading ? headingOf(document) : null
  if (needsHeading) reportTitle(reading, heading !== null, problems)
  const publishedAt =
    fields === undefined || failed.has('publishedAt')
      ? undefined
      : publicationDate(fields, reading, date, problems)
  if (isEarlier(fields?.updatedAt, publishedAt)) {
    problems.report(source, placeOf(reading, ['updatedAt']), updatedEarly)
  }
  return {
    reading,
    read,
    isDraft,
    own: reading.fields.get('fields'),
    publishedAt,
    title: fields?.title ?? heading ?? slug,
    fileSlug: slug,
  }
}

/** Compares normalized dates. A date without a time may be any time of that day. */
function isEarlier(updatedAt: string | undefined, publishedAt: string | undefined): boolean {
  if (updatedAt === undefined || publishedAt === undefined) return false
  const length = updatedAt.endsWith('T00:00:00.000Z') ? 'YYYY-MM-DD'.length : undefined
  return updatedAt.slice(0, length) < publishedAt.slice(0, length)
}

const updatedEarly: Problem = {
  code: 'date-order',
  severity: 'warning',
  message: '`updatedAt` is before `publishedAt`.',
  hint: 'Correct one of the two dates.',
}

function headingOf({ heading, body }: RawDocument): string | null {
  return heading === undefined ? (firstHeading(body) ?? null) : heading
}

function reportTitle(reading: Reading, hasHeading: boolean, problems: Problems): void {
  const what = hasHeading ? 'the first heading is the title' : "the file's name is the title"
  const isEmpty = reading.fields.has('title')
  problems.report(reading.source, isEmpty ? placeOf(reading, ['title']) : reading.at, {
    code: 'missing-title',
    severity: 'warning',
    message: `\`title\` is ${isEmpty ? 'empty' : 'missing'}; ${what}.`,
    hint: isEmpty ? 'Write a title, or remove the key.' : 'Add `title: …`.',
  })
}

function hintForKey(name: string): string {
  return `Your own keys go below \`fields:\`; \`frontMatter: { posts: { ignore: ['${name}'] } }\` in the configuration ignores this one.`
}

const severalCategories: Problem = {
  code: 'several-categories',
  severity: 'warning',
  message: 'A post has one category; the others become tags.',
  hint: "Set `frontMatter: { posts: { category: { take: 'first' } } }` in the configuration to leave them out.",
}

function isDraftPost(fields: PostFields, reading: Reading, problems: Problems): boolean {
  const { status, draft } = fields
  if (draft !== undefined && status !== undefined && draft !== (status === 'draft')) {
    problems.report(reading.source, placeOf(reading, ['draft']), {
      code: 'conflicting-fields',
      message: `\`draft: ${draft}\` contradicts \`status: ${status}\`.`,
      hint: 'Keep `status` alone.',
    })
  }
  // Either field can make it a draft, so that a contradiction publishes nothing.
  return draft === true || status === 'draft'
}

function publicationDate(
  fields: PostFields,
  reading: Reading,
  fileDate: string | undefined,
  problems: Problems,
): string | undefined {
  const date = fields.publishedAt ?? (fileDate === undefined ? undefined : parseDate(fileDate))
  if (typeof date === 'string') return date
  problems.report(reading.source, reading.at, {
    code: 'missing-field',
    message: '`publishedAt` is missing.',
    hint: 'Add `publishedAt: 2026-03-04` or begin the file name with the date: `2026-03-04-….md`.',
  })
  return undefined
}

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
