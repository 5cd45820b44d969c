// Imports an export of Marble: a zip archive with a JSON file for each kind of resource, schema version 1.
import { buffer } from 'node:stream/consumers'
import { type FieldType, parseDate, type TermKind, UseError } from 'quarry/authoring'
import { openPromise } from 'yauzl'
import type { ExportPost } from '../exports.ts'
import { dateOf, documentsOf, isTrue, parseExport, readText, rowsOf } from '../exports.ts'
import { wordSet } from '../parts.ts'
import type { FieldValue, ImportContext, ImportedSite } from '../site.ts'
import { authorOf } from '../static/authors.ts'
import { isMap, textAt, type Values } from '../static/front.ts'
import { fieldName } from '../static/post-fields.ts'
import { withheldBy } from '../static/post-head.ts'
import { Terms } from '../terms.ts'

const fileNames = ['manifest', 'posts', 'categories', 'tags', 'authors', 'media', 'fields'].map(
  (name) => `${name}.json`,
)

interface MarbleExport {
  readonly context: ImportContext
  readonly terms: Terms
  readonly fields: ReadonlyMap<string, FieldType>
}

/** Reads an export of Marble. @throws UseError for another archive or schema version */
export async function importMarble(context: ImportContext): Promise<ImportedSite> {
  const { source, report, slugs } = context
  const files = await unpack(source)
  const manifest = manifestOf(files.get('manifest.json'), source)
  for (const name of files.keys())
    if (!fileNames.includes(name))
      report.add('left', 'file that does not belong to an export', name)
  const rows = (name: string) => {
    const content = files.get(`${name}.json`)
    if (content !== undefined) return rowsOf(parseExport(content, `${source}:${name}.json`))
    report.add(name === 'posts' ? 'failed' : 'left', `${name}.json is not in the archive.`, source)
    return []
  }
  const posts = rows('posts').map((row) => {
    report.find(`post ${placeOf(row)}`)
    const slug = textAt(row, 'slug', 'title', 'id') ?? ''
    return [row, slugs.claim({ slug, from: placeOf(row) })] as const
  })
  const terms = new Terms(report, true)
  for (const kind of ['categories', 'tags', 'authors'] as const)
    for (const row of rows(kind)) define(terms, kind, row)
  const site = { context, terms, fields: fieldsOf(rows('fields'), context) }
  const made = posts.map(([row, slug]) => postOf(row, slug, site))
  return {
    documents: documentsOf(made, terms, report, { isKept: () => true }),
    settings: () => ({ name: textAt(manifest, 'workspace.name'), fields: site.fields }),
  }
}

/** Reads the texts of an archive by name; yauzl refuses names that lead out of the archive, and wrong sizes. */
async function unpack(source: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  try {
    const zip = await openPromise(source)
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry
      const isKnown = fileNames.includes(name)
      const bytes = isKnown && (await buffer(await zip.openReadStreamPromise(entry)))
      if (!name.endsWith('/')) files.set(name, bytes ? readText(`${source}:${name}`, bytes) : '')
    }
  } catch (error) {
    throw new UseError(`${source} is not a readable archive: ${(error as Error).message}`)
  }
  return files
}

function manifestOf(content: string | undefined, source: string): Values {
  if (content === undefined)
    throw new UseError(`${source} has no manifest.json: it is not a Marble export.`)
  const found = parseExport(content, `${source}:manifest.json`)
  const manifest = isMap(found) ? found : {}
  const { provider, format, schemaVersion } = manifest
  if (provider !== 'marble' || format !== 'json' || schemaVersion !== '1')
    throw new UseError(`${source}:manifest.json does not name Marble's JSON format, version 1.`)
  return manifest
}

const fieldTypes: Readonly<Record<string, FieldType>> = {
  ...{ text: 'text', number: 'number', boolean: 'boolean', date: 'date' },
  ...{ richtext: 'text', select: 'text', multiselect: 'list' },
}

