// Posts: front matter, mapped and validated, with resolved references.
import { compareCodePoints } from '../api/bytes.ts'
import { parseDate, undated } from '../api/dates.ts'
import { type Post, termKinds } from '../api/resources.ts'
import { isPost } from '../content/layout.ts'
import type { ParsedFile, RawDocument, RawWorkspace } from '../content/raw.ts'
import { type Problem, quote } from '../diagnostics.ts'
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
import { itemKeys, mapItem, mapPost, type SlugSource } from './map-fields.ts'
import {
  type Entry,
  entriesOf,
  type FieldPath,
  type Fields,
  isAbsent,
  type Kind,
  pathInFolders,
  type Reading,
  readEntry,
  splitText,
} from './read-fields.ts'
import { itemSchema, knownPostKeys, type PostFields, postSchema } from './schema.ts'
import type { CollectionDefinition } from './settings.ts'
import { type ResolvedTerms, resolveTerms, type TermContext, type TermSets } from './terms.ts'
import { findWithheldFolder, withheldPost } from './withheld-keys.ts'

/** The posts of a workspace. */
export interface ParsedPosts extends Pick<StatedPosts, 'lastExpiry'> {
  readonly posts: readonly ParsedPost[]
  /** For the author only: a build does not use them. */
  readonly drafts: readonly Draft[]
  /** Drafts as posts; empty unless drafts are loaded. */
  readonly draftPosts: readonly ParsedPost[]
  /** Bodies of posts with errors, still to be checked, so that one run reports every problem. */
  readonly brokenBodies: readonly MarkdownBody[]
}

/** The posts of a workspace before their custom fields are read: a field may refer to any post. */
export interface StatedPosts {
  readonly rows: readonly StatedPost[]
  /** Time at which the last of the expired posts expired, in milliseconds since 1970; 0 for none. */
  readonly lastExpiry: number
  /** False if a file or row of data has errors. */
  readonly isComplete: boolean
}

/** A post before its custom fields are read; without `post` and `draft` if it has errors. */
interface StatedPost {
  readonly post?: ParsedPost
  readonly draft?: Draft
  readonly isDraft: boolean
  /** The map of its fields. */
  readonly own: Reading
  readonly body: MarkdownBody
}

/** A post that is not published, or not any more. */
export interface Draft extends Pick<Post, 'id' | 'slug' | 'title'> {
  /** Null if it has no date yet. */
  readonly publishedAt: string | null
  readonly file: string
  readonly state: 'draft' | 'expired'
}

/** A post, or an item of a collection, and its Markdown. */
export interface ParsedPost {
  /** True for a draft; only in a workspace with drafts. */
  readonly isDraft?: true
  /** True for an item of data, which has no body. */
  readonly isData?: true
  readonly pictures?: readonly Picture[]
  readonly post: Post
  /** Milliseconds since 1970. */
  readonly publishedAt: number
  /** Milliseconds since 1970; later than the build. Null for a post that does not expire. */
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
  readonly dates?: GitDates | null
  /** Loads drafts as posts too. @default false */
  readonly keepsDrafts?: boolean | undefined
}

/** Sorts posts in publication order: latest first, equal dates by id, descending. */
export function sortByPublication(posts: readonly ParsedPost[]): readonly ParsedPost[] {
  return posts.toSorted(
    (a, b) => b.publishedAt - a.publishedAt || compareCodePoints(b.post.id, a.post.id),
  )
}

/** Reads every post of a workspace. */
export function readPosts(raw: RawWorkspace, context: PostContext): StatedPosts {
  const read = readRows(raw.files.filter(isPost), context)
  for (const kind of termKinds) context.terms[kind].complete()
  return read
}

/** Reads the items of a collection, in the order of their files or rows. */
export function readItems(
  raw: RawWorkspace,
  context: PostContext,
  collection: CollectionDefinition,
): StatedPosts {
  const files = raw.files.filter(
    ({ role }) => 'name' in role && role.of === 'items' && role.name === collection.name,
  )
  return readRows(files, context, collection)
}

