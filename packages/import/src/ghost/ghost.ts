// Imports a JSON export of Ghost, any version.
import { readFileSync } from 'node:fs'
import type { Root } from 'hast'
import { parseDate, UseError } from 'quarry/authoring'
import type { RewriteUrl } from '../html/clean.ts'
import { checkedPosts, type Draft, type DraftPost, postBody } from '../html/post-body.ts'
import { PostImages } from '../html/post-images.ts'
import { asObject, asObjects, asText, type Json, type JsonObject, parseJson } from '../json.ts'
import type { FieldValue, ImportContext, ImportedDocument, ImportedSite } from '../site.ts'
import { Terms } from '../terms.ts'
import { replaceCards } from './cards.ts'

/** The tables of an export, and what posts refer to in them. */
interface GhostExport {
  readonly context: ImportContext
  readonly posts: readonly { readonly row: JsonObject; readonly slug: string }[]
  /** Slugs of posts by the slug in the export. */
  readonly slugOfSlug: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, JsonObject>
  /** Ids of tags and of authors by post id, in order. */
  readonly tagsOfPost: Links
  readonly authorsOfPost: Links
  readonly metaOfPost: ReadonlyMap<string, JsonObject>
  readonly terms: Terms
}
type Links = ReadonlyMap<string, readonly string[]>

/** Reads an export of Ghost. @throws UseError when the file is no such export */
export async function importGhost(context: ImportContext): Promise<ImportedSite> {
  const { source, report, slugs } = context
  const document = asObject(parseJson(readFileSync(source, 'utf8'), source)) ?? {}
  const data = asObject(asObjects(document['db'])[0]?.['data']) ?? asObject(document['data']) ?? {}
  const table = (name: string) => asObjects(data[name])
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
      const wish = asText(row['slug']) ?? asText(row['title']) ?? idOf(row)
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
    metaOfPost: new Map(table('posts_meta').map((row) => [asText(row['post_id']) ?? '', row])),
    terms: termsOf(tags, table('users'), context),
  }
  return {
    documents: documentsOf(site),
    settings: () => ({
      name: asText(table('settings').find(({ key }) => key === 'title')?.['value']),
      postLink: '/{slug}/',
      // Links to posts that failed to import are broken.
      hasBrokenLinks: report.hasFailures,
    }),
  }
}

async function* documentsOf(site: GhostExport): AsyncGenerator<ImportedDocument> {
  const { terms } = site
  const drafts = site.posts.map((post) => postOf(post, site)).filter((post) => post !== undefined)
  yield* checkedPosts(drafts, site.context.report)
  // A tag that is the category of posts is no tag, unless a post has it as such.
  yield* terms.documents({
    isKept: (kind, key) => kind === 'tags' && !terms.isUsed('categories', key),
  })
}

/** Ids of a column by post, in the order of `sort_order`. */
function linksOf(rows: readonly JsonObject[], column: string): Links {
  const links = new Map<string, string[]>()
  const sorted = [...rows].sort(
    (a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0),
  )
  for (const row of sorted) {
    const [post = '', id] = [asText(row['post_id']), asText(row[column])]
    const known = links.get(post) ?? []
    if (id !== undefined && !known.includes(id)) links.set(post, [...known, id])
  }
  return links
}

function isPage({ type, page }: JsonObject): boolean {
  return type === 'page' || page === true || page === 1
}

function idOf({ id }: JsonObject): string {
  return asText(id) ?? ''
}

/** The location of a post, for the report. */
function placeOf(row: JsonObject): string {
  return `post ${idOf(row)} "${asText(row['title']) ?? asText(row['slug']) ?? ''}"`
}

/** The key of the category of posts without a tag. */
const untagged = ''

function termsOf(
  tags: GhostExport['tags'],
  users: readonly JsonObject[],
  { report, site = '' }: ImportContext,
): GhostExport['terms'] {
  const terms = new Terms(report, true)
  const named = (kind: string, row: JsonObject) => {
    const name = asText(row['name']) ?? asText(row['slug']) ?? idOf(row)
    const [slug, id] = [asText(row['slug']) ?? name, idOf(row)]
    return { key: id, id, slug, name, from: `${kind} ${id} "${name}"` }
  }
  for (const row of tags.values()) {
    if (isInternal(row)) continue
    const tag = { ...named('tag', row), body: asText(row['description']) }
    terms.define({ kind: 'categories', ...tag })
    terms.define({ kind: 'tags', ...tag })
  }
  const from = 'posts without a tag'
  terms.define({ kind: 'categories', key: untagged, slug: 'posts', name: 'Posts', from })
  // Email addresses are private.
  for (const row of users) {
    const image = asText(row['profile_image']) ?? asText(row['image'])
    terms.define({
      kind: 'authors',
      ...named('author', row),
      fields: { image: image?.replace(origin, site), socials: socialsOf(row) },
      body: asText(row['bio']),
    })
  }
  return terms
}

/** True for a tag for the theme, invisible to readers. */
function isInternal({ visibility, name }: JsonObject): boolean {
  return visibility === 'internal' || String(name).startsWith('#')
}

function socialsOf(row: JsonObject): FieldValue {
  const pages = { website: '', facebook: 'https://www.facebook.com/', twitter: 'https://x.com/' }
  return listed(
    Object.entries(pages).flatMap(([platform, base]) => {
      const account = asText(row[platform])?.replace(/^@/, '') ?? ''
      const url = /^https?:/.test(account) ? account : base + account
      return account !== '' && /^https?:/.test(url) ? [{ platform, url }] : []
    }),
  )
}