function fieldsOf(rows: readonly Values[], { report }: ImportContext) {
  const fields = new Map<string, FieldType>()
  for (const row of rows) {
    const [key = '', type = ''] = [textAt(row, 'key'), textAt(row, 'type')]
    const known = Object.hasOwn(fieldTypes, type) ? fieldTypes[type] : undefined
    if (known !== undefined && fieldName(key) === key) fields.set(key, known)
    else report.add('left', 'custom field of an unknown type or name', `${key}: ${type}`)
  }
  return fields
}

function placeOf(row: Values): string {
  return `${textAt(row, 'id') ?? ''} "${textAt(row, 'title', 'name') ?? ''}"`
}

const readKeys = wordSet(
  'id title slug description status featured coverImage content contentJson publishedAt createdAt updatedAt category categoryId tags authors primaryAuthorId workspaceId fieldValues',
)

function postOf(row: Values, slug: string, site: MarbleExport): ExportPost {
  const { report, slugs } = site.context
  const from = `post ${placeOf(row)}`
  report.unread(row, readKeys, from)
  const html = textAt(row, 'content')
  const isUnread = html === undefined && (row['content'] ?? row['contentJson'] ?? null) !== null
  if (isUnread) report.add('failed', 'The content of the post is not HTML.', from)
  const body = isUnread ? undefined : { html: html ?? '' }
  const use = (kind: TermKind, term: Values) => {
    define(site.terms, kind, term)
    return site.terms.use(kind, textAt(term, 'id', 'slug') ?? from, from)
  }
  const list = (kind: TermKind) => rowsOf(row[kind]).map((term) => use(kind, term))
  const category = row['category']
  const fields = {
    id: slugs.claimId(textAt(row, 'id') ?? ''),
    title: textAt(row, 'title') ?? slug,
    description: textAt(row, 'description'),
    category: use('categories', isMap(category) ? category : { slug: 'posts', name: 'Posts' }),
    tags: list('tags'),
    authors: list('authors'),
    publishedAt: dateOf(textAt(row, 'publishedAt')) ?? dateOf(textAt(row, 'createdAt')),
    updatedAt: dateOf(textAt(row, 'updatedAt')),
    featured: isTrue(row['featured']),
    coverImage: textAt(row, 'coverImage'),
    fields: customFields(row, site, from),
  }
  const status = String(row['status'])
  // Also columns that no export has yet.
  const now = new Date().toISOString()
  const withheld = status === 'published' ? withheldBy(row, { now }) : `its status is "${status}"`
  return { slug, from, fields, body, withheld }
}

function customFields(row: Values, { context, fields }: MarbleExport, from: string) {
  const entries = rowsOf(row['fieldValues']).flatMap((item) => {
    const name = textAt(item, 'field.key') ?? ''
    const { value = null } = item
    const written = typeof value === 'string' ? value.trim() : JSON.stringify(value)
    if (value === null || written === '') return []
    const shaped = shape(fields.get(name), written)
    if (shaped !== undefined) return [[name, shaped] as const]
    context.report.add('left', `custom field "${name}": its value does not match its type`, from)
    return []
  })
  return Object.fromEntries(entries)
}

/** Parses a value, which exports contain as text; undefined when it does not have the type. */
function shape(type: FieldType | undefined, written: string): FieldValue {
  if (type === 'text') return written
  if (type === 'date') return parseDate(written, 'loose') ?? undefined
  try {
    const value: FieldValue = JSON.parse(written)
    const isList = Array.isArray(value)
    return isList && type === 'list' ? value.map(String) : typeof value === type ? value : undefined
  } catch {
    return undefined
  }
}

function define(terms: Terms, kind: TermKind, row: Values): void {
  const id = textAt(row, 'id')
  const name = textAt(row, 'name', 'slug') ?? ''
  const slug = textAt(row, 'slug') ?? name
  const { image, role, socials } = authorOf(row, name)?.fields ?? {}
  terms.define({
    ...{ kind, key: id ?? slug, slug, name, id, from: `${kind} ${id ?? ''} "${name}"` },
    fields: kind === 'authors' ? { image, role, socials } : {},
    body: textAt(row, 'bio', 'description'),
  })
}
