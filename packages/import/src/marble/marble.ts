// Imports an export of Marble: a zip archive with a JSON file for each kind of resource, schema version 1.
import { text } from 'node:stream/consumers'
import { type FieldType, parseDate, type TermKind, UseError } from 'quarry/authoring'
import { openPromise } from 'yauzl'
import { fieldName } from '../field-types.ts'
import { checkedPosts, type DraftPost, postBody } from '../html/post-body.ts'
import { asObject, asObjects, asText, type Json, type JsonObject, parseJson } from '../json.ts'
import type { FieldValue, ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { Terms } from '../terms.ts'

/** The files of an export. */
const fileNames = ['manifest', 'posts', 'categories', 'tags', 'authors', 'media', 'fields'].map(
  (name) => `${name}.json`,
)
/** Maximum size of a file in bytes, when it is unpacked. */
const fileBytesMax = 256 * 1024 * 1024

interface MarbleExport {
  readonly context: ImportContext
  readonly posts: readonly (JsonObject & { readonly slug: string })[]
  readonly terms: Terms
  /** Types of custom fields by name. */
  readonly fields: ReadonlyMap<string, FieldType>
}

/** Reads an export of Marble. @throws UseError for another archive or schema version */
export async function importMarble(context: ImportContext): Promise<ImportedSite> {
  const { source, report, slugs } = context
  const files = await unpack(source)
  const manifest = manifestOf(files.get('manifest.json'), source)
  for (const name of files.keys())
    if (!fileNames.includes(name)) report.add('left', 'file that is no part of an export', name)
  const rows = (name: string) => rowsOf(files.get(`${name}.json`), name, context)
  const posts = rows('posts').map((row) => {
    report.find(`post ${placeOf(row)}`)
    const slug = asText(row['slug']) ?? asText(row['title']) ?? asText(row['id']) ?? ''
    return { ...row, slug: slugs.claim({ slug, from: placeOf(row) }) }
  })
  const announced = asObject(manifest['resources'])?.['posts']
  if (typeof announced === 'number' && announced !== posts.length)
    report.add(
      'failed',
      `The manifest announces ${announced} posts; posts.json has ${posts.length}.`,
      source,
    )
  const terms = new Terms(report, true)
  for (const kind of ['categories', 'tags', 'authors'] as const)
    for (const row of rows(kind)) define(terms, kind, row)
  const site = { context, posts, terms, fields: fieldsOf(rows('fields'), context) }
  return {
    documents: documentsOf(site),
    settings: () => ({
      name: asText(asObject(manifest['workspace'])?.['name']),
      fields: site.fields,
    }),
  }
}

async function* documentsOf(site: MarbleExport): AsyncGenerator<ImportedDocument> {
  const drafts = site.posts.map((row) => postOf(row, site)).filter((post) => post !== undefined)
  yield* checkedPosts(drafts, site.context.report)
  yield* site.terms.documents({ isKept: () => true })
}

/** The texts of an archive by name; yauzl refuses names that lead out of it, and sizes that are wrong. */
async function unpack(source: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  try {
    const zip = await openPromise(source, { lazyEntries: true, autoClose: false })
    try {
      for await (const entry of zip.eachEntry()) {
        if (entry.fileName.endsWith('/')) continue
        const isKnown = fileNames.includes(entry.fileName)
        if (isKnown && entry.uncompressedSize > fileBytesMax)
          throw new Error(`${entry.fileName} has more than ${fileBytesMax} bytes`)
        files.set(entry.fileName, isKnown ? await text(await zip.openReadStreamPromise(entry)) : '')
      }
    } finally {
      zip.close()
    }
  } catch (error) {
    throw new UseError(`${source} is no archive that can be read: ${(error as Error).message}`)
  }
  return files
}

function manifestOf(content: string | undefined, source: string): JsonObject {
  if (content === undefined)
    throw new UseError(`${source} has no manifest.json: it is no export of Marble.`)
  const manifest = asObject(parseJson(content, `${source}:manifest.json`)) ?? {}
  const version = manifest['schemaVersion']
  if (manifest['provider'] !== 'marble' || manifest['format'] !== 'json')
    throw new UseError(`${source}:manifest.json does not name Marble's JSON format.`)
  if (version !== 1)
    throw new UseError(
      `${source} has the schema version ${JSON.stringify(version)}; this version of quarry reads version 1.`,
    )
  return manifest
}

/** The rows of a file, which may be missing. */
function rowsOf(
  content: string | undefined,
  name: string,
  { report, source }: ImportContext,
): readonly JsonObject[] {
  if (content === undefined) {
    const section = name === 'posts' ? 'failed' : 'left'
    report.add(section, `${name}.json is not in the archive.`, source)
    return []
  }
  const found = parseJson(content, `${source}:${name}.json`)
  const rows: readonly Json[] = Array.isArray(found) ? found : []
  for (const [index, row] of rows.entries())
    if (asObject(row) === undefined)
      report.add('failed', `An entry of ${name}.json is no object.`, `entry ${index}`)
  return asObjects(rows)
}

/** Types of custom fields, by their name in Marble. */
const fieldTypes: ReadonlyMap<string, FieldType> = new Map<string, FieldType>([
  ['text', 'text'],
  ['number', 'number'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['richtext', 'text'],
  ['select', 'text'],
  ['multiselect', 'list'],
])

function fieldsOf(
  rows: readonly JsonObject[],
  { report }: ImportContext,
): ReadonlyMap<string, FieldType> {
  const fields = new Map<string, FieldType>()
  for (const row of rows) {
    const [key = '', type = ''] = [asText(row['key']), asText(row['type'])]
    const known = fieldTypes.get(type)
    if (known !== undefined && fieldName(key) === key) fields.set(key, known)
    else report.add('left', 'custom field of an unknown type or name', `${key}: ${type}`)
  }
  return fields
}

/** The location of a row, for the report. */
function placeOf(row: JsonObject): string {
  return `${asText(row['id']) ?? ''} "${asText(row['title']) ?? asText(row['name']) ?? ''}"`
}

/** A post; one that needs a look is a draft. Returns undefined and reports a failure without a date. */
function postOf(row: MarbleExport['posts'][number], site: MarbleExport): DraftPost | undefined {
  const { report, slugs } = site.context
  const from = `post ${placeOf(row)}`
  const publishedAt = dateOf(row['publishedAt']) ?? dateOf(row['createdAt'])
  if (publishedAt === undefined) {
    report.add('failed', 'The post has no publishedAt.', from)
    return undefined
  }
  const body = postBody({ html: asText(row['content']) ?? '', from }, report)
  const use = (kind: TermKind, term: JsonObject) => termOf(site.terms, kind, term, from)
  const list = (kind: TermKind) => asObjects(row[kind]).map((term) => use(kind, term))
  const fields = {
    id: slugs.claimId(asText(row['id']) ?? ''),
    title: asText(row['title']) ?? row.slug,
    description: asText(row['description']),
    category: use('categories', asObject(row['category']) ?? { slug: 'posts', name: 'Posts' }),
    tags: listed(list('tags')),
    authors: listed(list('authors')),
    publishedAt,
    updatedAt: dateOf(row['updatedAt']),
    featured: row['featured'] === true ? true : undefined,
    coverImage: asText(row['coverImage']),
    status: isDraft(row, report, from) || body === undefined ? 'draft' : undefined,
    fields: customFields(row, site, from),
  }
  return { document: { kind: 'posts', slug: row.slug, fields, from }, body: body ?? '' }
}

function listed(slugs: readonly FieldValue[]): FieldValue {
  return slugs.length === 0 ? undefined : slugs
}

/** True when a post must not be public. An unknown status counts as a draft, and is reported. */
function isDraft({ status }: JsonObject, report: ImportContext['report'], from: string): boolean {
  if (status === 'published') return false
  const reason = status === 'draft' ? 'its status is "draft"' : `unknown status "${String(status)}"`
  report.add('changed', `made a draft: ${reason}`, from)
  return true
}

function customFields(
  row: JsonObject,
  { context, fields }: MarbleExport,
  from: string,
): { readonly [key: string]: FieldValue } {
  const entries = asObjects(row['fieldValues']).flatMap(({ field, value }) => {
    const name = asText(asObject(field)?.['key']) ?? ''
    const type = fields.get(name)
    const written = asText(value)
    if (written === undefined) return []
    const shaped = type === undefined ? undefined : shape(type, written)
    if (shaped !== undefined) return [[name, shaped] as const]
    context.report.add('left', `custom field "${name}": its value is none of its type`, from)
    return []
  })
  return Object.fromEntries(entries)
}

/** Parses a value, which exports contain as text; undefined when it does not have the type. */
function shape(type: FieldType, written: string): FieldValue {
  if (type === 'number') return Number.isFinite(Number(written)) ? Number(written) : undefined
  if (type === 'boolean') return /^(?:true|false)$/.test(written) ? written === 'true' : undefined
  if (type === 'date') return parseDate(written, 'loose') ?? undefined
  if (type !== 'list') return written
  const list = /^\[/.test(written) ? parseJson(written, 'a list') : undefined
  return Array.isArray(list) ? list.map((item: Json) => String(item)) : undefined
}

function dateOf(value: Json): string | undefined {
  return parseDate(asText(value) ?? '', 'loose') ?? undefined
}

/** Adds a row of a kind's file, unless its id is already defined. */
function define(terms: MarbleExport['terms'], kind: TermKind, row: JsonObject): void {
  const id = asText(row['id'])
  const name = asText(row['name']) ?? asText(row['slug']) ?? ''
  const slug = asText(row['slug']) ?? name
  const socials = asObjects(row['socials']).flatMap((social) => {
    const [platform, url] = [asText(social['platform']), asText(social['url'])]
    return platform !== undefined && url !== undefined && /^https?:/.test(url)
      ? [{ platform, url }]
      : []
  })
  const fields = {
    image: asText(row['image']),
    role: asText(row['role']),
    socials: listed(socials),
  }
  terms.define({
    kind,
    ...{ key: id ?? slug, slug, name, id, from: `${kind} ${id ?? ''} "${name}"` },
    fields: kind === 'authors' ? fields : {},
    body: asText(row['bio']) ?? asText(row['description']),
  })
}

/** The slug of a term. Posts contain each of their terms completely, also one that the kind's file lacks. */
function termOf(
  terms: MarbleExport['terms'],
  kind: TermKind,
  row: JsonObject,
  from: string,
): string | undefined {
  const key = asText(row['id']) ?? asText(row['slug']) ?? from
  if (terms.slugOf(kind, key) === undefined) define(terms, kind, row)
  return terms.use(kind, key, from)
}
