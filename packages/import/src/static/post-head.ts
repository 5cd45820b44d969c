// Reads the data in a post's front matter and file name: title, date, slug, draft, terms.

import { splitFileName } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import { lastSegment } from '../slugs.ts'
import { type SourceDocument, textAt, type Values } from './front.ts'
import type { PostFile, PostHead, SiteDates, StaticSite } from './generator.ts'
import { dayInZone, momentInPath, readMoment } from './moments.ts'
import { expiryOf, hiddenFromSearch, startsOf, withheldBy } from './withheld.ts'

/** Front-matter keys by field; the first non-empty one wins. */
export const knownKeys = {
  title: ['title', 'Title'],
  description: [
    'description',
    'excerpt',
    'summary',
    'abstract',
    'lead',
    'spoiler',
    'snippet',
    'teaser',
  ],
  date: [
    'date',
    'publishedAt',
    'pubDate',
    'publishDate',
    'published_at',
    'datePublished',
    'published_time',
    'pubDatetime',
    'published',
    'publishedDate',
    'publishedOn',
    'created',
    'createdAt',
    'created_at',
    'postDate',
    'params.date',
  ],
  updated: [
    'updatedAt',
    'updated',
    'lastmod',
    'updatedDate',
    'last_modified_at',
    'lastUpdated',
    'lastUpdate',
    'last_update',
    'last_updated',
    'last_update.date',
    'modified',
    'modDatetime',
    'dateModified',
    'updated_at',
    'updateDate',
  ],
  cover: [
    'coverImage',
    'cover',
    'cover.image',
    'cover.src',
    'cover.url',
    'heroImage',
    'heroImage.src',
    'hero',
    'hero.image',
    'featured_image',
    'featuredImage',
    'feature_image',
    'featureImage',
    'image',
    'image.path',
    'image.src',
    'image.url',
    'image.feature',
    'thumbnail',
    'banner',
    'header.image',
    'header.overlay_image',
    'header.teaser',
    'teaser',
    'ogImage',
    'og_image',
    'images',
  ],
  authors: [
    'authors',
    'author',
    'params.authors',
    'params.author',
    'byline',
    'by',
    'writer',
    'post_author',
    'author_name',
    'author_id',
    'author_slug',
    'author_staff_member',
  ],
  tags: ['tags', 'tag', 'params.tags', 'keywords'],
  categories: ['category', 'categories', 'params.categories', 'section'],
  aliases: ['aliases', 'alias', 'redirect_from', 'redirects', 'redirectFrom'],
  featured: ['featured', 'pinned', 'sticky'],
  draft: ['draft', 'isDraft', 'published', 'unlisted', 'status'],
  slug: ['slug', 'permalink', 'url', 'path', 'id'],
} as const

/** Returns the head, or the reason why the file is no post. */
export function readHead(
  file: PostFile,
  source: SourceDocument,
  { dates = {}, postLink }: Pick<StaticSite, 'dates' | 'postLink'>,
): PostHead | 'no date' {
  const values = { ...file.defaults, ...source.values }
  const now = new Date().toISOString()
  const { zone, keys = {} } = dates
  const publication = { now, zone, expiryKeys: keys.expiry }
  const withheld = file.withheld ?? withheldBy(values, publication)
  const stated = dateOf(file.path, values, dates, now)
  if (stated === undefined && !/draft|publish/i.test(withheld ?? '')) return 'no date'
  const isScheduled = withheld === undefined && stated !== undefined && stated.at > now
  const date = stated === undefined ? undatedDraft : inItsDay(stated, postLink, now)
  const expiry = withheld === undefined ? expiryOf(values, publication) : undefined
  const search = hiddenFromSearch(values)
  const notes = [
    ...(withheld === undefined ? [] : [`made a draft: ${withheld}`]),
    ...(isScheduled ? ['date in the future: scheduled'] : []),
    ...(stated === undefined || date === stated.at ? [] : ['time moved within the day of its URL']),
    ...(expiry === undefined
      ? []
      : [`\`${expiry.key}\` in the future: unpublish the post by hand then`]),
    ...(search === undefined
      ? []
      : [`\`${search}\` hides the post from search engines: it stays public`]),
  ]
  const title =
    textAt(values, ...knownKeys.title) ?? firstHeading(source.body) ?? titleOfFile(file.path)
  return { file, values, slug: slugOf(file.path, values), title, date, withheld, notes }
}

/** The date of drafts without one. */
export const undatedDraft = '1970-01-01T00:00:00.000Z'

