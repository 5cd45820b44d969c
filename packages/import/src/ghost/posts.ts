// One post of a Ghost export as a document.
import type { Root } from 'hast'
import { parseDate } from 'quarry/authoring'
import type { Draft } from '../html/convert.ts'
import { type DraftPost, PostImages, postBody } from '../html/post-body.ts'
import { asObject, asText, type Json, type JsonObject } from '../json-rows.ts'
import type { MediaFolder } from '../media-folder.ts'
import type { ImportContext } from '../site.ts'
import { replaceCards } from './cards.ts'
import { type GhostSurvey, idOf, placeOf } from './survey.ts'
import type { GhostTerms } from './terms.ts'
import { ghostUrls } from './urls.ts'

/** The context of post conversion. */
export interface GhostPosts {
  readonly context: ImportContext
  readonly survey: GhostSurvey
  readonly terms: GhostTerms
  readonly media: MediaFolder | undefined
}

/** Converts a post; one that needs a look is a draft. Returns undefined and reports a failure without a date. */
export function ghostPost(row: JsonObject, slug: string, posts: GhostPosts): DraftPost | undefined {
  const { context, survey, terms } = posts
  const { report } = context
  const from = placeOf(row)
  const publishedAt = dateOf(row['published_at']) ?? dateOf(row['created_at'])
  if (publishedAt === undefined) {
    report.add('failed', 'The post has neither published_at nor created_at.', from)
    return undefined
  }
  const images = new PostImages(posts.media, report, from)
  const rewriteUrl = ghostUrls(
    {
      site: context.site,
      slugOfSlug: survey.slugOfSlug,
      left: (path) =>
        report.add('left', 'image without an origin: add --site', `${from} (${path})`),
    },
    images,
  )
  const body = bodyOf(row, { ...posts, from, rewriteUrl })
  const meta = survey.metaOfPost.get(idOf(row)) ?? {}
  reportLeft(row, meta, report, from)
  const cover = asText(row['feature_image']) ?? asText(row['image'])
  const fields = {
    id: context.slugs.claimId(idOf(row)),
    title: asText(row['title']) ?? slug,
    description: asText(row['custom_excerpt']) ?? asText(meta['meta_description']),
    ...terms.ofPost(row, from),
    publishedAt,
    updatedAt: dateOf(row['updated_at']),
    featured: row['featured'] === true || row['featured'] === 1 ? true : undefined,
    coverImage: cover === undefined ? undefined : rewriteUrl(cover, 'image'),
    status: isDraft(row, report, from) || body === undefined ? 'draft' : undefined,
  }
  return {
    document: { kind: 'posts', slug, fields, images: images.found, from },
    body: body ?? '',
  }
}

interface BodyContext extends GhostPosts {
  readonly from: string
  readonly rewriteUrl: ReturnType<typeof ghostUrls>
}

function bodyOf(row: JsonObject, given: BodyContext): Draft | string | undefined {
  const { context, from, rewriteUrl } = given
  const html = asText(row['html'])
  if (html !== undefined) {
    const leave = () => context.report.add('left', 'picture in the preview of a link', from)
    const prepare = (tree: Root) => replaceCards(tree, leave)
    return postBody({ html, rewriteUrl, from, prepare }, context.report)
  }
  const markdown = asText(row['markdown']) ?? markdownOf(asText(row['mobiledoc']))
  if (markdown !== undefined) return markdown
  if (!hasText(row)) return ''
  const reason = 'The post has no HTML in the export. Open and save it in Ghost, and export again.'
  context.report.add('failed', reason, from)
  return undefined
}

/** The text of a mobiledoc with a single Markdown card, as written by Ghost 1 and 2. */
function markdownOf(mobiledoc: string | undefined): string | undefined {
  const cards = asObject(parsed(mobiledoc))?.['cards']
  if (!Array.isArray(cards) || cards.length !== 1) return undefined
  const [name, payload] = cards[0] as readonly Json[]
  if (name !== 'markdown' && name !== 'card-markdown') return undefined
  return asText(asObject(payload)?.['markdown'])
}

function parsed(text: string | undefined): Json {
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json)
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
function isDraft(row: JsonObject, report: ImportContext['report'], from: string): boolean {
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

/** Columns without an equivalent in quarry. */
const leftColumns = ['codeinjection_head', 'codeinjection_foot', 'canonical_url', 'custom_template']
const leftMeta = [
  ...['meta_title', 'og_title', 'og_description', 'og_image', 'twitter_title'],
  ...['twitter_description', 'twitter_image', 'feature_image_alt', 'feature_image_caption'],
]

function reportLeft(
  row: JsonObject,
  meta: JsonObject,
  report: ImportContext['report'],
  from: string,
): void {
  for (const column of leftColumns) if (asText(row[column])) report.add('left', column, from)
  for (const column of leftMeta) if (asText(meta[column])) report.add('left', column, from)
}

/** Parses a date of Ghost: ISO 8601, `2021-03-24 04:34:10`, or milliseconds. */
export function dateOf(value: Json): string | undefined {
  if (typeof value === 'number' && Math.abs(value) < 8.64e15) return new Date(value).toISOString()
  return typeof value === 'string' ? (parseDate(value, 'loose') ?? undefined) : undefined
}
