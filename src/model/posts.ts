// Posts: front matter made out, field by field, with its references resolved.
// Knows nothing of the Markdown below it.
import type { Post } from '../api/resources.ts'
import type { RawDocument, RawWorkspace } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { readCover } from './cover.ts'
import { readCustomFields } from './custom-fields.ts'
import { parseDate } from './dates.ts'
import type { Destinations, MediaFile } from './destinations.ts'
import { type FrontMatterMapping, mapFields } from './front-matter-mapping.ts'
import { slugify, splitFileName } from './identifier.ts'
import { checkedFileSlug, Identities } from './identities.ts'
import type { MarkdownBody } from './markdown-body.ts'
import { Problems } from './problems.ts'
import {
  isAbsent,
  type PartlyRead,
  placeOf,
  type Reading,
  readFieldsPartly,
  warnUnknownKeys,
} from './read-fields.ts'
import { References, type TermSets } from './references.ts'
import { knownKeys, type PostFields, postSchema } from './schema.ts'
import type { WorkspaceSettings } from './settings.ts'
import { fileNameOf, pathBelowKind } from './source-path.ts'

/** The posts of a workspace. */
export interface ReadPosts {
  readonly posts: readonly ReadPost[]
  /** For the author's eyes: nothing that is built knows of them. */
  readonly drafts: readonly Draft[]
  /** Bodies of posts with errors: still to be checked, so that one run finds everything. */
  readonly brokenBodies: readonly MarkdownBody[]
}

/** A post that is not to be published. */
export interface Draft {
  readonly title: string
  /** Null when it has none yet. */
  readonly publishedAt: string | null
  readonly file: string
}

/** A post that is no draft. */
export interface ReadPost {
  readonly post: Post
  readonly body: MarkdownBody
  /** The image beside it that is its cover; null for none. */
  readonly cover: MediaFile | null
}

/** What posts are read with. */
export interface PostContext {
  readonly settings: WorkspaceSettings
  readonly mapping: FrontMatterMapping
  /** Grows when references may create what is missing. */
  readonly terms: TermSets
  readonly destinations: Destinations
  readonly problems: Problems
  readonly memo: PostMemo
}

/** What posts say by themselves, found again by their document: for one mapping. Grows. */
export type PostMemo = WeakMap<RawDocument, PreparedPost>

/** What one post says by itself, whatever stands around it. */
interface PreparedPost {
  readonly reading: Reading
  readonly read: PartlyRead<PostFields>
  readonly isDraft: boolean
  /** Undefined where there is none, which has been reported. */
  readonly publishedAt: string | undefined
  /** From the file's name. */
  readonly fileSlug: string
  readonly diagnostics: readonly Diagnostic[]
}

/** True when a post goes no further: it calls itself a draft, and nothing is wrong with it by itself. */
export function isSoundDraft(
  document: RawDocument,
  mapping: FrontMatterMapping,
  memo: PostMemo,
): boolean {
  const { isDraft, read } = preparePost(document, mapping, memo)
  return isDraft && read.failed.size === 0
}

/** Every post of a workspace but drafts; errors are reported for drafts too. */
export function readPosts(raw: RawWorkspace, context: PostContext): ReadPosts {
  const identities = new Identities(raw.id, 'posts', context.problems)
  const references = new References(raw.id, context)
  const posts: ReadPost[] = []
  const drafts: Draft[] = []
  const brokenBodies: MarkdownBody[] = []
  for (const document of raw.documents.get('posts') ?? []) {
    const { file, bodyHash, bodyLine } = document
    const body = { file, bodyHash, bodyLine }
    const post = readPost(document, context, identities, references)
    if (post === 'broken') brokenBodies.push(body)
    else if ('file' in post) drafts.push(post)
    else posts.push({ ...post, body })
  }
  return { posts, drafts, brokenBodies }
}

