// Posts: front matter, mapped and validated, with resolved references.
import { compareCodePoints } from '../api/bytes.ts'
import { parseDate, undated } from '../api/dates.ts'
import type { Post } from '../api/resources.ts'
import { isPost } from '../content/layout.ts'
import type { ParsedFile, RawDocument, RawWorkspace } from '../content/raw.ts'
import { type Position, type Problem, quote } from '../diagnostics.ts'
import {
  type FieldContext,
  type FieldDefinition,
  ownFields,
  readCustomFields,
} from './custom-fields.ts'
import { type Destination, type MediaFile, readPicture } from './destinations.ts'
import {
  type Claim,
  checkSlug,
  createClaim,
  type GivenSlug,
  slugify,
  splitFileName,
} from './identifier.ts'
import { itemKind, type Kind, postKind, toSource } from './map-fields.ts'
import {
  type Entry,
  isAbsent,
  pathInFolders,
  type Reading,
  readEntries,
  readEntry,
  splitText,
} from './read-fields.ts'
import type { PostFields } from './schema.ts'
import type { CollectionDefinition } from './settings.ts'
import {
  type AnyTerm,
  noTerms,
  type ResolvedTerms,
  type TermContext,
  type TermSets,
} from './terms.ts'
import { findWithheldFolder, withheldPost } from './withheld-keys.ts'

/** The posts of a workspace. A field with an error has its default; the error stops the build. */
export interface ParsedPosts {
  readonly posts: readonly ParsedPost[]
  /** Drafts and expired posts, for the author only: a build does not use them. */
  readonly drafts: readonly ParsedPost[]
  /** Drafts as posts; empty unless drafts are loaded. */
  readonly draftPosts: readonly ParsedPost[]
  /** Time at which the last of the expired posts expired, in milliseconds since 1970; 0 for none. */
  readonly lastExpiry: number
}

/** The posts of a workspace before their custom fields are read: a field may refer to any post. */
export interface StatedPosts {
  /** Each post, and the map of its custom fields. */
  readonly rows: readonly (readonly [post: ParsedPost, own: Reading])[]
  /** False if a file could not be parsed, or a post has no valid slug and id. */
  readonly isComplete: boolean
}

/** A post, or an item of a collection, and its Markdown. */
export interface ParsedPost {
  /** Why nobody may read it: a draft, or a post after its `expiresAt`. Absent for other posts. */
  readonly hidden?: 'draft' | 'expired'
  /** True for an item of data, which has no body. */
  readonly isData?: true
  readonly pictures?: readonly Picture[]
  readonly post: Post
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  /** Milliseconds since 1970; null for a post that does not expire. */
  readonly expiresAt: number | null
  readonly body: MarkdownBody
  readonly aliases: readonly string[]
  /** Its own URL on the site; null for the URL that `links.post` gives. */
  readonly url: string | null
  /** The key that its translations share; absent without a locale. */
  readonly translationKey?: string
  /** The image file that is its cover; null for none. */
  readonly cover: MediaFile | null
}

/** The Markdown body of a post: its hash and location. */
export interface MarkdownBody {
  readonly file: string
  /** SHA-256 of its UTF-8, hexadecimal; empty for data. */
  readonly bodyHash: string
  /** Line of the file on which it begins, from 1. */
  readonly bodyLine: number
}

/** A local image in a field. */
export interface Picture {
  readonly media: MediaFile
  /** The value of the field, whose dimensions are set later. */
  readonly value: { src: string; width: number | null; height: number | null }
}

/** Dates of files in Git, `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface GitDates {
  /** True if the history is cut off: then no file has dates. */
  readonly isShallow: boolean
  /** @param file path below the content folder */
  of(file: string): { readonly first: string; readonly last: string } | undefined
}

/** The input of posts. */
export interface PostContext extends TermContext {
  /** Grows if references create missing terms. */
  readonly terms: TermSets
  readonly folders: RawWorkspace['folders']
  /** Milliseconds since 1970: later posts are scheduled. */
  readonly now: number
  /** The dates of posts that do not state them; null for none. */
  readonly dates: GitDates | null
  /** Loads drafts as posts too. @default false */
  readonly keepsDrafts?: boolean | undefined
}

