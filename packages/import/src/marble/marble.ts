// Imports an export of Marble: a zip archive with a JSON file per kind of resource, schema version 1.

import type { FieldType } from 'quarry/authoring'
import { UseError } from 'quarry/authoring'
import { fieldName } from '../field-types.ts'
import { checkedPosts, type DraftPost } from '../html/post-body.ts'
import { asObject, asText, type Json, type JsonObject, jsonRows } from '../json-rows.ts'
import { Ledger } from '../ledger.ts'
import type { ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { type Archive, openArchive } from './archive.ts'
import { type MarblePosts, marblePost, placeOf } from './posts.ts'
import { MarbleTerms } from './terms.ts'

/** The files of an export. */
const fileNames = ['manifest', 'posts', 'categories', 'tags', 'authors', 'media', 'fields'].map(
  (name) => `${name}.json`,
)

/** Reads an export of Marble. @throws UseError for another archive or schema version */
export async function importMarble(context: ImportContext): Promise<ImportedSite> {
  const archive = await openArchive(context.source)
  try {
    const manifest = await manifestOf(archive, context.source)
    for (const name of archive.names)
      if (!fileNames.includes(name))
        context.report.add('left', 'file that is no part of an export', name)
    const slugs: string[] = []
    for await (const row of rowsOf(archive, 'posts', context)) slugs.push(claimSlug(row, context))
    checkCount(manifest, slugs.length, context)
    const terms = new MarbleTerms(context.report)
    for (const kind of ['categories', 'tags', 'authors'] as const)
      for await (const row of rowsOf(archive, kind, context)) terms.define(kind, row)
    const fields = await fieldsOf(archive, context)
    const posts = { context, slugs, terms, fields }
    return {
      documents: documentsOf(archive, posts),
      settings: () => ({ name: asText(asObject(manifest['workspace'])?.['name']), fields }),
    }
  } catch (error) {
    archive.close()
    throw error
  }
}

interface SluggedPosts extends MarblePosts {
  /** In export order. */
  readonly slugs: readonly string[]
}

async function* documentsOf(
  archive: Archive,
  posts: SluggedPosts,
): AsyncGenerator<ImportedDocument> {
  try {
    yield* checkedPosts(draftsOf(archive, posts), posts.context.report)
    yield* posts.terms.documents()
  } finally {
    archive.close()
  }
}

async function* draftsOf(archive: Archive, posts: SluggedPosts): AsyncGenerator<DraftPost> {
  let count = 0
  // The first pass has already reported rows that are no objects.
  const quiet = { ...posts.context, report: new Ledger() }
  for await (const row of rowsOf(archive, 'posts', quiet)) {
    const draft = marblePost(row, posts.slugs[count++] ?? '', posts)
    if (draft !== undefined) yield draft
  }
}

function claimSlug(row: JsonObject, { slugs, report }: ImportContext): string {
  const slug = asText(row['slug']) ?? asText(row['title']) ?? asText(row['id']) ?? ''
  report.find(`post ${placeOf(row)}`)
  return slugs.claim({ slug, from: placeOf(row) })
}

/** Reads the manifest. */
async function manifestOf(archive: Archive, source: string): Promise<JsonObject> {
  if (!archive.names.includes('manifest.json'))
    throw new UseError(`${source} has no manifest.json: it is no export of Marble.`)
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of archive.read('manifest.json')) {
    bytes += part.length
    if (bytes > manifestBytesMax)
      throw new UseError(`${source}:manifest.json has more than ${manifestBytesMax} bytes.`)
    parts.push(part)
  }
  const manifest = asObject(parsed(Buffer.concat(parts).toString(), source))
  const version = manifest?.['schemaVersion']
  if (manifest?.['provider'] !== 'marble' || manifest['format'] !== 'json')
    throw new UseError(`${source}:manifest.json does not name Marble's JSON format.`)
  if (version !== 1)
    throw new UseError(
      `${source} has the schema version ${JSON.stringify(version)}; this version of quarry reads version 1.`,
    )
  return manifest
}

const manifestBytesMax = 64 * 1024

function parsed(text: string, source: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new UseError(`${source}:manifest.json is not JSON.`)
  }
}

/** Reports an archive with fewer posts than its manifest states. */
function checkCount(manifest: JsonObject, count: number, { report, source }: ImportContext): void {
  const announced = asObject(manifest['resources'])?.['posts']
  if (typeof announced === 'number' && announced !== count)
    report.add(
      'failed',
      `The manifest announces ${announced} posts; posts.json has ${count}.`,
      source,
    )
}

/** Iterates over the rows of a file, which may be missing. */
async function* rowsOf(
  archive: Archive,
  name: string,
  { report, source }: ImportContext,
): AsyncGenerator<JsonObject> {
  const file = `${name}.json`
  if (!archive.names.includes(file)) {
    report.add(name === 'posts' ? 'failed' : 'left', `${file} is not in the archive.`, source)
    return
  }
  for await (const { value, index } of jsonRows(archive.read(file), ['$.*'], `${source}:${file}`)) {
    const row = asObject(value)
    if (row === undefined)
      report.add('failed', `An entry of ${file} is no object.`, `entry ${index}`)
    else yield row
  }
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

async function fieldsOf(
  archive: Archive,
  context: ImportContext,
): Promise<ReadonlyMap<string, FieldType>> {
  const fields = new Map<string, FieldType>()
  for await (const row of rowsOf(archive, 'fields', context)) {
    const [key = '', type = ''] = [asText(row['key']), asText(row['type'])]
    const known = fieldTypes.get(type)
    if (known !== undefined && fieldName(key) === key) fields.set(key, known)
    else context.report.add('left', 'custom field of an unknown type or name', `${key}: ${type}`)
  }
  return fields
}
