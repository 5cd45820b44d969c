// Imports a JSON export of Ghost, any version.
import { readFileSync } from 'node:fs'
import type { Root } from 'hast'
import { UseError } from 'quarry/authoring'
import {
  checkSize,
  dateOf,
  draftOf,
  type ExportPost,
  isTrue,
  listed,
  parseExport,
  rowsOf,
} from '../exports.ts'
import type { RewriteUrl } from '../html/clean.ts'
import { checkedPosts, type Draft, postBody } from '../html/post-body.ts'
import { PostImages } from '../html/post-images.ts'
import type { FieldValue, ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { isMap, textAt, type Values, valueAt } from '../static/front.ts'
import { Terms } from '../terms.ts'
import { replaceCards } from './cards.ts'

/** The tables of an export, and what posts refer to in them. */
interface GhostExport {
  readonly context: ImportContext
  readonly posts: readonly { readonly row: Values; readonly slug: string }[]
  /** Slugs of posts by the slug in the export. */
  readonly slugOfSlug: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, Values>
  /** Ids of tags and of authors by post id, in order. */
  readonly tagsOfPost: Links
  readonly authorsOfPost: Links
  readonly metaOfPost: ReadonlyMap<string, Values>
  readonly terms: Terms
}
type Links = ReadonlyMap<string, readonly string[]>

/** Reads an export of Ghost. @throws UseError when the file is no such export */
export async function importGhost(context: ImportContext): Promise<ImportedSite> {
  const { source, report, slugs } = context
  checkSize(source)
  const document = parseExport(readFileSync(source, 'utf8'), source)
  const [database] = isMap(document) ? rowsOf(document['db']) : []
  const table = (name: string) =>
    rowsOf(
      valueAt({ document, database }, `database.data.${name}`) ??
        valueAt({ document }, `document.data.${name}`),
    )
  const rows = table('posts')
  if (rows.length === 0)
    throw new UseError(`${source} has no posts of a Ghost export (db[0].data.posts).`)
  for (const row of rows) {
    report.find(placeOf(row))
    // Ghost before 3.0 marks pages by another column.
    if (isPage(row)) report.settle(placeOf(row), 'pages', 'quarry has posts alone')
  }
  const slugOfSlug = new Map<string, string>()
  const posts = rows
    .filter((row) => !isPage(row))
    .map((row) => {
      const wish = textAt(row, 'slug', 'title') ?? idOf(row)
      const slug = slugs.claim({ slug: wish, from: placeOf(row) })
      slugOfSlug.set(wish, slug)
      return { row, slug }
    })
  // Ghost before 1.22 has one author per post, in a column.
  const columns = rows.map((row) => ({ ...row, post_id: idOf(row), sort_order: 1e9 }))
  const tags = new Map(table('tags').map((row) => [idOf(row), row] as const))
  const site: GhostExport = {
    ...{ context, posts, slugOfSlug, tags },
    tagsOfPost: linksOf(table('posts_tags'), 'tag_id'),
    authorsOfPost: linksOf([...table('posts_authors'), ...columns], 'author_id'),
    metaOfPost: new Map(table('posts_meta').map((row) => [textAt(row, 'post_id') ?? '', row])),
    terms: termsOf(tags, table('users'), context),
  }
  return {
    documents: documentsOf(site),
    settings: () => ({
      name: textAt(table('settings').find(({ key }) => key === 'title') ?? {}, 'value'),
      postLink: '/{slug}/',
      // Links to posts that failed to import are broken.
      hasBrokenLinks: report.hasFailures,
    }),
  }
}

async function* documentsOf(site: GhostExport): AsyncGenerator<ImportedDocument> {
  const { terms } = site
  const drafts = site.posts.flatMap((post) => draftOf(postOf(post, site), site.context.report))
  yield* checkedPosts(drafts, site.context.report)
  // A tag that is the category of posts is no tag, unless a post has it as such.
  yield* terms.documents({
    isKept: (kind, key) => kind === 'tags' && !terms.isUsed('categories', key),
  })
}

/** Ids of a column by post, in the order of `sort_order`. */
function linksOf(rows: readonly Values[], column: string): Links {
  const links = new Map<string, string[]>()
  const sorted = [...rows].sort(
    (a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0),
  )
  for (const row of sorted) {
    const [post = '', id] = [textAt(row, 'post_id'), textAt(row, column)]
    const known = links.get(post) ?? []
    if (id !== undefined && !known.includes(id)) links.set(post, [...known, id])
  }
  return links
}

function isPage({ type, page }: Values): boolean {
  return type === 'page' || isTrue(page) === true
}

function idOf(row: Values): string {
  return textAt(row, 'id') ?? ''
}

/** The location of a post, for the report. */
function placeOf(row: Values): string {
  return `post ${idOf(row)} "${textAt(row, 'title', 'slug') ?? ''}"`
}

/** The key of the category of posts without a tag. */
const untagged = ''

function termsOf(
  tags: GhostExport['tags'],
  users: readonly Values[],
  { report, site = '' }: ImportContext,
): GhostExport['terms'] {
  const terms = new Terms(report, true)
  const named = (kind: string, row: Values) => {
    const name = textAt(row, 'name', 'slug') ?? idOf(row)
    const [slug, id] = [textAt(row, 'slug') ?? name, idOf(row)]
    return { key: id, id, slug, name, from: `${kind} ${id} "${name}"` }
  }
  for (const row of tags.values()) {
    if (isInternal(row)) continue
    const tag = { ...named('tag', row), body: textAt(row, 'description') }
    terms.define({ kind: 'categories', ...tag })
    terms.define({ kind: 'tags', ...tag })
  }
  const from = 'posts without a tag'
  terms.define({ kind: 'categories', key: untagged, slug: 'posts', name: 'Posts', from })
  // Email addresses are private.
  for (const row of users) {
    const image = textAt(row, 'profile_image', 'image')
    terms.define({
      kind: 'authors',
      ...named('author', row),
      fields: { image: image?.replace(origin, site), socials: socialsOf(row) },
      body: textAt(row, 'bio'),
    })
  }
  return terms
}

/** True for a tag for the theme, invisible to readers. */
function isInternal({ visibility, name }: Values): boolean {
  return visibility === 'internal' || String(name).startsWith('#')
}

function socialsOf(row: Values): FieldValue {
  const pages = { website: '', facebook: 'https://www.facebook.com/', twitter: 'https://x.com/' }
  return listed(
    Object.entries(pages).flatMap(([platform, base]) => {
      const account = textAt(row, platform)?.replace(/^@/, '') ?? ''
      const url = /^https?:/.test(account) ? account : base + account
      return account !== '' && /^https?:/.test(url) ? [{ platform, url }] : []
    }),
  )
}

function postOf({ row, slug }: GhostExport['posts'][number], site: GhostExport): ExportPost {
  const { report, slugs } = site.context
  const from = placeOf(row)
  const images = new PostImages(site.context, from)
  const rewriteUrl = rewriter(site, images, from)
  const body = bodyOf(row, site.context, from, rewriteUrl)
  const meta = site.metaOfPost.get(idOf(row)) ?? {}
  for (const column of leftColumns)
    if (textAt(row, column) ?? textAt(meta, column)) report.add('left', column, from)
  const cover = textAt(row, 'feature_image', 'image')
  const publishedAt = dateOf(textAt(row, 'published_at')) ?? dateOf(textAt(row, 'created_at'))
  const fields = {
    id: slugs.claimId(idOf(row)),
    title: textAt(row, 'title') ?? slug,
    description: textAt(row, 'custom_excerpt') ?? textAt(meta, 'meta_description'),
    ...namesOf(row, site, from),
    publishedAt,
    updatedAt: dateOf(textAt(row, 'updated_at')),
    featured: isTrue(row['featured']),
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
  }
  const withheld = reasonForDraft(row)
  return { slug, from, fields, body, images: images.found, withheld }
}

/** Category, tags and authors of a post. The first public tag is its category. */
function namesOf(row: Values, site: GhostExport, from: string) {
  const { terms, context } = site
  const { report } = context
  const isPublic = (id: string) => {
    if (terms.slugOf('tags', id) !== undefined) return true
    const tag = site.tags.get(id)
    const text =
      tag === undefined
        ? 'tag that the export does not hold'
        : 'internal tag (its name begins with #)'
    report.add('left', text, `${from} (${textAt(tag ?? {}, 'name') ?? id})`)
    return false
  }
  const author = (id: string) => {
    if (terms.slugOf('authors', id) !== undefined) return terms.use('authors', id, from)
    report.add('left', 'author that the export does not hold', `${from} (${id})`)
    return undefined
  }
  const ids = site.tagsOfPost.get(idOf(row)) ?? []
  const [primary = untagged, ...others] = ids.filter(isPublic)
  if (primary === untagged) report.add('changed', 'in the category "Posts": it has no tag', from)
  return {
    category: terms.use('categories', primary, from),
    tags: listed(others.map((id) => terms.use('tags', id, from))),
    authors: listed((site.authorsOfPost.get(idOf(row)) ?? []).map(author)),
  }
}

function bodyOf(
  row: Values,
  { report }: ImportContext,
  from: string,
  rewriteUrl: RewriteUrl,
): Draft | string | undefined {
  const html = textAt(row, 'html')
  if (html !== undefined) {
    const leave = () => report.add('left', 'picture in the preview of a link', from)
    const prepare = (tree: Root) => replaceCards(tree, leave)
    return postBody({ html, rewriteUrl, from, prepare }, report)
  }
  const markdown = textAt(row, 'markdown')
  if (markdown !== undefined) return markdown
  if (!hasText(row)) return ''
  const reason = 'The post has no HTML in the export. Open and save it in Ghost, and export again.'
  report.add('failed', reason, from)
  return undefined
}

/** True when the post in the editor's own format has any text, card or image. */
function hasText(row: Values): boolean {
  const [lexical = '', mobiledoc = ''] = [textAt(row, 'lexical'), textAt(row, 'mobiledoc')]
  return (
    textAt(row, 'plaintext') !== undefined ||
    /"text":"[^"]|"type":"(?!(?:root|paragraph|text|extended-text)")/.test(lexical) ||
    /"(?:cards|atoms)":\[\[|\[0,\[[\d,]*\],\d+,"[^"]/.test(mobiledoc)
  )
}

function reasonForDraft(row: Values): string | undefined {
  const { status, visibility = 'public', html } = row
  if (visibility !== 'public' && visibility !== null && visibility !== '')
    return `only for readers of "${String(visibility)}"`
  if (typeof html === 'string' && /<!--\s*kg-gated-block:begin(?!\s+nonMember:true)/.test(html))
    return 'parts of it are only for members'
  if (status === 'sent' || isTrue(row['email_only'])) return 'sent by email only'
  if (status === 'scheduled' && dateOf(textAt(row, 'published_at')) === undefined)
    return 'scheduled without a date'
  if (status === 'draft') return 'its status is "draft"'
  return ['published', 'scheduled'].includes(String(status))
    ? undefined
    : `unknown status "${String(status)}"`
}

/** Columns of a post and of its metadata without an equivalent in quarry. */
const leftColumns = [
  ...['codeinjection_head', 'codeinjection_foot', 'canonical_url', 'custom_template', 'meta_title'],
  ...['og_title', 'og_description', 'og_image', 'twitter_title', 'twitter_description'],
  ...['twitter_image', 'feature_image_alt', 'feature_image_caption'],
]

/** Ghost's placeholder for the origin of the site. */
const origin = '__GHOST_URL__'
/** The prefixes of Ghost's own routes. */
const routes = /^\/(?:author|content|ghost|p|page|rss|tag)\//

/** Rewrites URLs of a post: images in `--media` and links to other posts become files of the workspace. */
function rewriter(
  { context: { site = '', report }, slugOfSlug }: GhostExport,
  images: PostImages,
  from: string,
): RewriteUrl {
  const pathOf = (url: string) => {
    const start = [origin, site].find(
      (name) => name !== '' && (url === name || url.startsWith(`${name}/`)),
    )
    if (start !== undefined) return url.slice(start.length) || '/'
    return url.startsWith('/') && !url.startsWith('//') ? url : undefined
  }
  const imageFile = (path: string) => {
    const [, file] =
      /^\/content\/images\/(?:size\/[^/]+\/(?:format\/[^/]+\/)?)?([^?#]+)/.exec(path) ?? []
    return file === undefined
      ? undefined
      : images.take([file, `content/images/${file}`, `images/${file}`])
  }
  const postFile = (path: string) => {
    const [, plain = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? []
    const slug = routes.test(path)
      ? undefined
      : slugOfSlug.get(plain.replace(/\/$/, '').split('/').at(-1) ?? '')
    return slug === undefined ? undefined : `./${slug}.md${rest}`
  }
  return (url, use) => {
    const path = pathOf(url)
    if (path === undefined) return url
    const file = use === 'image' ? imageFile(path) : postFile(path)
    if (file === undefined && site === '' && use === 'image')
      report.add('left', 'image without an origin: add --site', `${from} (${path})`)
    return file ?? site + path
  }
}
