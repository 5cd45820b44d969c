// Imports a JSON export of Ghost, any version.
import { UseError } from 'quarry/authoring'
import type { ExportPost, RewriteUrl, TakeImage } from '../exports.ts'
import {
  dateOf,
  documentsOf,
  isTrue,
  parseExport,
  postImages,
  readText,
  rowsOf,
} from '../exports.ts'
import { wordSet } from '../parts.ts'
import type { ImportContext, ImportedSite } from '../site.ts'
import { authorOf } from '../static/authors.ts'
import { isMap, textAt, type Values, valueAt } from '../static/front.ts'
import { doubtOf } from '../static/post-head.ts'
import { lastSegment, Terms } from '../terms.ts'

interface GhostExport {
  readonly context: ImportContext
  readonly slugOfSlug: ReadonlyMap<string, string>
  readonly tags: ReadonlyMap<string, Values>
  readonly tagsOfPost: Links
  readonly authorsOfPost: Links
  readonly metaOfPost: ReadonlyMap<string, Values>
  readonly terms: Terms
  readonly isPrivate: boolean
}
type Links = ReadonlyMap<string, readonly string[]>

/** Reads an export of Ghost. @throws UseError when the file is not such an export */
export async function importGhost(context: ImportContext): Promise<ImportedSite> {
  const { source, report, slugs } = context
  const document = parseExport(readText(source), source)
  const [database = document] = isMap(document) ? rowsOf(document['db']) : []
  const table = (name: string) => rowsOf(valueAt({ database }, `database.data.${name}`))
  const rows = table('posts')
  if (rows.length === 0)
    throw new UseError(`${source} has no posts of a Ghost export (db[0].data.posts).`)
  for (const row of rows)
    if (isPage(row)) report.settle(placeOf(row), 'pages', 'a page: only posts are imported')
    else report.find(placeOf(row))
  const slugOfSlug = new Map<string, string>()
  const posts = rows
    .filter((row) => !isPage(row))
    .map((row) => {
      const wish = textAt(row, 'slug', 'title') ?? idOf(row)
      const slug = slugs.claim({ slug: wish, from: placeOf(row) })
      slugOfSlug.set(wish, slug)
      return [row, slug] as const
    })
  // Ghost before 1.22 has one author per post, in a column.
  const columns = rows.map((row) => ({ ...row, post_id: idOf(row), sort_order: 1e9 }))
  const tags = new Map(table('tags').map((row) => [idOf(row), row] as const))
  const site: GhostExport = {
    ...{ context, slugOfSlug, tags },
    tagsOfPost: linksOf(table('posts_tags'), 'tag_id'),
    authorsOfPost: linksOf([...table('posts_authors'), ...columns], 'author_id'),
    metaOfPost: new Map(table('posts_meta').map((row) => [textAt(row, 'post_id') ?? '', row])),
    terms: termsOf(tags, table('users'), context),
    isPrivate: table('settings').some(({ key, value }) => key === 'is_private' && isTrue(value)),
  }
  const made = posts.map(([row, slug]) => postOf(row, slug, site))
  // A tag that became a category is left out, unless a post also has it as a tag.
  const isKept = (kind: string, key: string) =>
    kind === 'tags' && !site.terms.isUsed('categories', key)
  return {
    documents: documentsOf(made, site.terms, report, { isKept }),
    settings: () => ({
      name: textAt(table('settings').find(({ key }) => key === 'title') ?? {}, 'value'),
      postLink: `${context.site ?? ''}/{slug}/`,
    }),
  }
}

function linksOf(rows: readonly Values[], column: string): Links {
  const links = new Map<string, string[]>()
  const order = (row: Values) => Number(row['sort_order'] ?? 0)
  for (const row of [...rows].sort((a, b) => order(a) - order(b))) {
    const [post = '', id] = [textAt(row, 'post_id'), textAt(row, column)]
    const known = links.get(post) ?? []
    if (id !== undefined && !known.includes(id)) links.set(post, [...known, id])
  }
  return links
}