function readPost(
  document: RawDocument,
  context: PostContext,
  identities: Identities,
  references: References,
): Omit<ReadPost, 'body'> | Draft | 'broken' {
  const prepared = preparePost(document, context.mapping, context.memo)
  context.problems.add(prepared.diagnostics)
  const { reading, read, isDraft, publishedAt, fileSlug } = prepared
  const { value: fields, failed } = read
  if (fields === undefined) return 'broken'
  const terms = references.resolve(read, reading, isDraft)
  const names = failed.has('slug')
    ? undefined
    : readNames(document, fields, fileSlug, { reading, context, identities })
  const custom = readCustomFields(context.settings.fields, reading, context.problems)
  const cover = readCover(fields.coverImage, reading, context)
  if (failed.size > 0 || custom.isBroken) return 'broken'
  if (isDraft) {
    return { title: fields.title, publishedAt: publishedAt ?? null, file: document.file }
  }
  if (names === undefined || publishedAt === undefined || terms === undefined) return 'broken'
  const { title, featured, description, attribution, updatedAt = publishedAt } = fields
  const coverImage = cover.url ?? fields.coverImage
  const texts = { title, featured, coverImage, description, attribution }
  const own = custom.fields === undefined ? {} : { fields: custom.fields }
  const post = { ...names, ...texts, publishedAt, updatedAt, ...terms, ...own }
  return { post, cover: cover.media ?? null }
}

function preparePost(
  document: RawDocument,
  mapping: FrontMatterMapping,
  memo: PostMemo,
): PreparedPost {
  const known = memo.get(document)
  if (known !== undefined) return known
  const problems = new Problems()
  const reading = readMapped(document, mapping, problems)
  const read = readFieldsPartly(postSchema, reading, problems, { title: '-' })
  const { value: fields, failed } = read
  const name = splitFileName(fileNameOf(document.file))
  const isDraft = fields !== undefined && isDraftPost(fields, reading, problems)
  const publishedAt =
    fields === undefined || failed.has('publishedAt')
      ? undefined
      : publicationDate(fields, reading, name.date, problems)
  const { diagnostics } = problems
  const prepared = { reading, read, isDraft, publishedAt, fileSlug: name.slug, diagnostics }
  memo.set(document, prepared)
  return prepared
}

function readNames(
  document: RawDocument,
  fields: PostFields,
  fileSlug: string,
  claim: {
    readonly reading: Reading
    readonly context: PostContext
    readonly identities: Identities
  },
): Pick<Post, 'id' | 'slug'> | undefined {
  const { reading, context, identities } = claim
  const slug = fields.slug ?? derivedSlug(document, context, fileSlug)
  if (slug === undefined) return undefined
  const id = identities.claim(slug, fields.id, {
    source: reading.source,
    slugAt: placeOf(reading, ['slug']),
    idAt: placeOf(reading, ['id']),
  })
  return id === undefined ? undefined : { id, slug }
}

/** The front matter under known names; unknown keys are warned of. */
function readMapped(
  document: RawDocument,
  mapping: FrontMatterMapping,
  problems: Problems,
): Reading {
  const source = { file: document.file, text: document.source }
  const { frontMatter } = document
  const { fields, usedKeys } = mapFields(frontMatter.entries, mapping)
  const own = { source, fields: frontMatter.entries, at: frontMatter.at }
  const known = [...knownKeys.post, ...usedKeys]
  warnUnknownKeys(own, known, problems, 'Keys of your own go below `fields:`.')
  return withDateAlias({ ...own, fields })
}

/** `date` is another name of `publishedAt`. */
function withDateAlias(reading: Reading): Reading {
  const date = reading.fields.get('date')
  const publishedAt = reading.fields.get('publishedAt')
  if (date === undefined || (publishedAt && !isAbsent(publishedAt.value))) return reading
  const fields = new Map(reading.fields).set('publishedAt', date)
  return { ...reading, fields, writtenAs: new Map([['publishedAt', 'date']]) }
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
  // Whatever says draft wins: nothing is published by a contradiction.
  return draft === true || status === 'draft'
}

function derivedSlug(
  document: RawDocument,
  { mapping, problems }: PostContext,
  fileSlug: string,
): string | undefined {
  const source =
    typeof mapping.slug === 'object' && 'derive' in mapping.slug ? mapping.slug : undefined
  const path = pathBelowKind(document.file).replace(/(^|\/)index$/u, '')
  const text = source?.derive === 'path' && path !== '' ? path.replaceAll('/', '-') : fileSlug
  const slugifies =
    typeof mapping.slug === 'object' && 'slugify' in mapping.slug && mapping.slug.slugify
  return checkedFileSlug(
    slugifies === true ? slugify(text) : text,
    { file: document.file, text: document.source },
    problems,
  )
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
