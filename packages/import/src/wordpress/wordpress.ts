// Imports a WordPress export (WXR), any version.
import { basename } from 'node:path'
import { fromParse5 } from 'hast-util-from-parse5'
import { toString as textIn } from 'mdast-util-to-string'
import { parseFragment } from 'parse5'
import { type FieldType, type TermKind, UseError } from 'quarry/authoring'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import type { ExportPost, RewriteUrl, TakeImage } from '../exports.ts'
import { dateOf, documentsOf, isTrue, postImages, readText } from '../exports.ts'
import type { Ledger } from '../ledger.ts'
import { decoded, trimmedEnd } from '../parts.ts'
import type { ImportContext, ImportedSite } from '../site.ts'
import { type Addressed, addressesOf, givesAddress } from '../static/destinations.ts'
import type { Values } from '../static/front.ts'
import { fieldName } from '../static/post-fields.ts'
import { doubtOf, judge } from '../static/post-head.ts'
import { originOf } from '../static/source-tree.ts'
import { Terms } from '../terms.ts'
import {
  type Attachment,
  expandBlocks,
  type Note,
  restrictionIn,
  restricts,
  translateShortcodes,
  withParagraphs,
  withShown,
} from './markup.ts'

type WxrPost = Addressed & { readonly record: WxrRecord }

interface WxrSite {
  readonly context: ImportContext
  readonly url: string
  readonly attachments: ReadonlyMap<string, Attachment>
  /** The content of public synced patterns by their ids. */
  readonly patterns: ReadonlyMap<string, string | undefined>
  /** Slugs of posts by the path of their URL, without a slash at its end. */
  readonly slugOfPath: ReadonlyMap<string, string>
  readonly terms: Terms
  readonly types: Map<string, FieldType>
}

/** Reads an export of WordPress. @throws UseError when the file is not such an export */
export function importWordpress(context: ImportContext): ImportedSite {
  const { source, report } = context
  const { records, dropped } = readWxr(source)
  if (dropped > 0)
    report.add('changed', 'control character that XML does not allow, left out', source, dropped)
  const items = records.filter(({ name }) => name === 'item')
  if (items.length === 0) throw new UseError(`${source} has no <item>: the export is empty.`)
  for (const item of items) settleItem(item, report)
  const posts = locatedPosts(items.filter(isPost), context)
  report.addresses = addressesOf(posts)
  const { pattern } = report.addresses
  const paths = posts.map(({ address = '', slug }) => [trimmedEnd(address, '/'), slug] as const)
  const textOf = (name: string) => records.find((record) => record.name === name)?.texts.get('')
  const byId = <T>(type: string, read: (item: WxrRecord) => T) => {
    const found = items.filter((item) => typeOf(item) === type)
    return new Map(found.map((item) => [item.texts.get('wp:post_id') ?? '', read(item)]))
  }
  const site: WxrSite = {
    context,
    url: trimmedEnd(textOf('wp:base_blog_url') ?? '', '/'),
    slugOfPath: new Map(paths.filter(([path]) => path !== '')),
    attachments: byId('attachment', attachmentOf),
    patterns: byId('wp_block', (item) =>
      reasonForDraft(item) ? undefined : item.texts.get('content:encoded'),
    ),
    terms: termsOf(records, report),
    types: new Map(),
  }
  const made = posts.map((post) => postOf(post, pattern, site))
  return {
    documents: documentsOf(made, site.terms, report),
    settings: () => ({
      name: textOf('title')?.trim(),
      postLink: (originOf(site.url) ?? '') + pattern,
      fields: site.types,
    }),
  }
}

function placeOf({ texts, line }: WxrRecord): string {
  return `line ${line} "${texts.get('title')?.trim() || texts.get('wp:post_name') || texts.get('wp:post_id')}"`
}

function typeOf({ texts }: WxrRecord): string {
  return texts.get('wp:post_type') ?? 'post'
}

function isPost(record: WxrRecord): boolean {
  const status = record.texts.get('wp:status') ?? ''
  return typeOf(record) === 'post' && !['trash', 'auto-draft', 'inherit'].includes(status)
}

function settleItem(record: WxrRecord, report: ImportContext['report']): void {
  const [type, status, from] = [typeOf(record), record.texts.get('wp:status'), placeOf(record)]
  const reason = type === 'post' ? `post in status "${status}"` : `item of type "${type}"`
  if (isPost(record)) report.find(from)
  // Files, patterns and revisions belong to posts.
  else if (/^(?:attachment|wp_block|revision)$/.test(type)) report.settle(from, 'data')
  else report.settle(from, type === 'page' ? 'pages' : 'skipped', reason)
}