function readRows(
  files: readonly ParsedFile[],
  context: PostContext,
  collection?: CollectionDefinition,
): StatedPosts {
  const reader = new PostReader(context, collection)
  const form = { name: collection?.name ?? 'posts', firstKey: 'slug' } as const
  const entries = files.map((file) => entriesOf(file, form, context.problems))
  const rows = entries.flat().flatMap((entry) => (entry ? reader.read(entry) : []))
  const isComplete = rows.every(({ post, draft }) => post !== undefined || draft !== undefined)
  const { lastExpiry } = reader
  return { rows, isComplete: isComplete && !entries.includes(undefined), lastExpiry }
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

/** Reads the fields of posts, and leaves out posts with an invalid field. Errors of drafts are reported too. */
export function withFields(
  { rows, lastExpiry }: StatedPosts,
  collection: CollectionDefinition | null,
  { settings, destinations, keepsDrafts }: PostContext,
  targets: NonNullable<FieldContext['targets']>,
): ParsedPosts {
  const owners = new Map<string, string>()
  const { fields } = collection ?? settings
  const rules = { fields, isBroken: settings.isBroken }
  const read = rows.map((row): Pick<StatedPost, 'post' | 'draft' | 'body'> => {
    const { post, own, body } = row
    const pictures: Picture[] = []
    const resolveImage = (url: string, at: FieldPath) => {
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
    const values = readCustomFields(rules, own, row.isDraft, context)
    if (values === 'broken') return { body }
    if (values === undefined || post === undefined) return row
    const shown = pictures.length === 0 ? {} : { pictures }
    return { ...row, post: { ...post, ...shown, post: { ...post.post, fields: values } } }
  })
  return {
    posts: read.flatMap(({ post, draft }) => (post === undefined || draft ? [] : post)),
    drafts: read.flatMap(({ draft }) => draft ?? []),
    draftPosts: read.flatMap(({ post, draft }) =>
      keepsDrafts && draft && post ? { ...post, isDraft: true as const } : [],
    ),
    brokenBodies: read.flatMap(({ post, draft, body }) =>
      (post ?? draft) || body.bodyHash === '' ? [] : body,
    ),
    lastExpiry,
  }
}

interface FieldsResult extends ReturnType<typeof readEntry<PostFields>> {
  readonly isDraft: boolean
  readonly isExpired: boolean
  /** State of a post that is not published: `expired` after its `expiresAt`. */
  readonly state: 'draft' | 'expired'
}

class PostReader {
  lastExpiry = 0
  readonly #context: PostContext
  readonly #claim: Claim
  readonly #slugs: SlugSource
  readonly #collection: CollectionDefinition | undefined
  readonly #folders: readonly string[]
  /** Location of each translation key: `acme/posts/hello.md:3`. */
  readonly #translationKeys = new Map<string, string>()

  constructor(context: PostContext, collection?: CollectionDefinition) {
    const { workspace } = context
    const { slug } = context.mappings.posts
    this.#context = context
    this.#collection = collection
    this.#folders = collection ? [`${workspace}/${collection.source}`] : context.folders.posts
    this.#slugs = typeof slug === 'object' && !Array.isArray(slug) ? (slug as SlugSource) : {}
    const kind = collection === undefined ? 'posts' : `collections/${collection.name}`
    this.#claim = createClaim(workspace, kind)
  }

  read(entry: Entry): StatedPost {
    const { destinations } = this.#context
    const read = this.#readFields(splitCells(entry.reading, this.#collection?.fields ?? []))
    const { fields, failed, reading, isDraft } = read
    const { file } = reading
    const given = this.#givenName(entry, read)
    const title =
      (entry.document ? this.#readTitle(entry.document, read) : fields.title) ??
      given.slug.replace(/^.*\//s, '')
    const publishedAt = this.#readDate(read, given.date)
    if (!isDraft) this.#checkFolder(reading)
    const terms = this.#resolveTerms(read, publishedAt)
    const names = failed.has('slug') ? undefined : this.#claimNames(read, given)
    const cover = readPicture(fields.coverImage, ['coverImage'], reading, destinations)
    const { bodyHash = '', bodyLine = reading.at.line } = entry.document ?? {}
    const body = { file, bodyHash, bodyLine }
    const row = { own: ownFields(reading), isDraft, body }
    if (failed.size > 0) return row
    const { id, slug } = names ?? { id: given.slug, slug: given.slug }
    const known = { title, publishedAt: publishedAt ?? null, id, slug, file, state: read.state }
    const stated = isDraft ? { ...row, draft: known } : row
    if (!names || publishedAt === undefined || !terms || read.isExpired) return stated
    const lastUpdate = this.#context.dates?.of(file)?.last ?? ''
    const updatedAt = fields.updatedAt ?? (lastUpdate > publishedAt ? lastUpdate : publishedAt)
    const computed = { ...names, title, publishedAt, updatedAt, ...terms }
    const post = assemblePost(body, fields, computed, cover)
    return { ...stated, post: { ...post, ...this.#readTranslationKey(read, slug, body) } }
  }

  #readTranslationKey(
    { fields, reading, isDraft }: FieldsResult,
    slug: string,
    { file, bodyHash }: MarkdownBody,
  ) {
    if (this.#context.settings.locale === undefined) return {}
    const key = fields.translationKey ?? (bodyHash === '' ? slug : this.#pagePath(file))
    if (isDraft) return { translationKey: key }
    const other = this.#translationKeys.get(key)
    const place = ['translationKey']
    if (other !== undefined) {
      reading.report(place, {
        code: 'duplicate-value',
        message: `The \`translationKey\` ${quote(key)} is already used in ${other}.`,
        hint: 'Give one of them another `translationKey`.',
      })
    }
    this.#translationKeys.set(key, `${reading.file}:${reading.placeOf(place).line}`)
    return { translationKey: key }
  }

  #resolveTerms(read: FieldsResult, publishedAt = ''): ResolvedTerms | undefined {
    if (this.#collection !== undefined) return noTerms
    const isScheduled = Date.parse(publishedAt) > this.#context.now
    const { fields, failed, reading, isDraft } = read
    const at = { reading, isDraft, since: isScheduled ? publishedAt : '' }
    return resolveTerms(fields, failed, this.#context.terms, at, this.#context.settings)
  }

  /** Returns the slug and date of a file or row. The slug of an item is its whole path, without a final `index`. */
  #givenName(entry: Entry, { fields, reading }: FieldsResult): GivenSlug & { date?: string } {
    if (!entry.document && entry.given) return entry.given
    if (!entry.document)
      return { slug: fields.slug ?? slugify(fields.title ?? ''), source: 'its title' }
    const source = "the file's name"
    const page = this.#pagePath(reading.file)
    const start = page.lastIndexOf('/') + 1
    const name = splitFileName(page.slice(start) || 'index')
    return { ...name, slug: `${this.#collection ? page.slice(0, start) : ''}${name.slug}`, source }
  }

  #kindOf(written: Reading): Kind<PostFields> {
    const { mappings, settings } = this.#context
    if (this.#collection === undefined) {
      const map = (fields: Fields) => {
        const mapped = mapPost(fields, mappings)
        const { extraCategories: extra } = mapped
        if (extra !== undefined) written.report(extra.at, multipleCategories)
        return mapped
      }
      const isSilent = mappings.posts.ignore === true
      return { schema: postSchema, map, known: knownPostKeys, isSilent, hintOf: keyHint }
    }
    const { name, fields: own } = this.#collection
    const names = own.map((field) => field.name)
    const mapping = mappings.collections[name] ?? {}
    return {
      schema: itemSchema,
      map: (fields) => mapItem(fields, mapping, names),
      known: [...itemKeys, 'date', 'name', ...names],
      // An unknown key may name a field whose definition has an error.
      isSilent: mapping['ignore'] === true || settings.isBroken,
      hintOf: () => 'Define it below `fields` of the collection in workspace.yml.',
    }
  }

  #readFields(written: Reading): FieldsResult {
    const isHeldBack = ({ draft, status }: PostFields) => draft === true || status === 'draft'
    const isExpired = ({ expiresAt }: PostFields) =>
      Date.parse(expiresAt ?? '') <= this.#context.now
    // Either field can make a post a draft, so that a contradiction publishes nothing. An expired post is like a draft.
    const isDraft = (fields: PostFields) => isHeldBack(fields) || isExpired(fields)
    const read = readEntry(written, this.#kindOf(written), (fields) =>
      isDraft(fields) ? undefined : withheldPost,
    )
    const { fields, reading } = read
    const { status, draft } = fields
    if (draft !== undefined && status !== undefined && draft !== (status === 'draft')) {
      const message = `\`draft: ${draft}\` contradicts \`status: ${status}\`.`
      const hint = 'Keep `status` alone.'
      reading.report(['draft'], { code: 'conflicting-fields', message, hint })
    }
    const state = isHeldBack(fields) ? 'draft' : 'expired'
    if (isExpired(fields) && state === 'expired')
      this.lastExpiry = Math.max(this.lastExpiry, Date.parse(fields.expiresAt ?? ''))
    return { ...read, isDraft: isDraft(fields), isExpired: isExpired(fields), state }
  }

  /** Returns the stated title, or the first heading, with a warning. */
  #readTitle(document: RawDocument, { fields, failed, reading }: FieldsResult): string | undefined {
    if (failed.has('title') || fields.title !== undefined) return fields.title
    const { heading = null } = document
    const what = heading === null ? 'the file name is used' : 'the first heading is used'
    const isEmpty = reading.fields.has('title')
    reading.report(['title'], {
      code: 'missing-title',
      severity: 'warning',
      message: `\`title\` is ${isEmpty ? 'empty' : 'missing'}; ${what}.`,
      hint: isEmpty ? 'Write a title, or remove the key.' : 'Add `title: …`.',
    })
    return heading ?? undefined
  }

  /** @returns undefined if the date is invalid or missing, which has been reported */
  #readDate({ fields, failed, reading }: FieldsResult, fileDate = ''): string | undefined {
    if (failed.has('publishedAt')) return undefined
    const first = this.#context.dates?.of(reading.file)?.first
    const date = fields.publishedAt ?? parseDate(fileDate) ?? first
    if (date === undefined && this.#collection !== undefined) return ''
    if (date === undefined)
      reading.report(reading.at, this.#context.dates ? uncommitted : missingDate)
    else if (fields.expiresAt !== null && fields.expiresAt <= date)
      reading.report(['expiresAt'], expiryTooEarly)
    return date
  }

  /** Reports a post in a folder such as `_drafts`. */
  #checkFolder(reading: Reading): void {
    const folder = findWithheldFolder(pathInFolders(reading.file, this.#folders))
    if (folder === undefined) return
    reading.report(reading.at, {
      code: 'withheld-key',
      message: `The folder ${quote(folder)} hides posts in other tools, but quarry would publish this one.`,
      hint: 'Write `status: draft`, or move the post to publish it.',
    })
  }

  #claimNames({ fields, reading }: FieldsResult, given: GivenSlug) {
    // A slug in front matter replaces the last part of a path.
    const folder = given.slug.slice(0, given.slug.lastIndexOf('/') + 1)
    const stated = fields.slug === undefined ? undefined : `${folder}${fields.slug}`
    const { derive, slugify: isSlugified = false } = this.#collection ? {} : this.#slugs
    const path = derive === 'path' ? this.#pagePath(reading.file).replaceAll('/', '-') : ''
    const name = path || given.slug
    const derived = { ...given, slug: isSlugified ? slugify(name) : name }
    const slug = stated ?? checkSlug(derived, reading)
    const id = slug && this.#claim(reading, slug, fields.id, fields.aliases)
    return slug && id ? { id, slug } : undefined
  }

  /** `acme/posts/2024/hello/index.md` → `2024/hello`. Hugo and Zola call the page of a folder `_index`. */
  #pagePath(file: string): string {
    return pathInFolders(file, this.#folders).replace(/(?:^|\/)_?index$/u, '')
  }
}

function keyHint(name: string): string {
  return `Your own keys go below \`fields:\`; \`frontMatter: { posts: { ignore: ['${name}'] } }\` in the configuration ignores this one.`
}

const expiryTooEarly: Problem = {
  code: 'invalid-field',
  message: '`expiresAt` is not after `publishedAt`.',
  hint: 'Write `status: draft` to hide the post.',
}

/** The empty terms of an item. */
export const noTerms: ResolvedTerms = {
  category: { id: '', slug: '', name: '', description: null },
  tags: [],
  authors: [],
}

const multipleCategories: Problem = {
  code: 'several-categories',
  severity: 'warning',
  message: 'A post has one category; the others become tags.',
  hint: "Set `frontMatter: { posts: { category: { take: 'first' } } }` in the configuration to leave them out.",
}

const missingDate: Problem = {
  code: 'missing-field',
  message: '`publishedAt` is missing.',
  hint: 'Add `publishedAt: 2026-03-04` or begin the file name with the date: `2026-03-04-….md`.',
}

const uncommitted: Problem = {
  code: 'missing-field',
  message: '`publishedAt` is missing, and the file is not committed to Git.',
  hint: 'Commit the file, or add `publishedAt: 2026-03-04`.',
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
