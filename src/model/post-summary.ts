// The data of a post that depends on its front matter alone: read once, and stored with it. That is needed
// again only for the place of a problem.

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

/** The data of a document, wherever it is; as JSON. */
export interface PostSummary {
  /** Null where nothing could be made out. */
  readonly fields: PostFields | null
  /** Names of the fields with errors. */
  readonly failed: readonly string[]
  readonly isDraft: boolean
  /** The value of `fields:`, and the place of the key; null for none. */
  readonly own: readonly [line: number, column: number, value: PackedValue] | null
  /** No title is stated: the first heading of the body is. */
  readonly needsHeading: boolean
  /** Diagnostics without a file. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The data of a post that depends on its front matter alone. */
export interface PreparedPost {
  readonly reading: Reading
  readonly read: PartlyRead<PostFields>
  readonly isDraft: boolean
  /** The value of `fields:`. */
  readonly own: YamlEntry | undefined
  /** Undefined where there is none, which has been reported. */
  readonly publishedAt: string | undefined
  /** Stated, the first heading, or the file's name. */
  readonly title: string
  /** From the file's name. */
  readonly fileSlug: string
}

/** The settings by which posts are summarised. */
export interface PrepareContext {
  readonly mappings: Mappings
  readonly folders: WorkspaceFolders
  readonly problems: Problems
}

/** The data of the front matter of a post; nothing of it depends on the body. */
export function summarisePost(
  document: Pick<RawDocument, 'source' | 'frontMatter'>,
  mappings: Mappings,
): PostSummary {
  const problems = new Problems()
  const reading = readMapped(document, mappings, { file: '', text: document.source }, problems)
  const { value, failed } = readFieldsPartly(postSchema, reading, problems, {})
  const isDraft = value !== undefined && isDraftPost(value, reading, problems)
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

/** True when a post goes no further: it calls itself a draft, and nothing is wrong with it by itself. */
export function isSoundDraft({ isDraft, failed }: PostSummary): boolean {
  return isDraft && failed.length === 0
}

/** The summary of a post; its problems are reported. @param mappings those it was summarised with */
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
    problems.report(reading.source, reading.at, missingTitle(heading !== null))
  }
  return {
    reading,
    read: { value: fields ?? undefined, failed: failed.length === 0 ? none : new Set(failed) },
    isDraft,
    own: own === null ? undefined : entryOf(own),
    publishedAt:
      fields === null || failed.includes('publishedAt')
        ? undefined
        : publicationDate(fields, reading, date, problems),
    title: fields?.title ?? heading ?? slug,
    fileSlug: slug,
  }
}

const none: ReadonlySet<string> = new Set()

function summaryOf(document: RawDocument, mappings: Mappings): PostSummary {
  // A stored summary was made by `summarisePost` with the same mappings.
  return (document.summary as PostSummary | undefined) ?? summarisePost(document, mappings)
}

function headingOf({ heading, body }: RawDocument): string | null {
  return heading === undefined ? (firstHeading(body) ?? null) : heading
}

function entryOf([line, column, value]: NonNullable<PostSummary['own']>): YamlEntry {
  return { keyAt: { line, column }, value: decodeValue(value) }
}

/** Front matter under known names, made out again when it is asked for something. */
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

/** The front matter under known names; unknown keys are warned of. */
function readMapped(
  document: Pick<RawDocument, 'frontMatter'>,
  mappings: Mappings,
  source: Source,
  problems: Problems,
): Reading {
  const { entries, at } = document.frontMatter
  const { usedKeys, moreCategories, ...mapped } = mapPost(entries, mappings)
  const known = [...knownKeys.post, ...usedKeys]
  const own = { source, fields: entries, at }
  warnUnknownKeys(own, known, problems, hintForKey)
  if (moreCategories !== undefined) problems.report(source, moreCategories.at, severalCategories)
  return { ...own, ...mapped }
}

function missingTitle(hasHeading: boolean): Problem {
  const what = hasHeading ? 'the first heading is the title' : "the file's name is the title"
  return {
    code: 'missing-title',
    severity: 'warning',
    message: `\`title\` is missing; ${what}.`,
    hint: 'Add `title: …`.',
  }
}

function hintForKey(name: string): string {
  return `Keys of your own go below \`fields:\`; \`frontMatter: { posts: { ignore: ['${name}'] } }\` in the configuration ignores this one.`
}

const severalCategories: Problem = {
  code: 'several-categories',
  severity: 'warning',
  message: 'A post has one category; those behind the first become tags.',
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
  // Whatever says draft wins: nothing is published by a contradiction.
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