/** Slugs from WordPress take precedence over those derived from titles of drafts. */
function locatedPosts(records: readonly WxrRecord[], { slugs }: ImportContext): readonly WxrPost[] {
  const claimed = new Map<WxrRecord, string>()
  const nameOf = ({ texts }: WxrRecord) => decoded(texts.get('wp:post_name') ?? '')
  const named = records.filter((record) => nameOf(record) !== '')
  for (const record of new Set([...named, ...records])) {
    const { texts } = record
    const slug = nameOf(record) || texts.get('title') || (texts.get('wp:post_id') ?? '')
    const date = /^[1-9].*/.exec(texts.get('wp:post_date') ?? '')?.[0]
    claimed.set(record, slugs.claim({ slug, date, from: placeOf(record) }))
  }
  return records.map((record) => ({
    record,
    slug: claimed.get(record) ?? '',
    address: /^https?:\/\/[^/?#]+(\/[^?#]*)$/.exec(record.texts.get('link') ?? '')?.[1],
    day: (record.texts.get('wp:post_date') ?? '').slice(0, 10),
    isPublic: reasonForDraft(record) === undefined,
  }))
}

function attachmentOf({ texts }: WxrRecord): Attachment {
  const url = texts.get('wp:attachment_url') ?? texts.get('guid') ?? ''
  const caption = (texts.get('excerpt:encoded') ?? '').trim()
  return { url, caption, parent: texts.get('wp:post_parent') ?? '' }
}

function plainText(html: string): string {
  return textIn(fromParse5(parseFragment(html)))
    .replace(/\s+/g, ' ')
    .trim()
}

function termsOf(records: readonly WxrRecord[], report: Ledger): WxrSite['terms'] {
  const terms = new Terms(report, true)
  /** Children of a record: its key, name, id and description. Email addresses of authors are private. */
  const kinds = {
    'wp:category': ['categories', 'category_nicename', 'cat_name', 'term_id'],
    'wp:tag': ['tags', 'tag_slug', 'tag_name', 'term_id'],
    'wp:author': ['authors', 'author_login', 'author_display_name', 'author_id'],
  } as const
  for (const { name: element, texts, line } of records) {
    const [kind, keyName, nameName, idName] = kinds[element as keyof typeof kinds] ?? []
    if (kind === undefined) continue
    const key = texts.get(`wp:${keyName}`)?.trim() ?? ''
    const name = plainText(texts.get(`wp:${nameName}`) ?? '') || key
    const body = plainText(texts.get(`${element}_description`) ?? '')
    const id = texts.get(`wp:${idName}`)?.trim()
    const slug = decoded(key) || name
    terms.define({ kind, key, slug, name, id, body, from: `line ${line} "${name}"` })
  }
  return terms
}

function namesOf({ terms, texts }: WxrRecord, site: WxrSite, from: string) {
  const { report } = site.context
  const [first, ...others] = terms.filter(({ domain }) => domain === 'category')
  if (first === undefined)
    report.add('changed', 'in the category "uncategorized": it has none', from)
  if (others.length > 0) {
    const text = 'category made a tag: a post has one category'
    report.add('changed', text, from, others.length)
  }
  for (const { domain } of terms)
    if (domain !== 'category' && domain !== 'post_tag')
      report.add('left', `term of the taxonomy "${domain}"`, from)
  /** A term that occurs only in posts is defined by the first of them. */
  const use = (kind: TermKind, { slug, name }: Readonly<Record<'slug' | 'name', string>>) => {
    const key = slug || name
    site.terms.define({ kind, key, slug: decoded(key), name: plainText(name) || key, from })
    return site.terms.use(kind, key, from)
  }
  const tagged = [...others, ...terms.filter(({ domain }) => domain === 'post_tag')]
  const login = texts.get('dc:creator')?.trim() ?? ''
  return {
    category: use('categories', first ?? { slug: 'uncategorized', name: 'Uncategorized' }),
    tags: [...new Set(tagged.map((term) => use('tags', term)))],
    authors: login === '' ? [] : [use('authors', { slug: login, name: login })],
  }
}

function postOf(post: WxrPost, pattern: string, site: WxrSite): ExportPost {
  const { record, slug, address } = post
  const { report, slugs } = site.context
  const from = placeOf(record)
  const { texts, meta, comments } = record
  const { images, take } = postImages(site.context, from)
  const rewriteUrl = rewriter(site, take, from)
  const { body, isWhole } = bodyOf(record, site, rewriteUrl)
  if (comments > 0) report.add('left', 'comment or pingback', from, comments)
  const thumbnail = meta.get('_thumbnail_id')?.[0]
  const cover = site.attachments.get(thumbnail ?? '')?.url
  if (thumbnail && cover === undefined)
    report.add('left', 'cover image missing from the export', `${from} (${thumbnail})`)
  const fields = {
    id: slugs.claimId(texts.get('wp:post_id') ?? ''),
    url: givesAddress(pattern, post) ? undefined : address,
    title: plainText(texts.get('title') ?? '') || slug,
    description: plainText(texts.get('excerpt:encoded') ?? '') || undefined,
    ...namesOf(record, site, from),
    publishedAt: publishedAt(record, report),
    updatedAt: dateOf(texts.get('wp:post_modified_gmt')),
    featured: isTrue(texts.get('wp:is_sticky')),
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
    status: isWhole ? undefined : 'draft',
    fields: customFields(record, site),
  }
  return {
    ...{ slug, from, fields, body, images },
    withheld: reasonForDraft(record),
    redirects: meta.get('_wp_old_slug')?.map(decoded) ?? [],
  }
}

function customFields(record: WxrRecord, { context: { report }, types }: WxrSite): Values {
  const known = ['_thumbnail_id', '_wp_old_slug', 'footnotes']
  const entries = [...record.meta].flatMap(([key, values]) => {
    const name = key.startsWith('_') ? undefined : fieldName(key)
    const text = values.filter((value) => value !== '').join(', ')
    if (known.includes(key) || text === '') return []
    if (name !== undefined) types.set(name, 'text')
    else report.add('left', 'post meta of plugins', `${placeOf(record)} (${key})`)
    return name === undefined ? [] : [[name, text] as const]
  })
  return Object.fromEntries(entries)
}

/** Returns the body. It is incomplete if markup stays as text, or if the post cannot have such a body. */
function bodyOf(record: WxrRecord, site: WxrSite, rewriteUrl: RewriteUrl) {
  const { context, patterns, attachments } = site
  const { report, keepUnknown } = context
  const from = placeOf(record)
  const content = record.texts.get('content:encoded') ?? ''
  let isWhole = true
  const fail = (text: string, place: string) => {
    isWhole = keepUnknown
    report.add(keepUnknown ? 'left' : 'failed', text, place)
  }
  const note: Note = (section, text, detail = '') => {
    const place = detail === '' ? from : `${from} (${detail})`
    if (section === 'failed') fail(text, place)
    else report.add(section, text, place)
  }
  const [footnotes] = record.meta.get('footnotes') ?? []
  const expanded = expandBlocks(content, { patterns, footnotes, report: note })
  if (footnotes && footnotes !== '[]' && !content.includes('wp:footnotes'))
    note('left', 'footnotes without their block')
  const post = record.texts.get('wp:post_id') ?? ''
  const { html, unknown } = translateShortcodes(expanded, { attachments, post, report: note })
  let at = 0
  for (const name of unknown) {
    at = content.indexOf(`[${name}`, at) + 1
    const line = record.contentLine + content.slice(0, at).split('\n').length - 1
    const place = `${basename(context.source)}:${line} ${from}`
    fail(`The shortcode [${name}] has no translation.`, place)
  }
  for (const [formula] of html.matchAll(/\$latex\s[^$]{1,2000}\$/g))
    note('left', '`$latex …$`: it stays as text', formula)
  // Outside of the block editor, blank lines separate paragraphs.
  const paragraphs = content.includes('<!-- wp:') ? html : withParagraphs(html)
  const body = { html: paragraphs, rewriteUrl, prepare: withShown }
  return { body, isWhole }
}

function rewriter(site: WxrSite, take: TakeImage, from: string): RewriteUrl {
  const host = site.url.replace(/^https?:/, '')
  return (url, use) => {
    const path = url.replace(/^https?:/, '')
    if (!(path.startsWith(`${host}/`) || /^\/(?!\/)/.test(path))) return url
    const [, plain = '', rest = ''] = /^(?:\/\/[^/]*)?([^?#]*)(.*)$/s.exec(path) ?? []
    if (use === 'image') {
      const [, file] = /\/(?:wp-content\/uploads|files)\/([^?#]+)/.exec(path) ?? []
      const copy = file && take([file, `wp-content/uploads/${file}`, `uploads/${file}`])
      return copy ?? url
    }
    const slug = site.slugOfPath.get(trimmedEnd(plain, '/'))
    if (slug === undefined) return url
    site.context.report.add('changed', 'link to a post → its file', from)
    return `./${slug}.md${rest}`
  }
}

/** WordPress drafts have no UTC date, only one in the site's time zone, which an export does not state. */
function publishedAt({ texts }: WxrRecord, report: Ledger): string | undefined {
  const written = texts.get('wp:post_date')
  const [gmt, local] = [texts.get('wp:post_date_gmt'), written].map(dateOf)
  if (gmt === undefined && local !== undefined)
    report.add('changed', 'date without a time zone, read as UTC', written ?? '')
  return gmt ?? local
}

function reasonForDraft(record: WxrRecord): string | undefined {
  const { texts, meta } = record
  const status = texts.get('wp:status') ?? ''
  if ((texts.get('wp:post_password') ?? '') !== '') return 'protected by a password'
  if (status !== 'publish' && status !== 'future') return `its status is "${status}"`
  // An export does not state the time zone of the site.
  if (status === 'future' && dateOf(texts.get('wp:post_date_gmt')) === undefined)
    return 'scheduled without a date in UTC'
  const isClosed = (key: string) =>
    meta.get(key)?.some((value) => restricts(key, value) || judge(key, value) === 'hidden')
  const restricted =
    [...meta.keys()].find(isClosed) ?? restrictionIn(texts.get('content:encoded') ?? '')
  const doubt = doubtOf({ tags: record.terms.map(({ name }) => name) })
  return restricted === undefined ? doubt : `\`${restricted}\` may restrict its readers`
}

/** A child of the channel: `item`, `wp:author`, `wp:category`, `wp:tag`, `title` … */
interface WxrRecord {
  readonly name: string
  readonly line: number
  /** Texts of its children by name (the first of each), and its own text under `''`. */
  readonly texts: Map<string, string>
  contentLine: number
  readonly terms: Readonly<Record<'domain' | 'slug' | 'name', string>>[]
  readonly meta: Map<string, string[]>
  comments: number
}

/** Characters that XML 1.0 forbids but WordPress writes (§2.2). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/**
 * Reads all records of an export, and the number of removed control characters, which XML does not allow.
 *
 * @throws UseError with line and column for a file that is not WXR, for a DTD, and for an entity that XML does not
 *   define
 */
function readWxr(file: string) {
  const parser = new SaxesParser()
  const refuse = (reason: string): UseError =>
    new UseError(`${file}:${parser.line}:${parser.column + 1}: ${reason}`)
  const records: WxrRecord[] = []
  const open: string[] = []
  let record: WxrRecord | undefined
  let text = ''
  let metaKey = ''
  parser.on('error', (error) => {
    throw refuse(error.message.replace(/^\d+:\d+: /, ''))
  })
  parser.on('doctype', () => {
    throw refuse('a document type (DTD) is not supported; WordPress exports have none.')
  })
  parser.on('opentag', ({ name }) => {
    open.push(name)
    text = ''
    if (open.length === 1 && name !== 'rss')
      throw refuse(`<${name}> is not the <rss> of a WordPress export.`)
    const { line } = parser
    if (open.length === 3)
      record = {
        ...{ name, line, contentLine: line, texts: new Map(), terms: [] },
        ...{ meta: new Map(), comments: 0 },
      }
    if (record !== undefined && name === 'content:encoded') record.contentLine = line
    if (record !== undefined && name === 'wp:comment') record.comments += 1
  })
  const addText = (part: string) => {
    // Comments are counted, not stored.
    if (open[3] !== 'wp:comment') text += part
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  const closeChild = ({ texts, terms, meta }: WxrRecord, { name, attributes }: SaxesTagPlain) => {
    const { domain = 'category', nicename = '' } = attributes
    if (open.length === 3 && name === 'category') terms.push({ domain, slug: nicename, name: text })
    else if (open.length === 3 && !texts.has(name)) texts.set(name, text)
    else if (name === 'wp:meta_key') metaKey = text
    else if (name === 'wp:meta_value') meta.set(metaKey, [...(meta.get(metaKey) ?? []), text])
  }
  parser.on('closetag', (tag) => {
    open.pop()
    if (record === undefined) return
    if (open.length > 2) closeChild(record, tag)
    else {
      record.texts.set('', text)
      records.push(record)
      record = undefined
    }
    text = ''
  })
  const written = readText(file)
  const plain = written.replace(controls, '')
  parser.write(plain).close()
  return { records, dropped: written.length - plain.length }
}
