// Reads the data in a post's front matter and file name: title, date, slug, draft.
import { splitFileName } from 'quarry/authoring'
import { trimmedEnd } from '../parts.ts'
import type { ImportContext } from '../site.ts'
import { lastSegment } from '../terms.ts'
import { maskCode } from './code-mask.ts'
import { isMap, type SourceDocument, textAt, type Values, valueAt, withTypes } from './front.ts'
import type { PostFile, PostHead, SiteDates } from './generator.ts'
import {
  dayInZone,
  expiryOf,
  hiddenFromSearch,
  momentInPath,
  readMoment,
  startsOf,
  withheldBy,
} from './withheld.ts'

const words = (text: string): readonly string[] => text.split(' ')

type KnownField = (typeof filledFields)[number] | 'authors' | 'aliases'

/** Fields that the first key with a suitable value fills. */
export const filledFields = [
  'title',
  'description',
  'date',
  'updated',
  'cover',
  'featured',
] as const

/** Front-matter keys by field; the first one with a suitable value wins. */
export const knownKeys: Readonly<Record<KnownField, readonly string[]>> = {
  title: words('title'),
  description: words('description excerpt summary abstract lead spoiler snippet teaser'),
  date: words(
    'date date.created publishedAt pubDate publishDate published_at datePublished published_time pubDatetime published publishedDate publishedOn created createdAt created_at postDate',
  ),
  updated: words(
    'updatedAt updated date.updated lastmod updatedDate last_modified_at lastUpdated lastUpdate last_update last_updated last_update.date modified modDatetime dateModified updated_at updateDate',
  ),
  cover: words(
    'coverImage cover cover.image cover.src cover.url heroImage heroImage.src hero hero.image featured_image featuredImage feature_image featureImage image image.path image.src image.url image.feature thumbnail banner featured header.image header.overlay_image header.teaser teaser ogImage og_image images',
  ),
  authors: words(
    'authors author byline by writer post_author author_name author_id author_slug author_staff_member',
  ),
  aliases: words('aliases alias redirect_from redirects redirectFrom'),
  featured: words('featured pinned sticky'),
}

/** The keys that may state the slug. */
export const slugKeys: readonly string[] = ['slug', 'permalink', 'url', 'path']

const undated: Moment = { at: '1970-01-01T00:00:00.000Z', day: '1970-01-01' }

/** Returns the head, or the reason why the file is no post. */
export function readHead(
  file: PostFile,
  source: SourceDocument,
  dates: SiteDates = {},
  { keys: given = {}, isUndated, ignoresDrafts }: Partial<ImportContext> = {},
): PostHead | 'no date' {
  const written = { ...file.defaults, ...source.values }
  const { values, repeated } = hoisted(written)
  const { values: typed } = hoisted({
    ...(withTypes(file.defaults ?? {}) as Values),
    ...source.typed,
  })
  const now = new Date().toISOString()
  const found = dateOf(file.path, values, dates, { now, dateKey: given.date })
  const { at: date, day } = found ?? undated
  const publication = { now, date, zone: dates.zone, expiryKeys: dates.keys?.expiry, ignoresDrafts }
  const status = given.status !== undefined && { status: valueAt(values, given.status) }
  const reason = source.isBroken ? 'its front matter is unreadable' : undefined
  const withheld = file.withheld ?? withheldBy({ ...written, ...status }, publication) ?? reason
  const expiry = expiryOf(values, publication, now)
  const isKept = isUndated || source.isBroken || /draft|publish/i.test(withheld ?? '')
  if (found === undefined && !isKept) return 'no date'
  const search = hiddenFromSearch(values)
  const notes = [
    found === undefined && 'post without a date → 1970-01-01',
    withheld !== undefined && `made a draft: ${withheld}`,
    withheld === undefined && date > now && 'date in the future: scheduled',
    search !== undefined && `\`${search}\` hides the post from search engines: it stays public`,
  ].filter((note) => note !== false)
  const title = textAt(values, ...knownKeys.title) ?? titleOf(source.body, file.path)
  const slug = slugOf(file.path, values)
  return { file, values, typed, repeated, slug, title, date, day, expiry, withheld, notes }
}