function listed(items: readonly FieldValue[]): FieldValue {
  const kept = items.filter((item) => item !== undefined)
  return kept.length === 0 ? undefined : kept
}

/** A post; one that needs a look is a draft. Returns undefined and reports a failure without a date. */
function postOf(
  { row, slug }: GhostExport['posts'][number],
  site: GhostExport,
): DraftPost | undefined {
  const { report, slugs } = site.context
  const from = placeOf(row)
  const publishedAt = dateOf(row['published_at']) ?? dateOf(row['created_at'])
  if (publishedAt === undefined) {
    report.add('failed', 'The post has neither published_at nor created_at.', from)
    return undefined
  }
  const images = new PostImages(site.context, from)
  const rewriteUrl = rewriter(site, images, from)
  const body = bodyOf(row, site.context, from, rewriteUrl)
  const meta = site.metaOfPost.get(idOf(row)) ?? {}
  for (const column of leftColumns)
    if (asText(row[column]) ?? asText(meta[column])) report.add('left', column, from)
  const cover = asText(row['feature_image']) ?? asText(row['image'])
  const isDraft = noteDraft(row, report, from)
  const fields = {
    id: slugs.claimId(idOf(row)),
    title: asText(row['title']) ?? slug,
    description: asText(row['custom_excerpt']) ?? asText(meta['meta_description']),
    ...namesOf(row, site, from),
    publishedAt,
    updatedAt: dateOf(row['updated_at']),
    featured: Number(row['featured']) === 1 || undefined,
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
    status: isDraft || body === undefined ? 'draft' : undefined,
  }
  return { document: { kind: 'posts', slug, fields, images: images.found, from }, body: body ?? '' }
}

/** Category, tags and authors of a post. The first public tag is its category. */
function namesOf(row: JsonObject, site: GhostExport, from: string) {
  const { terms, context } = site
  const { report } = context
  const isPublic = (id: string) => {
    if (terms.slugOf('tags', id) !== undefined) return true
    const tag = site.tags.get(id)
    const text =
      tag === undefined
        ? 'tag that the export does not hold'
        : 'internal tag (its name begins with #)'
    report.add('left', text, `${from} (${asText(tag?.['name']) ?? id})`)
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
  row: JsonObject,
  { report }: ImportContext,
  from: string,
  rewriteUrl: RewriteUrl,
): Draft | string | undefined {
  const html = asText(row['html'])
  if (html !== undefined) {
    const leave = () => report.add('left', 'picture in the preview of a link', from)
    const prepare = (tree: Root) => replaceCards(tree, leave)
    return postBody({ html, rewriteUrl, from, prepare }, report)
  }
  const markdown = asText(row['markdown']) ?? markdownOf(asText(row['mobiledoc']))
  if (markdown !== undefined) return markdown
  if (!hasText(row)) return ''
  const reason = 'The post has no HTML in the export. Open and save it in Ghost, and export again.'
  report.add('failed', reason, from)
  return undefined
}

/** The text of a mobiledoc with a single Markdown card, as written by Ghost 1 and 2. */
function markdownOf(mobiledoc = '{}'): string | undefined {
  try {
    const cards = asObject(JSON.parse(mobiledoc) as Json)?.['cards']
    const [only, ...others] = Array.isArray(cards) ? (cards as readonly (readonly Json[])[]) : []
    if (others.length > 0 || !/^(?:card-)?markdown$/.test(String(only?.[0]))) return undefined
    return asText(asObject(only?.[1])?.['markdown'])
  } catch {
    return undefined
  }
}

/** True when the post in the editor's own format has any text, card or image. */
function hasText(row: JsonObject): boolean {
  const [lexical = '', mobiledoc = ''] = [asText(row['lexical']), asText(row['mobiledoc'])]
  return (
    asText(row['plaintext']) !== undefined ||
    /"text":"[^"]|"type":"(?!(?:root|paragraph|text|extended-text)")/.test(lexical) ||
    /"(?:cards|atoms)":\[\[|\[0,\[[\d,]*\],\d+,"[^"]/.test(mobiledoc)
  )
}

/** True when a post must not be public; reports the reason. */
function noteDraft(row: JsonObject, report: ImportContext['report'], from: string): boolean {
  const reason = reasonForDraft(row)
  if (reason !== undefined) report.add('changed', `made a draft: ${reason}`, from)
  return reason !== undefined
}

function reasonForDraft(row: JsonObject): string | undefined {
  const { status, visibility = 'public', html } = row
  if (visibility !== 'public' && visibility !== null && visibility !== '')
    return `only for readers of "${String(visibility)}"`
  if (typeof html === 'string' && /<!--\s*kg-gated-block:begin(?!\s+nonMember:true)/.test(html))
    return 'parts of it are only for members'
  if (status === 'sent' || row['email_only'] === true) return 'sent by email only'
  if (status === 'scheduled' && dateOf(row['published_at']) === undefined)
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

/** Parses a date of Ghost: ISO 8601, `2021-03-24 04:34:10`, or milliseconds. */
function dateOf(value: Json): string | undefined {
  if (typeof value === 'number' && Math.abs(value) < 8.64e15) return new Date(value).toISOString()
  return typeof value === 'string' ? (parseDate(value, 'loose') ?? undefined) : undefined
}

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
