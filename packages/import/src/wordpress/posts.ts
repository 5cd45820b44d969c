// One post of a WordPress export as a document.
import { basename } from 'node:path'
import type { Root } from 'hast'
import { parseDate } from 'quarry/authoring'
import type { RewriteUrl } from '../html/clean.ts'
import { type Draft, draftOf } from '../html/convert.ts'
import { type DraftPost, PostImages, postBody } from '../html/post-body.ts'
import type { MediaFolder } from '../media-folder.ts'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { expandBlocks, footnotesOf, hasBlocks } from './blocks.ts'
import { linkAddresses, makeParagraphs } from './paragraphs.ts'
import { plainText } from './plain-text.ts'
import type { WxrRecord } from './read-wxr.ts'
import { translateShortcodes } from './shortcodes.ts'
import { decoded, placeOf, type WxrSurvey } from './survey.ts'
import type { WxrTerms } from './terms.ts'

/** The context of post conversion. */
export interface WxrPosts {
  readonly context: ImportContext
  readonly survey: WxrSurvey
  readonly terms: WxrTerms
  readonly media: MediaFolder | undefined
}

/** Converts a post; one that needs a look is a draft. Returns undefined and reports a failure without a date. */
export function wordpressPost(
  record: WxrRecord,
  slug: string,
  posts: WxrPosts,
): DraftPost | undefined {
  const { context, survey, terms, media } = posts
  const { report } = context
  const from = placeOf(record)
  const { texts, meta, comments } = record
  const publishedAt = dateOf(record, posts)
  if (publishedAt === undefined) {
    report.add('failed', 'The post has no date.', from)
    return undefined
  }
  const images = new PostImages(media, report, from)
  const rewriteUrl = rewriter(survey, images, (what) => report.add('changed', what, from))
  const { body, isWhole } = bodyOf(record, { ...posts, from, rewriteUrl })
  if (comments > 0) report.add('left', 'comment or pingback', from, comments)
  const cover = survey.attachments.get(meta.get('_thumbnail_id')?.[0] ?? '')?.url
  const isWithheld = isDraft(record, from, report)
  const fields = {
    id: context.slugs.claimId(texts.get('wp:post_id') ?? ''),
    title: plainText(texts.get('title') ?? '') || slug,
    description: plainText(texts.get('excerpt:encoded') ?? '') || undefined,
    ...terms.ofPost(record, from),
    publishedAt,
    updatedAt: utcDate(texts.get('wp:post_modified_gmt')),
    featured: texts.get('wp:is_sticky') === '1' ? true : undefined,
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
    status: isWithheld || !isWhole ? 'draft' : undefined,
  }
  const redirects = meta.get('_wp_old_slug')?.map(decoded) ?? []
  const document = { kind: 'posts' as const, slug, fields, images: images.found, redirects, from }
  return { document, body, finish: (markdown) => withFootnotes(markdown, record) }
}