/** An instant, and the day that URLs of the site have for it. */
interface Moment {
  readonly at: string
  readonly day: string
}

/** The date of a post, or the start of its publication if that is later than now. A date without a time is midnight. */
function dateOf(path: string, values: Values, dates: SiteDates, now: string): Moment | undefined {
  const read = (key: string) => momentOf(textAt(values, key), dates, now)
  const inPath = momentInPath(path) ?? momentInPath(textAt(values, 'path') ?? '')
  const found = [...(dates.keys?.date ?? []), ...knownKeys.date].map(read)
  const stated =
    found.find((moment) => moment !== undefined) ?? momentOf(inPath?.slice(0, 10), dates, now)
  const configured = (dates.keys?.start ?? []).map((key) => textAt(values, key))
  const starts = [...configured, ...startsOf(values)]
    .map((text) => momentOf(text, dates, now))
    .filter((moment) => moment !== undefined)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  const [last] = starts
  const decides = last !== undefined && (last.at > now || (stated !== undefined && stated.at > now))
  return decides ? last : stated
}

/** Never earlier than the site if the instant is in the future: it would publish a post too soon. */
function momentOf(
  text: string | undefined,
  { zone, hasUtcTimestamps = false, hasWrittenDays = false }: SiteDates,
  now: string,
): Moment | undefined {
  const inUtc = readMoment(text ?? '')
  if (text === undefined || inUtc === undefined) return undefined
  const local = readMoment(text, zone) ?? inUtc
  const hasTime = /\d:\d/.test(text)
  const isUtc = !hasTime || (hasUtcTimestamps && /:\d{2}:\d{2}/.test(text))
  const later = local > inUtc ? local : inUtc
  const future = hasTime ? later : local
  const at = !isUtc ? local : future > now ? future : inUtc
  if (!hasTime) return { at, day: inUtc.slice(0, 10) }
  const written = readMoment(text.trim().replace(/ ?(?:Z|[+-]\d{2}:?\d{2})$/, '')) ?? at
  if (hasWrittenDays) return { at, day: written.slice(0, 10) }
  return { at, day: zone === undefined ? at.slice(0, 10) : dayInZone(at, zone) }
}

/** The instant, or the one nearest to it that has the same day in UTC: `links.post` names days in UTC. */
function inItsDay({ at, day }: Moment, postLink: string, now: string): string {
  const utcDay = at.slice(0, 10)
  if (at > now || day === utcDay || !/\{(?:year|month|day)\}/.test(postLink)) return at
  return day > utcDay ? `${day}T00:00:00.000Z` : `${day}T23:59:59.000Z`
}

/** The base name of a file without extensions; the folder's name for `index.md`. */
export function baseName(path: string): string {
  const parts = path.split('/')
  const name = (parts.at(-1) ?? '')
    .replace(/\.(md|markdown|mdx|html?)$/i, '')
    .replace(/\.page$/, '')
  // A language suffix as in Hugo: `post.de.md`.
  const plain = name.replace(/^(.+)\.[a-z]{2}(-[a-zA-Z]{2,4})?$/, '$1')
  return /^(index|page|readme)$/i.test(plain) && parts.length > 1 ? (parts.at(-2) ?? '') : plain
}

function slugOf(path: string, values: Values): string {
  const stated = ['slug', 'permalink', 'url', 'path']
    .map((key) => textAt(values, key))
    .find((text) => text !== undefined && !/^(?:true|false|yes|no|on|off)$/i.test(text))
  const hasPlaces = stated !== undefined && /[:{}$]/.test(stated)
  const segment = stated === undefined || hasPlaces ? '' : lastSegment(stated)
  return segment === '' ? splitFileName(baseName(path)).slug : segment
}

function firstHeading(body: string): string | undefined {
  const [, atx, setext] = /^# (.+)$|^(\S.*)\n=+$/m.exec(body.slice(0, 5000)) ?? []
  const text = (setext ?? trimmedEnd(atx?.trim() ?? '', '#'))
    ?.replace(/\{#[^{}]*\}$/, '')
    .replace(/[*_`]|\[([^[\]]*)\]\([^()]*\)/g, '$1')
  return text?.trim() || undefined
}

function titleOfFile(path: string): string {
  const words = splitFileName(baseName(path)).slug.replace(/[-_]+/g, ' ').trim()
  return words === '' ? path : words.charAt(0).toUpperCase() + words.slice(1)
}