/** Front matter with the keys of `params`, `extra` and `taxonomies` at the top; those that are there already repeat. */
function hoisted(values: Values): Pick<PostHead, 'values' | 'repeated'> {
  const isOpened = (name: string) =>
    /^(?:params|extra|taxonomies)$/.test(name) && isMap(values[name])
  const all = Object.fromEntries(Object.entries(values).filter(([name]) => !isOpened(name)))
  const repeated: string[] = []
  for (const name of Object.keys(values).filter(isOpened))
    for (const [key, item] of Object.entries(values[name] as Values)) {
      const known = valueAt(all, key)
      if (known === undefined) all[key] = item
      else if (JSON.stringify(known) !== JSON.stringify(item)) repeated.push(`${name}.${key}`)
    }
  return { values: all, repeated }
}

interface Moment {
  readonly at: string
  readonly day: string
}

/** The date of a post, or the start of its publication if that is later than now. A date without a time is midnight. */
function dateOf(
  path: string,
  values: Values,
  dates: SiteDates,
  { now, dateKey }: { readonly now: string; readonly dateKey: string | undefined },
): Moment | undefined {
  const inPath = momentInPath(path) ?? momentInPath(textAt(values, 'path') ?? '')
  const pathDate = () => momentOf(inPath?.slice(0, 10), dates, now)
  const read = (key: string) =>
    key === ':filename' ? pathDate() : momentOf(textAt(values, key), dates, now)
  const order = [dateKey ?? '', ...(dates.keys?.date ?? []), ...knownKeys.date]
  const stated = order.map(read).find((moment) => moment !== undefined) ?? pathDate()
  const configured = (dates.keys?.start ?? []).map((key) => textAt(values, key))
  const [last] = [...configured, ...startsOf(values)]
    .map((text) => momentOf(text, dates, now))
    .filter((moment) => moment !== undefined)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
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
export function dateInPattern({ date, day }: PostHead, pattern: string): string {
  const utcDay = date.slice(0, 10)
  const isFuture = date > new Date().toISOString()
  if (isFuture || day === utcDay || !/\{(?:year|month|day)\}/.test(pattern)) return date
  return day > utcDay ? `${day}T00:00:00.000Z` : `${day}T23:59:59.000Z`
}

/** The base name of a file without extensions; the folder's name for `index.md`. */
export function baseName(path: string): string {
  const parts = path.split('/')
  const name = (parts.at(-1) ?? '')
    .replace(/\.(md|markdown|mdx|mkd|mkdn|mkdown|html?|njk|liquid|webc)$/i, '')
    .replace(/\.page$/, '')
  // A language suffix as in Hugo: `post.de.md`.
  const plain = name.replace(/^(.+)\.[a-z]{2}(-[a-zA-Z]{2,4})?$/, '$1')
  return /^(index|page|readme)$/i.test(plain) && parts.length > 1 ? (parts.at(-2) ?? '') : plain
}

/** The name of a file without its date, also where that has single digits. */
export function undatedName(path: string): string {
  return splitFileName(baseName(path)).slug.replace(/^\d{4}-\d{1,2}-\d{1,2}-(?=.)/, '')
}

function slugOf(path: string, values: Values): string {
  const stated = slugKeys
    .map((key) => textAt(values, key))
    .find((text) => text !== undefined && !/^(?:true|false|yes|no|on|off)$/i.test(text))
  const hasPlaces = stated !== undefined && /[:{}$]/.test(stated)
  const segment = stated === undefined || hasPlaces ? '' : lastSegment(stated)
  return segment === '' ? undatedName(path) : segment
}

function titleOf(body: string, path: string): string {
  // regex: blocks of a bounded text
  const code = /\{%-?\s{0,9}(highlight|codeblock|raw)\b[\s\S]*?\{%-?\s{0,9}end\1\b/g
  const plain = body.slice(0, 5000).replace(code, '')
  const found = /^# .+$|^\S.*\n=+$/m.exec(maskCode(plain))
  const heading = plain.slice(found?.index ?? 0, (found?.index ?? 0) + (found?.[0].length ?? 0))
  const [, atx, setext] = /^# (.+)$|^(\S.*)\n=+$/.exec(heading) ?? []
  const text = (setext ?? trimmedEnd(atx?.trim() ?? '', '#'))
    .replace(/\{#[^{}]*\}$/, '')
    .replace(/[*_`]|\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .trim()
  const name = undatedName(path).replace(/[-_]+/g, ' ').trim()
  return text || (name === '' ? path : name.charAt(0).toUpperCase() + name.slice(1))
}
