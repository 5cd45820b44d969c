// One post of a WordPress export as a document.
import { basename } from 'node:path'
import { parseDate } from 'quarry/authoring'
import type { RewriteUrl } from '../html/clean.ts'
import type { Draft } from '../html/convert.ts'
import { type DraftPost, PostImages, postBody } from '../html/post-body.ts'
import type { MediaFolder } from '../media-folder.ts'
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

/** Converts a post; returns undefined and reports a failure when it cannot be imported. */
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
  const rewriteUrl = uploads(survey.site, images)
  const body = bodyOf(record, { ...posts, from, rewriteUrl })
  if (body === undefined) return undefined
  if (comments > 0) report.add('left', 'comment or pingback', from, comments)
  const cover = survey.attachments.get(meta.get('_thumbnail_id')?.[0] ?? '')?.url
  const fields = {
    id: context.slugs.claimId(texts.get('wp:post_id') ?? ''),
    title: plainText(texts.get('title') ?? '') || slug,
    description: plainText(texts.get('excerpt:encoded') ?? '') || undefined,
    ...terms.ofPost(record, from),
    publishedAt,
    updatedAt: utcDate(texts.get('wp:post_modified_gmt')),
    featured: texts.get('wp:is_sticky') === '1' ? true : undefined,
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
    status: isDraft(record, from, report) ? 'draft' : undefined,
  }
  const redirects = meta.get('_wp_old_slug')?.map(decoded) ?? []
  const document = { kind: 'posts' as const, slug, fields, images: images.found, redirects, from }
  return { document, body }
}

interface BodyContext extends WxrPosts {
  readonly from: string
  readonly rewriteUrl: RewriteUrl
}

function bodyOf(record: WxrRecord, given: BodyContext): Draft | undefined {
  const { context, survey, from, rewriteUrl } = given
  const { report, keepUnknown } = context
  const content = record.texts.get('content:encoded') ?? ''
  const isClassic = !hasBlocks(content)
  const expanded = expandBlocks(content, {
    patterns: survey.patterns,
    footnotes: footnotesOf(record.meta.get('footnotes')?.[0]),
    onDynamic: (name) => report.add('left', `block "${name}": WordPress makes its content`, from),
  })
  const { html, unknown } = translateShortcodes(expanded, {
    attachment: (id) => survey.attachments.get(id),
    ownAttachments: survey.attachmentsOfPost.get(record.texts.get('wp:post_id') ?? '') ?? [],
    onMissing: (id) =>
      report.add('left', 'file of a list that the export does not hold', `${from} (${id})`),
  })
  for (const { name, index } of unknown) {
    const line = record.contentLine + expanded.slice(0, index).split('\n').length - 1
    const place = `${basename(context.source)}:${line} ${from}`
    if (keepUnknown) report.add('left', `shortcode [${name}], kept as text`, place)
    else report.add('failed', `The shortcode [${name}] has no translation.`, place)
  }
  if (unknown.length > 0 && !keepUnknown) return undefined
  return postBody(
    {
      html,
      from,
      rewriteUrl,
      prepare: (tree) => {
        makeParagraphs(tree, isClassic)
        linkAddresses(tree)
      },
    },
    report,
  )
}

/** Rewrites URLs of uploads that are in the folder of images. */
function uploads(site: string, images: PostImages): RewriteUrl {
  const host = site.replace(/^https?:/, '')
  return (url, use) => {
    const path = url.replace(/^https?:/, '')
    if (use !== 'image' || !(path.startsWith(`${host}/`) || /^\/(?!\/)/.test(path))) return url
    const [, file] = /\/(?:wp-content\/uploads|files)\/([^?#]+)/.exec(path) ?? []
    if (file === undefined) return url
    return images.take([file, `wp-content/uploads/${file}`, `uploads/${file}`]) ?? url
  }
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