/** Ghost before 3.0 marks pages in another column. */
function isPage({ type, page }: Values): boolean {
  return type === 'page' || isTrue(page) === true
}

function idOf(row: Values): string {
  return textAt(row, 'id') ?? ''
}

function placeOf(row: Values): string {
  return `post ${idOf(row)} "${textAt(row, 'title', 'slug') ?? ''}"`
}

const untagged = ''

function termsOf(tags: GhostExport['tags'], users: readonly Values[], context: ImportContext) {
  const { report, site = '' } = context
  const terms = new Terms(report, true)
  const named = (kind: string, row: Values, body: string) => {
    const name = textAt(row, 'name', 'slug') ?? idOf(row)
    const [slug, id] = [textAt(row, 'slug') ?? name, idOf(row)]
    const from = `${kind} ${id} "${name}"`
    report.unread(row, kind === 'tag' ? columnsOfTag : columnsOfUser, from)
    return { key: id, id, slug, name, from, body: textAt(row, body) }
  }
  for (const row of tags.values()) {
    const { visibility, name } = row
    if (visibility === 'internal' || String(name).startsWith('#')) continue
    const tag = named('tag', row, 'description')
    for (const kind of ['categories', 'tags'] as const) terms.define({ kind, ...tag })
  }
  const from = 'posts without a tag'
  terms.define({ kind: 'categories', key: untagged, slug: 'posts', name: 'Posts', from })
  // Email addresses are private.
  for (const row of users) {
    const image = textAt(row, 'profile_image', 'image')?.replace(origin, site)
    const { website, facebook, twitter } = row
    const { socials } = authorOf({ website, facebook, twitter }, idOf(row))?.fields ?? {}
    const fields = { image, socials }
    terms.define({ kind: 'authors', ...named('author', row, 'bio'), fields })
  }
  return terms
}

function postOf(row: Values, slug: string, site: GhostExport): ExportPost {
  const { report, slugs } = site.context
  const from = placeOf(row)
  const { images, take } = postImages(site.context, from)
  const rewriteUrl = rewriter(site, take, from)
  const body = bodyOf(row, site.context, from, rewriteUrl)
  const all = { ...site.metaOfPost.get(idOf(row)), ...row }
  const excerpt = textAt(all, 'custom_excerpt')
  report.unread(excerpt ? all : { ...all, meta_description: '' }, readColumns, from)
  const cover = textAt(row, 'feature_image', 'image')
  const fields = {
    id: slugs.claimId(idOf(row)),
    title: textAt(row, 'title') ?? slug,
    description: excerpt ?? textAt(all, 'meta_description'),
    ...namesOf(row, site, from),
    publishedAt: dateOf(textAt(row, 'published_at')) ?? dateOf(textAt(row, 'created_at')),
    updatedAt: dateOf(textAt(row, 'updated_at')),
    featured: isTrue(row['featured']),
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
  }
  const tags = (site.tagsOfPost.get(idOf(row)) ?? []).map((id) => site.tags.get(id)?.['name'])
  const reason = reasonForDraft(all) ?? (site.isPrivate ? 'the site is private' : undefined)
  return { slug, from, fields, body, images, withheld: reason ?? doubtOf({ tags }) }
}

function namesOf(row: Values, site: GhostExport, from: string) {
  const { terms, context } = site
  const held = (kind: 'tags' | 'authors', links: Links, noun: string) =>
    (links.get(idOf(row)) ?? []).filter((id) => {
      if (terms.slugOf(kind, id) !== undefined) return true
      const tag = kind === 'tags' ? site.tags.get(id) : undefined
      const text = tag ? 'internal tag (its name begins with #)' : `${noun} missing from the export`
      context.report.add('left', text, `${from} (${textAt(tag ?? {}, 'name') ?? id})`)
      return false
    })
  const [primary = untagged, ...others] = held('tags', site.tagsOfPost, 'tag')
  const authors = held('authors', site.authorsOfPost, 'author')
  if (primary === untagged)
    context.report.add('changed', 'in the category "Posts": it has no tag', from)
  return {
    category: terms.use('categories', primary, from),
    tags: others.map((id) => terms.use('tags', id, from)),
    authors: authors.map((id) => terms.use('authors', id, from)),
  }
}