/** Sorts posts in publication order: latest first, equal dates by id, descending. */
export function sortByPublication(posts: readonly ParsedPost[]): readonly ParsedPost[] {
  return posts.toSorted(
    (a, b) => b.publishedAt - a.publishedAt || compareCodePoints(b.post.id, a.post.id),
  )
}

/** What the posts of a workspace, or the items of a collection, have in common. */
interface Rows extends PostContext {
  readonly collection: CollectionDefinition | null
  /** The folders of their files. */
  readonly paths: readonly string[]
  readonly kind: Kind<PostFields>
  readonly claim: Claim
  /** Location of each translation key: `acme/posts/hello.md:3`. Grows. */
  readonly translationKeys: Map<string, string>
}

/** Reads the posts of a workspace, or the items of a collection, in the order of their files or rows. */
export function readRows(
  raw: RawWorkspace,
  collection: CollectionDefinition | null,
  context: PostContext,
): StatedPosts {
  const { workspace, folders, mappings, settings } = context
  const files = raw.files.filter((file) =>
    collection === null ? isPost(file) : isItemOf(collection, file),
  )
  const form = { name: collection?.name ?? 'posts', firstKey: 'slug' } as const
  const rows: Rows = {
    ...context,
    dates: collection ? null : context.dates,
    collection,
    paths: collection ? [`${workspace}/${collection.source}`] : folders.posts,
    kind: collection ? itemKind(collection, mappings, settings.isBroken) : postKind(mappings),
    claim: createClaim(workspace, collection ? `collections/${collection.name}` : 'posts'),
    translationKeys: new Map(),
  }
  const entries = files.map((file) => readEntries(file, form, context.problems))
  const read = entries.flat().flatMap((entry) => (entry ? [readRow(entry, rows)] : []))
  const isComplete = !entries.includes(undefined) && read.every(([{ post }]) => post.id !== '')
  return { rows: read, isComplete }
}

function isItemOf({ name }: CollectionDefinition, { role }: ParsedFile): boolean {
  return 'name' in role && role.of === 'items' && role.name === name
}

/** Splits the lists in the cells of a CSV file at `;`. */
function splitCells(reading: Reading, fields: readonly FieldDefinition[]): Reading {
  if (!reading.file.endsWith('.csv')) return reading
  const lists = fields.filter(({ type }) => type === 'list' || type === 'references')
  const cells = new Map(reading.fields)
  for (const name of ['aliases', ...lists.map((field) => field.name)]) {
    const cell = cells.get(name)
    if (cell && !isAbsent(cell.value))
      cells.set(name, { ...cell, value: splitText(cell.value, ';') })
  }
  return reading.with(cells)
}

/** Reads the custom fields of posts. Errors of drafts are reported too. */
export function withFields(
  { rows }: StatedPosts,
  collection: CollectionDefinition | null,
  { settings, destinations, keepsDrafts }: PostContext,
  targets: NonNullable<FieldContext['targets']>,
): ParsedPosts {
  const owners = new Map<string, string>()
  const { fields } = collection ?? settings
  const rules = { fields, isBroken: settings.isBroken }
  const all = rows.map(([read, own]): ParsedPost => {
    const pictures: Picture[] = []
    const resolveImage = (url: string, at: Position) => {
      const found = readPicture(url, at, own, destinations)
      const value = { src: found.url ?? url, width: null, height: null }
      if (found.media !== undefined) pictures.push({ media: found.media, value })
      return value
    }
    const hintOf = (name: string) => {
      if (own.file.endsWith('.csv')) return `Fill the column \`${name}\`.`
      return collection ? '' : `Add \`${name}: …\` below \`fields:\`.`
    }
    const context = { resolveImage, targets, owners, hintOf }
    const values = readCustomFields(rules, own, read.hidden !== undefined, context)
    if (values === undefined) return read
    const shown = pictures.length === 0 ? {} : { pictures }
    return { ...read, ...shown, post: { ...read.post, fields: values } }
  })
  const [posts = [], drafts = [], expired = []] = [undefined, 'draft', 'expired'].map((hidden) =>
    all.filter((post) => post.hidden === hidden),
  )
  return {
    posts,
    drafts: [...drafts, ...expired],
    draftPosts: keepsDrafts ? drafts : [],
    lastExpiry: expired.reduce((last, { expiresAt }) => Math.max(last, expiresAt ?? 0), 0),
  }
}

