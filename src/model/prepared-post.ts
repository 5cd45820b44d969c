// A post before its references are resolved: its front matter, mapped and validated.
import { parseDate } from '../api/dates.ts'
import type { RawDocument, WorkspaceFolders, YamlEntry } from '../content/raw.ts'
import type { Mappings } from './front-matter-mapping.ts'
import { splitFileName } from './identifier.ts'
import { mapPost } from './mapped-post.ts'
import { firstHeading } from './post-title.ts'
import type { Problem, Problems } from './problems.ts'
import {
  type PartlyRead,
  placeOf,
  type Reading,
  readFieldsPartly,
  warnUnknownKeys,
} from './read-fields.ts'
import { knownKeys, type PostFields, postSchema } from './schema.ts'
import { pageNameOf } from './source-path.ts'
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