function bodyOf(row: Values, { report }: ImportContext, from: string, rewriteUrl: RewriteUrl) {
  const html = textAt(row, 'html')
  if (html !== undefined) return { html, rewriteUrl }
  const markdown = textAt(row, 'markdown')
  if (markdown !== undefined || !hasText(row)) return markdown ?? ''
  const reason = 'The post has no HTML in the export. Open and save it in Ghost, and export again.'
  report.add('failed', reason, from)
  return undefined
}

function hasText({ plaintext, lexical, mobiledoc }: Values): boolean {
  const shown =
    /"text": ?"[^"]|"type": ?"(?!(?:root|paragraph|text|extended-text)")|"(?:cards|atoms)": ?\[ ?\[|\[0, ?\[[\d, ]*\], ?\d+, ?"[^"]/
  return shown.test(`${lexical}${mobiledoc}`) || (plaintext ?? '') !== ''
}

function reasonForDraft(row: Values): string | undefined {
  const { status, visibility = 'public', html } = row
  if (visibility !== 'public' && visibility !== null && visibility !== '')
    return `only for readers of "${String(visibility)}"`
  if (typeof html === 'string' && /<!--\s*kg-gated-block:begin(?!\s+nonMember:true)/.test(html))
    return 'parts of it are for members only'
  if (status === 'sent' || isTrue(row['email_only'])) return 'sent by email only'
  if (status === 'scheduled' && dateOf(textAt(row, 'published_at')) === undefined)
    return 'scheduled without a date'
  const isOpen = status === 'published' || status === 'scheduled'
  return isOpen ? undefined : `its status is "${String(status)}"`
}

/** Columns that are read, that repeat others, or that only concern editors and emails. */
const readColumns = wordSet(
  'id uuid post_id title slug html markdown mobiledoc lexical plaintext status visibility type page featured feature_image image published_at created_at updated_at custom_excerpt author_id created_by updated_by published_by comment_id email_only email_subject email_segment email_recipient_filter newsletter_id show_title_and_feature_image',
)
const columnsOfTag = wordSet(
  'id uuid slug name description visibility created_at created_by updated_at updated_by',
)
const columnsOfUser = wordSet(
  'id uuid slug name bio image profile_image website facebook twitter visibility email password status role roles locale language ghost_auth_id ghost_auth_access_token accessibility tour last_login last_seen created_at created_by updated_at updated_by comment_notifications donation_notifications free_member_signup_notification mention_notifications milestone_notifications paid_subscription_canceled_notification paid_subscription_started_notification recommendation_notifications',
)

const origin = '__GHOST_URL__'
const routes = /^\/(?:author|content|ghost|p|page|rss|tag)\//

/** Rewrites URLs of a post: images in `--media` and links to other posts become files of the workspace. */
function rewriter(all: GhostExport, take: TakeImage, from: string): RewriteUrl {
  const { site = '', report } = all.context
  const pathOf = (url: string) => {
    const start = [origin, site].find((name) => name !== '' && `${url}/`.startsWith(`${name}/`))
    if (start !== undefined) return url.slice(start.length) || '/'
    return /^\/(?!\/)/.test(url) ? url : undefined
  }
  const slugAt = (path: string) =>
    routes.test(path) ? undefined : all.slugOfSlug.get(lastSegment(path))
  return (url, use) => {
    const path = pathOf(url)
    if (path === undefined) return url
    const [, plain = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? []
    const slug = slugAt(path)
    if (use === 'link') return slug === undefined ? site + path : `./${slug}.md${rest}`
    const [, file] =
      /^\/content\/images\/(?:size\/[^/]+\/(?:format\/[^/]+\/)?)?(.+)/.exec(plain) ?? []
    const copy = file && take([file, `content/images/${file}`, `images/${file}`])
    if (copy === undefined && site === '')
      report.add('left', 'image without an origin: add --site', `${from} (${path})`)
    return copy ?? site + path
  }
}
