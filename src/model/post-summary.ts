// The part of a post that depends only on its front matter: read once and cached with it. Problems need the front
// matter again for their positions.

import { parseDate } from '../api/dates.ts'
import { decodeValue, encodeValue, type PackedValue } from '../content/front-matter-record.ts'
import type { RawDocument, WorkspaceFolders, YamlEntry } from '../content/raw.ts'
import type { Diagnostic, Position } from '../diagnostics.ts'
import type { Mappings } from './front-matter-mapping.ts'
import { splitFileName } from './identifier.ts'
import { mapPost } from './mapped-post.ts'
import { firstHeading } from './post-title.ts'
import { type Problem, Problems, type Source } from './problems.ts'
import {
  type Fields,
  type PartlyRead,
  placeOf,
  type Reading,
  readFieldsPartly,
  warnUnknownKeys,
} from './read-fields.ts'
import { knownKeys, type PostFields, postSchema } from './schema.ts'
import { pageNameOf } from './source-path.ts'
import { withheldPost } from './withheld-keys.ts'

/** The front matter summary of a document, as JSON; independent of the file's path. */
export interface PostSummary {
  /** Null if the fields could not be read. */
  readonly fields: PostFields | null
  /** Names of invalid fields. */
  readonly failed: readonly string[]
  readonly isDraft: boolean
  /** The value of `fields:` and the position of its key; null for none. */
  readonly own: readonly [line: number, column: number, value: PackedValue] | null
  /** True if no title is stated: the first heading of the body is the title. */
  readonly needsHeading: boolean
  /** Diagnostics without a file. */
  readonly diagnostics: readonly Diagnostic[]
}

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

/** Settings of a summary. */
export interface PrepareContext {
  readonly mappings: Mappings
  readonly folders: WorkspaceFolders
  readonly problems: Problems
}

/** Summarizes the front matter of a post. The summary does not depend on the body. */
export function summarisePost(
  document: Pick<RawDocument, 'source' | 'frontMatter'>,
  mappings: Mappings,
): PostSummary {
  const problems = new Problems()
  const source = { file: '', text: document.source }
  const { reading, known } = readMapped(document, mappings, source, problems)
  const { value, failed } = readFieldsPartly(postSchema, reading, problems, {})
  const isDraft = value !== undefined && isDraftPost(value, reading, problems)
  warnUnknownKeys({ ...reading, fields: document.frontMatter.entries }, known, problems, {
    hintFor: hintForKey,
    withheld: isDraft ? undefined : withheldPost,
    isSilent: mappings.posts.ignore === true,
  })
  const own = reading.fields.get('fields')
  return {
    fields: value === undefined ? null : { ...value, fields: undefined },
    failed: [...failed],
    isDraft,
    needsHeading: value !== undefined && !failed.has('title') && value.title === undefined,
    own: own === undefined ? null : [own.keyAt.line, own.keyAt.column, encodeValue(own.value)],
    diagnostics: problems.diagnostics,
  }
}

/** Reports whether a post is a draft without errors of its own, which needs no further steps. */
export function isSoundDraft({ isDraft, failed }: PostSummary): boolean {
  return isDraft && failed.length === 0
}

/** Returns the summary of a post, and reports its problems. @param mappings those of the summary */
export function preparePost(
  document: RawDocument,
  { mappings, folders, problems }: PrepareContext,
): PreparedPost {
  const summary = summaryOf(document, mappings)
  const { fields, failed, isDraft, own, diagnostics } = summary
  const { file } = document
  if (diagnostics.length > 0) problems.add(diagnostics.map((found) => ({ ...found, file })))
  const reading = new DeferredReading(document, mappings)
  const { slug, date } = splitFileName(pageNameOf(file, folders.posts))
  const heading = summary.needsHeading ? headingOf(document) : null
  if (summary.needsHeading) {
    reportTitle(reading, heading !== null, problems)
  }
  const publishedAt =
    fields === null || failed.includes('publishedAt')
      ? undefined
      : publicationDate(fields, reading, date, problems)
  if (isEarlier(fields?.updatedAt, publishedAt)) {
    problems.report(reading.source, placeOf(reading, ['updatedAt']), updatedEarly)
  }
  return {
    reading,
    read: { value: fields ?? undefined, failed: failed.length === 0 ? none : new Set(failed) },
    isDraft,
    own: own === null ? undefined : entryOf(own),
    publishedAt,
    title: fields?.title ?? heading ?? slug,
    fileSlug: slug,
  }
}

const none: ReadonlySet<string> = new Set()

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

function summaryOf(document: RawDocument, mappings: Mappings): PostSummary {
  // A stored summary comes from `summarisePost` with the same mappings.
  return (document.summary as PostSummary | undefined) ?? summarisePost(document, mappings)
}

function headingOf({ heading, body }: RawDocument): string | null {
  return heading === undefined ? (firstHeading(body) ?? null) : heading
}

function entryOf([line, column, value]: NonNullable<PostSummary['own']>): YamlEntry {
  return { keyAt: { line, column }, value: decodeValue(value) }
}

/** Mapped front matter, parsed again on first use. */
class DeferredReading implements Reading {
  readonly #document: RawDocument
  readonly #mappings: Mappings

  constructor(document: RawDocument, mappings: Mappings) {
    this.#document = document
    this.#mappings = mappings
  }

  get source(): Source {
    return new DeferredSource(this.#document)
  }

  get fields(): Fields {
    return mapPost(this.#document.frontMatter.entries, this.#mappings).fields
  }

  get at(): Position {
    return this.#document.frontMatter.at
  }
}

class DeferredSource implements Source {
  readonly file: string
  readonly #document: RawDocument

  constructor(document: RawDocument) {
    this.file = document.file
    this.#document = document
  }

  get text(): string {
    return this.#document.source
  }
}

/** Returns the mapped front matter and its known keys. */
function readMapped(
  document: Pick<RawDocument, 'frontMatter'>,
  mappings: Mappings,
  source: Source,
  problems: Problems,
): { readonly reading: Reading; readonly known: readonly string[] } {
  const { entries, at } = document.frontMatter
  const { usedKeys, moreCategories, ...mapped } = mapPost(entries, mappings)
  if (moreCategories !== undefined) problems.report(source, moreCategories.at, severalCategories)
  return { reading: { source, at, ...mapped }, known: [...knownKeys.post, ...usedKeys] }
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