/** Footnotes of the block editor as Markdown, which the HTML cannot say. */
function withFootnotes(markdown: string, { meta }: WxrRecord): string {
  const notes = footnotesOf(meta.get('footnotes')?.[0])
  if (notes.size === 0) return markdown
  const ids = [...notes.keys()]
  const referred = new Set<string>()
  const numbered = markdown.replace(
    /<sup[^<>]*>\[[^[\]]*\]\(#([\w-]+)\)<\/sup>/g,
    (all, id: string) => {
      if (!notes.has(id)) return all
      referred.add(id)
      return `[^${ids.indexOf(id) + 1}]`
    },
  )
  // A footnote without a reference would not be shown.
  const isReferred = referred.size === notes.size
  const texts = [...notes.values()].map((html, index) => {
    const draft = draftOf({ html })
    const text = draft.kind === 'draft' ? draft.markdown.trim() : plainText(html)
    const label = isReferred ? `[^${index + 1}]:` : `${index + 1}.`
    return `${label} ${text.replaceAll('\n', '\n    ')}`
  })
  return `${(isReferred ? numbered : markdown).trimEnd()}\n\n${texts.join('\n')}\n`
}

interface BodyContext extends WxrPosts {
  readonly from: string
  readonly rewriteUrl: RewriteUrl
}

/** The body; it is not whole if a shortcode stays as text, or if it is no body that a post can have. */
function bodyOf(
  record: WxrRecord,
  given: BodyContext,
): { readonly body: Draft | string; readonly isWhole: boolean } {
  const { context, survey, from, rewriteUrl } = given
  const { report, keepUnknown } = context
  const content = record.texts.get('content:encoded') ?? ''
  const isClassic = !hasBlocks(content)
  const expanded = expandBlocks(content, {
    patterns: survey.patterns,
    onDynamic: (name) => report.add('left', `block "${name}": WordPress makes its content`, from),
  })
  const { html, unknown } = translateShortcodes(expanded, {
    attachment: (id) => survey.attachments.get(id),
    ownAttachments: survey.attachmentsOfPost.get(record.texts.get('wp:post_id') ?? '') ?? [],
    onMissing: (id) =>
      report.add('left', 'file of a list that the export does not hold', `${from} (${id})`),
    onTranslated: (name) => report.add('changed', `shortcode [${name}] → HTML`, from),
  })
  for (const { name, index } of unknown) {
    const line = record.contentLine + expanded.slice(0, index).split('\n').length - 1
    const place = `${basename(context.source)}:${line} ${from}`
    if (keepUnknown) report.add('left', `shortcode [${name}], kept as text`, place)
    else report.add('failed', `The shortcode [${name}] has no translation.`, place)
  }
  const prepare = (tree: Root) => {
    makeParagraphs(tree, isClassic)
    linkAddresses(tree)
  }
  const body = postBody({ html, from, rewriteUrl, prepare }, report)
  return { body: body ?? '', isWhole: body !== undefined && (unknown.length === 0 || keepUnknown) }
}

/** Rewrites URLs of uploads that are in the folder of images, and of posts of the site. */
function rewriter(
  { site, slugOfPath }: WxrSurvey,
  images: PostImages,
  changed: (what: string) => void,
): RewriteUrl {
  const host = site.replace(/^https?:/, '')
  return (url, use) => {
    const path = url.replace(/^https?:/, '')
    if (!(path.startsWith(`${host}/`) || /^\/(?!\/)/.test(path))) return url
    if (use === 'link') return postFile(path, slugOfPath, changed) ?? url
    const [, file] = /\/(?:wp-content\/uploads|files)\/([^?#]+)/.exec(path) ?? []
    if (file === undefined) return url
    return images.take([file, `wp-content/uploads/${file}`, `uploads/${file}`]) ?? url
  }
}

/** A link to a post of the site becomes one to its file. */
function postFile(
  path: string,
  slugOfPath: WxrSurvey['slugOfPath'],
  changed: (what: string) => void,
): string | undefined {
  const [, plain = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? []
  const slug = slugOfPath.get(trimmedEnd(plain.replace(/^\/\/[^/]*/, ''), '/'))
  if (slug === undefined) return undefined
  changed('link to a post → its file')
  return `./${slug}.md${rest}`
}

/** WordPress drafts have no UTC date, only one in the site's time zone, which an export does not state. */
function dateOf({ texts }: WxrRecord, { context: { report } }: WxrPosts): string | undefined {
  const gmt = utcDate(texts.get('wp:post_date_gmt'))
  if (gmt !== undefined) return gmt
  const local = utcDate(texts.get('wp:post_date'))
  if (local !== undefined) {
    const place = texts.get('wp:post_date') ?? ''
    report.add('changed', 'date without a time zone, read as UTC', place)
  }
  const written = Date.parse(texts.get('pubDate') ?? '')
  return local ?? (Number.isNaN(written) ? undefined : new Date(written).toISOString())
}

/** `2012-03-15 22:15:12`; undefined for `0000-00-00 00:00:00`. */
function utcDate(text: string | undefined): string | undefined {
  if (text === undefined || text.startsWith('0000')) return undefined
  return parseDate(text.trim(), 'loose') ?? undefined
}

/** True when a post must not be public; reports the reason. */
function isDraft(record: WxrRecord, from: string, report: ImportContext['report']): boolean {
  const reason = reasonForDraft(record)
  if (reason !== undefined) report.add('changed', `made a draft: ${reason}`, from)
  return reason !== undefined
}

/** Post meta of plugins that restrict a post, with the values that do not. */
const restrictions: readonly (readonly [key: string, open: RegExp])[] = [
  ['_jetpack_newsletter_access', /^(?:everybody)?$/],
  ['_members_access_role', /^$/],
  ['rcp_access_level', /^(?:0|None)?$/],
  ['rcp_subscription_level', /^$/],
]

function reasonForDraft({ texts, meta }: WxrRecord): string | undefined {
  const status = texts.get('wp:status') ?? ''
  if ((texts.get('wp:post_password') ?? '') !== '') return 'protected by a password'
  if (status !== 'publish' && status !== 'future') return `its status is "${status}"`
  // An export does not state the time zone of the site.
  if (status === 'future' && utcDate(texts.get('wp:post_date_gmt')) === undefined)
    return 'scheduled without a date in UTC'
  const restricted = restrictions.find(([key, open]) =>
    meta.get(key)?.some((value) => !open.test(value)),
  )
  if (restricted !== undefined) return `\`${restricted[0]}\` restricts its readers`
  const content = texts.get('content:encoded') ?? ''
  return /<!-- wp:(?:jetpack\/)?premium-content|"blockVisibility":/.test(content)
    ? 'parts of it are not for everyone'
    : undefined
}