interface FieldsResult extends ReturnType<typeof readEntry<PostFields>> {
  readonly hidden: ParsedPost['hidden']
}

function readRow(entry: Entry, rows: Rows): StatedPosts['rows'][number] {
  const { collection, dates, destinations } = rows
  const read = readPostFields(splitCells(entry.reading, collection?.fields ?? []), rows)
  const { fields, reading, hidden } = read
  const { file } = reading
  const given = givenName(entry, read, rows)
  const title =
    (entry.document ? readTitle(entry.document, read) : fields.title) ??
    given.slug.replace(/^.*\//s, '')
  const publishedAt = readDate(read, given.date, rows)
  if (hidden === undefined) checkFolder(reading, rows.paths)
  const terms = termsOf(read, publishedAt, rows)
  const names = claimNames(read, given, rows)
  const cover = readPicture(fields.coverImage, ['coverImage'], reading, destinations)
  const { bodyHash = '', bodyLine = reading.at.line } = entry.document ?? {}
  const body = { file, bodyHash, bodyLine }
  const lastUpdate = dates?.of(file)?.last ?? ''
  const updatedAt = fields.updatedAt ?? (lastUpdate > publishedAt ? lastUpdate : publishedAt)
  const computed = { ...names, title, publishedAt, updatedAt, ...terms }
  const post = assemblePost(body, fields, computed, cover)
  const language = readTranslationKey(read, names.slug, body, rows)
  return [{ ...post, ...(hidden && { hidden }), ...language }, ownFields(reading)]
}

function readTranslationKey(
  { fields, reading, hidden }: FieldsResult,
  slug: string,
  { file, bodyHash }: MarkdownBody,
  { settings, paths, translationKeys }: Rows,
): Pick<ParsedPost, 'translationKey'> {
  if (settings.locale === undefined) return {}
  const key = fields.translationKey ?? (bodyHash === '' ? slug : pagePath(file, paths))
  if (hidden === undefined)
    reading.claim(translationKeys, key, ['translationKey'], (other) => ({
      code: 'duplicate-value',
      message: `The \`translationKey\` ${quote(key)} is already used in ${other}.`,
      hint: 'Give one of them another `translationKey`.',
    }))
  return { translationKey: key }
}

/** Returns the terms of a post, without missing ones, which have been reported. */
function termsOf(
  { fields, failed, reading, hidden }: FieldsResult,
  publishedAt: string,
  { collection, now, terms, settings }: Rows,
): ResolvedTerms {
  if (collection !== null) return noTerms
  const since = Date.parse(publishedAt) > now ? publishedAt : ''
  const at = { reading, isDraft: hidden !== undefined, since }
  const list = (kind: 'tags' | 'authors') =>
    fields[kind].map((name, index) => terms[kind].refer(name, { ...at, path: [kind, index] }))
  const isDefault = fields.category === undefined
  const name = fields.category ?? settings.defaults.category
  if (name === undefined && !failed.has('category') && !settings.hasInvalidRules) {
    reading.report(reading.at, {
      code: 'missing-field',
      message: '`category` is missing.',
      hint: 'Add `category: …`, or `defaults: { category: … }` to workspace.yml.',
    })
  }
  const place = { ...at, path: ['category'], isDefault }
  const found = name === undefined ? undefined : terms.categories.refer(name, place)
  const category = found ?? noTerms.category
  return { category, tags: unique(list('tags')), authors: unique(list('authors')) }
}

/** Returns the terms without missing and repeated ones. */
function unique(terms: readonly (AnyTerm | undefined)[]): readonly AnyTerm[] {
  return terms.flatMap((term, at) =>
    term && terms.findIndex((other) => other?.id === term.id) === at ? term : [],
  )
}

/** Returns the slug and date of a file or row. The slug of an item is its whole path, without a final `index`. */
function givenName(
  { document, given }: Entry,
  { fields, reading }: FieldsResult,
  { collection, paths }: Rows,
): GivenSlug & { date?: string } {
  if (!document)
    return given ?? { slug: fields.slug ?? slugify(fields.title ?? ''), source: 'its title' }
  const page = pagePath(reading.file, paths)
  const start = page.lastIndexOf('/') + 1
  const name = splitFileName(page.slice(start) || 'index')
  const slug = `${collection ? page.slice(0, start) : ''}${name.slug}`
  return { ...name, slug, source: "the file's name" }
}

function readPostFields(written: Reading, { kind, now }: Rows): FieldsResult {
  // Either field can make a post a draft, so that a contradiction publishes nothing. An expired post is like a draft.
  const hiddenOf = ({ draft, status, expiresAt }: PostFields) => {
    if (draft === true || status === 'draft') return 'draft'
    return Date.parse(expiresAt ?? '') <= now ? 'expired' : undefined
  }
  const read = readEntry(written, kind, (fields) => (hiddenOf(fields) ? undefined : withheldPost))
  const { status, draft } = read.fields
  if (draft !== undefined && status !== undefined && draft !== (status === 'draft')) {
    const message = `\`draft: ${draft}\` contradicts \`status: ${status}\`.`
    const hint = 'Keep `status` alone.'
    read.reading.report(['draft'], { code: 'conflicting-fields', message, hint })
  }
  return { ...read, hidden: hiddenOf(read.fields) }
}

/** Returns the stated title, or the first heading, with a warning. */
function readTitle(
  { heading }: RawDocument,
  { fields, failed, reading }: FieldsResult,
): string | undefined {
  if (failed.has('title') || fields.title !== undefined) return fields.title
  const what = heading == null ? 'the file name is used' : 'the first heading is used'
  const isEmpty = reading.fields.has('title')
  reading.report(['title'], {
    code: 'missing-title',
    severity: 'warning',
    message: `\`title\` is ${isEmpty ? 'empty' : 'missing'}; ${what}.`,
    hint: isEmpty ? 'Write a title, or remove the key.' : 'Add `title: …`.',
  })
  return heading ?? undefined
}

/** @returns empty for an item without a date, and if the date is invalid or missing, which has been reported */
function readDate(
  { fields, failed, reading }: FieldsResult,
  fileDate: string | undefined,
  { collection, dates }: Rows,
): string {
  if (failed.has('publishedAt')) return ''
  const ofFile = fileDate === undefined ? undefined : parseDate(fileDate)
  const date =
    fields.publishedAt ?? (ofFile === undefined ? dates?.of(reading.file)?.first : ofFile)
  if (date === null) {
    const message = `The file's name begins with ${quote(`${fileDate}`)}, which is not a date.`
    const hint = 'Rename the file, or add `publishedAt: 2026-03-04`.'
    reading.report(reading.at, { code: 'invalid-date', message, hint })
  } else if (date === undefined && collection === null)
    reading.report(reading.at, missingDate(dates !== null))
  else if (date !== undefined && fields.expiresAt !== null && fields.expiresAt <= date) {
    const message = '`expiresAt` is not after `publishedAt`.'
    const hint = 'Write `status: draft` to hide the post.'
    reading.report(['expiresAt'], { code: 'invalid-field', message, hint })
  }
  return date ?? ''
}

/** Reports a post in a folder such as `_drafts`. */
function checkFolder(reading: Reading, paths: readonly string[]): void {
  const folder = findWithheldFolder(pathInFolders(reading.file, paths))
  if (folder === undefined) return
  reading.report(reading.at, {
    code: 'withheld-key',
    message: `The folder ${quote(folder)} hides posts in other tools, but quarry would publish this one.`,
    hint: 'Write `status: draft`, or move the post to publish it.',
  })
}

/** @returns an empty slug or id if it is invalid or taken, which has been reported */
function claimNames(read: FieldsResult, given: GivenSlug, rows: Rows) {
  const { fields, failed, reading, hidden } = read
  if (failed.has('slug')) return { id: '', slug: '' }
  const { collection, mappings, paths, claim } = rows
  // A slug in front matter replaces the last part of a path.
  const folder = given.slug.slice(0, given.slug.lastIndexOf('/') + 1)
  const stated = fields.slug === undefined ? undefined : `${folder}${fields.slug}`
  const source = collection ? undefined : mappings.posts.slug
  const { derive, slugify: isSlugified = false } = toSource(source)
  const path = derive === 'path' ? pagePath(reading.file, paths).replaceAll('/', '-') : ''
  const name = path || given.slug
  const derived = { ...given, slug: isSlugified ? slugify(name) : name }
  const slug = stated ?? checkSlug(derived, reading) ?? ''
  const { id: own, aliases } = fields
  const id = slug && claim({ reading, slug, id: own, aliases, isHidden: hidden !== undefined })
  return { id: id ?? '', slug }
}

/** `acme/posts/2024/hello/index.md` → `2024/hello`. Hugo and Zola call the page of a folder `_index`. */
function pagePath(file: string, folders: readonly string[]): string {
  return pathInFolders(file, folders).replace(/(?:^|\/)_?index$/u, '')
}

function missingDate(isFromGit: boolean): Problem {
  const cause = isFromGit ? ', and the file is not committed to Git' : ''
  const hint = isFromGit
    ? 'Commit the file, or add `publishedAt: 2026-03-04`.'
    : 'Add `publishedAt: 2026-03-04` or begin the file name with the date: `2026-03-04-….md`.'
  return { code: 'missing-field', message: `\`publishedAt\` is missing${cause}.`, hint }
}

/** Returns a post without custom fields. @param body has an empty hash for data */
export function assemblePost(
  body: MarkdownBody,
  fields: PostFields,
  computed: Pick<Post, 'id' | 'slug' | 'title' | 'publishedAt' | 'updatedAt'> & ResolvedTerms,
  cover: Destination,
): ParsedPost {
  const { id, slug, title, publishedAt, updatedAt, authors, category, tags } = computed
  const { description, featured, attribution } = fields
  const coverImage = cover.url ?? fields.coverImage
  // Without a spread copy, which takes twice the memory for a hundred thousand posts.
  const dated = { id, slug, title, coverImage, publishedAt, updatedAt, authors, category, tags }
  return {
    post: Object.assign(dated, { description, featured, attribution }),
    publishedAt: publishedAt === '' ? undated : Date.parse(publishedAt),
    expiresAt: fields.expiresAt === null ? null : Date.parse(fields.expiresAt),
    body,
    ...(body.bodyHash === '' ? { isData: true as const } : {}),
    aliases: [...new Set(fields.aliases)],
    url: fields.url,
    cover: cover.media ?? null,
  }
}

/** Returns the first level 1 heading outside fenced code, without marks but with the text of links. Cost: O(length). */
export function firstHeading(body: string): string | undefined {
  let previous = ''
  let fence: string | undefined
  for (const line of body.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    const isText = fence === undefined && mark === undefined
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence) === true) fence = undefined
    const title = isText ? plainTitle(headingAt(line, previous)) : ''
    if (title !== '') return title
    previous = isText ? line : ''
  }
  return undefined
}

/** Returns the heading in a line, or the previous line if this line underlines it; empty for none. */
function headingAt(line: string, previous: string): string {
  if (/^ {0,3}=+[ \t]*$/.test(line) && /^ {0,3}[^\s>#*+=-]/.test(previous)) return previous
  return /^ {0,3}#[ \t]+(.*)$/s.exec(line)?.[1] ?? ''
}

/** Returns the plain text of a heading, from its first 300 UTF-16 code units. */
function plainTitle(heading: string): string {
  return heading
    .slice(0, 300)
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replace(/(\*\*|__|[*`])(?=\S)([^*_`]+)\1/g, '$2')
    .trim()
}
