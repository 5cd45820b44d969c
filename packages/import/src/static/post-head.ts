// The data in the front matter and file name of a post: title, date, slug, and whether the old site publishes it, by
// quarry's own table of keys that withhold.
import { fromMarkdown } from 'mdast-util-from-markdown'
import { toString as textOf } from 'mdast-util-to-string'
import { judgeKey, parseDate, splitFileName } from 'quarry/authoring'
import type { Section } from '../ledger.ts'
import type {
  FieldValue,
  ImportContext,
  PostFile,
  PostHead,
  SiteDates,
  StaticSite,
} from '../site.ts'
import { lastSegment } from '../terms.ts'
import type { SourceDocument, Values } from './front.ts'
import { asList, isMap, textAt, valueAt, withTypes } from './front.ts'

/** The context for deciding whether a post is published. Instants are compared with `now`, ISO 8601. */
export interface Publication {
  readonly now: string
  /** The date of a post; undefined for a section, which withholds its pages after its expiry. */
  readonly date?: string
  readonly zone?: string | undefined
  readonly expiryKeys?: readonly string[] | undefined
  /** True to publish whatever front matter says, except posts with a password. */
  readonly ignoresDrafts?: boolean | undefined
}

/** Keys of content, which may have any value: a post may be called "Draft". */
const content =
  /^(?:title|description|excerpt|summary|abstract|lead|spoiler|snippet|teaser|byline|by|writer|authors?|tags?|keywords|category|categories|section|alias(?:es)?|redirect\w*|slug|url|path|id)$/i
/** Keys of posts that only readers with a password see. */
const locks = /(?:pass(?:word|phrase|code|wd)?|pwd|(?:en|de)crypt(?:ed|ion)?|protected|locked?)$/i

/** A key of front matter, also in a map such as `params` and `extra`. */
interface Entry {
  readonly key: string
  readonly value: FieldValue
  readonly kind: ReturnType<typeof judgeKey>
}

function entriesOf(values: Values, start = ''): readonly Entry[] {
  return Object.entries(values).flatMap(([name, value]): readonly Entry[] => {
    if (content.test(name)) return []
    // Every key in a map of the site's own keys is judged; any other map is judged as a whole.
    const isContainer =
      name === 'eleventyComputed' ||
      (judgeKey(name, { draft: true }) === 'hidden' && judgeKey(name, { a: 1 }) === undefined)
    return start === '' && isMap(value) && isContainer
      ? entriesOf(value, `${name}.`)
      : [{ key: start + name, value, kind: judge(name, value) }]
  })
}

/** Returns the decision of a key; undefined for a key with another meaning or value. */
export function judge(name: string, value: FieldValue): Entry['kind'] {
  if (content.test(name)) return undefined
  const items = asList(value)
  const [item] = items.length === 1 ? items : []
  const text = typeof item === 'string' ? item.trim() : ''
  const isPublic = /^(?:is)?[-_]?(?:publish(?:ed)?|public|visible)$/i.test(name)
  if (isPublic && readMoment(text) !== undefined) return 'publication'
  // Eleventy: a template that may be false, and a page that is not written.
  const isPermalink = /^permalink$/i.test(name)
  if (isPermalink && /^[^{]*\{[\s\S]*\bfalse\b/.test(text)) return 'hidden'
  if (isPermalink && textAt({ value }, 'value.build') === 'false') return 'hidden'
  if (isMap(value) && /^_?build$/i.test(name)) {
    const parts = Object.entries(value).map(([key, part]) => [key.toLowerCase(), part])
    return judgeKey(name, Object.fromEntries(parts))
  }
  return judgeKey(name, value) ?? judgeKey(name, item)
}

/** Returns the key and value that withhold a post, such as `published: no`; undefined for a public post. */
export function withheldBy(values: Values, publication: Publication): string | undefined {
  const entries = entriesOf(values)
  const isOpen = ({ key }: Entry) => publication.ignoresDrafts === true && !locks.test(key)
  const hidden = entries.find((entry) => entry.kind === 'hidden' && !isOpen(entry))
  if (hidden !== undefined) return shown(hidden)
  if (publication.ignoresDrafts) return undefined
  // Jekyll: `published:` without a value is not true.
  if (valueAt(values, 'published') === null) return '`published:` without a value'
  const unread = entries.find(
    ({ key, kind, value }) =>
      (kind === 'expiry' || (kind === 'publication' && key !== 'date')) &&
      readMoment(String(asList(value)[0])) === undefined,
  )
  if (unread !== undefined) return `${shown(unread)} is not a date`
  const expiry = expiryOf(values, publication)
  if (expiry === undefined || expiry.at > (publication.date ?? publication.now)) return undefined
  return `\`${expiry.key}\` is ${publication.date ? 'before its date' : 'in the past'}`
}

/** Returns notes of publication. It is a failure if a date is made up, or if only a program or a key of the site may withhold. */
function notesOf(
  { values = {}, withheld, expiry }: Partial<PostHead>,
  at: string | undefined,
  now: string,
) {
  const notes: (readonly [Section, string])[] = []
  const stated = textAt(values, 'date') ?? ''
  if (readMoment(stated) === undefined && momentOf(stated) !== undefined)
    notes.push(['changed', 'date that is not understood → its day'])
  const section = (isFailure: boolean) => (isFailure ? 'failed' : 'changed')
  const isDoubtful = /(?: that may \w+| may withhold) it$/.test(withheld ?? '')
  if (withheld !== undefined) notes.push([section(isDoubtful), `made a draft: ${withheld}`])
  else if (at && at > now) notes.push(['changed', 'date in the future: scheduled'])
  else if (expiry && expiry.at <= now) notes.push(['changed', 'end in the past: expired'])
  if (!at) notes.push([section(withheld === undefined), 'post without a date → 1970-01-01'])
  return notes
}

const doubtful: readonly (readonly [keys: RegExp, values: RegExp])[] = [
  [/^markup$/, /^(?:rst|org|adoc|asciidoc\w*|pandoc|pdc)$/i],
  [
    /(?:status|(?<!e)state|stage|visibility|access|audience|visibleto|env|environment|tiers?|plan)$/,
    /^(?!(?:public|publish(?:ed)?|visible|listed|everyone|all|open|live|free|final|featured|new|updated|prod(?:uction)?|completed?|done|true|yes|false|no|none|\d*)$)/i,
  ],
  [
    /^(?:is)?(?:skip|ignored?|excludedfrom\w+|excludefrom(?:site|build|production|lists?|index)|hide(?:from|in)\w+|hidden(?:in|from)(?:prod\w*|site)|locked?|pass(?:code|phrase|wd|word\w+)?|pending|devonly|nolist|unlist|inprogress|test|restricted|gated|invisible|delisted|unfinished|retired|encrypt(?:ed)?|pwd|(?:members|subscribers|paid|premium)\w*)$/,
    /^(?!(?:false|no|off|0|never|null|)$)/i,
  ],
  [
    /^(?:(?:should|can|do|auto|to)?publish|(?:done|output|display|include|released|reviewed|approved)$|show(?:in|on)\w+$|ready)/,
    /^(?:false|no|off|0|never)$/i,
  ],
  [
    /^(?:tags?|categor(?:y|ies)|keywords)$/,
    /^[_#]?(?:drafts?|private|hidden|unlisted|unpublished|wip|internal|members?(?:[- ]only)?)$/i,
  ],
]

/** True for a key that withholds a post with some value: `draft`, `published`, `status`; also for `…`. */
export function mayWithhold(path: string): boolean {
  const name = path.replace(/^(?:eleventyComputed|params|extra|meta|data)\./, '')
  const kinds = ['true', 'false', 'private'].map((value) => judge(name, value))
  const isOwn = /^(?:…|eleventyComputed)$/.test(name)
  return isOwn || (!/\.|^date$/.test(name) && kinds.some((it) => it && it !== 'harmless'))
}

/** Returns a key or tag that may withhold a post by a rule of the site, which no tool has, or by a program. */
export function doubtOf(
  values: Values,
  computed: readonly string[] = [],
  ignoresDrafts = false,
): string | undefined {
  const isRead = (key: string) => !ignoresDrafts || locks.test(key)
  const names = computed.filter((name) => mayWithhold(name) && isRead(name))
  if (names.length > 0)
    return `\`${names.join('`, `')}\` is computed or repeated and may withhold it`
  const terms = Object.entries(values).filter(([key]) => content.test(key))
  const entries = terms.map(([key, value]): Entry => ({ key, value, kind: undefined }))
  for (const { key, value, kind } of [...entriesOf(values), ...entries]) {
    const start = key.lastIndexOf('.') + 1
    const texts = kind === undefined && isRead(key) ? textsIn(key, value) : []
    const found = texts.find(([path, text]) => isDoubtful(path.slice(start).split('.'), text))
    if (found !== undefined)
      return `${shown({ key: found[0], value: found[1], kind })} may withhold it`
  }
  return undefined
}

/** Returns the texts in a value, each with its path; texts with commas are several. */
function textsIn(path: string, value: FieldValue): readonly (readonly [string, string])[] {
  if (isMap(value))
    return Object.entries(value).flatMap(([name, item]) => textsIn(`${path}.${name}`, item))
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(path, item))
  return asList(value).flatMap((item) =>
    Array.from(String(item).split(','), (text) => [path, text.trim()] as const),
  )
}

/** Judges a text in a list or a map. `members.only` is one key; each word in a map such as `access` or `tier` is judged. */
function isDoubtful([top = '', ...below]: readonly string[], text: string): boolean {
  if (text.length >= 40) return false
  const name = top.toLowerCase().replace(/[^a-z]/g, '')
  const isWord = below.length === 0 || !/^(?:true|false|yes|no|on|off|\d+)$/i.test(text)
  if (isWord && doubtful.some(([keys, texts]) => keys.test(name) && texts.test(text))) return true
  const whole = [top, ...below].join('-').replace(/-(?:enabled?|active|on|value)$/i, '')
  const last = below.at(-1) ?? ''
  const decides = judge(top, 'private') === 'hidden' || /draft|publish|private|unlisted/i.test(last)
  const own = decides ? [whole, top, last] : [whole]
  return below.length > 0 && own.some((key) => judge(key, text) === 'hidden')
}

function shown({ key, value }: Entry): string {
  if (locks.test(key) && !/^true$/i.test(String(value))) return `\`${key}: …\``
  if (!isMap(value))
    return `\`${key}: ${asList(value).map(String).join(', ').trim().slice(0, 40)}\``
  const part = Object.entries(value).find(
    ([name, item]) => judge(key, { [name]: item }) === 'hidden',
  )
  return part === undefined
    ? `\`${key}\``
    : shown({ key: `${key}.${part[0]}`, value: part[1], kind: 'hidden' })
}

/** Returns the first end of publication, with its key; only one in the future if no status withholds posts. */
function expiryOf(values: Values, { zone, expiryKeys = [], ignoresDrafts, now }: Publication) {
  const configured = expiryKeys.map((key) => ({ key, value: valueAt(values, key) }))
  const ends = [...configured, ...entriesOf(values).filter(({ kind }) => kind === 'expiry')]
  const [first] = ends
    .map(({ key, value }) => ({ key, at: readMoment(String(asList(value)[0] ?? ''), zone) ?? '' }))
    .filter(({ at }) => at > (ignoresDrafts ? now : ''))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  return first
}

/**
 * Parses a date of front matter as `YYYY-MM-DDTHH:MM:SS.sssZ`: ISO 8601, with spaces, slashes or single digits, or
 * with an English month name.
 *
 * @param zone IANA time zone of dates without an offset; UTC by default
 * @returns undefined for anything else
 */
export function readMoment(text: string, zone?: string): string | undefined {
  // Longer texts are not dates.
  if (text.length > 100) return undefined
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?(?:UTC|GMT) ?(?=[+-]\d)/, '')
    .replace(/(?<=:\d{2}[+-])\d$/, '0$&')
  const moment = parseDate(plain, 'loose') ?? fromWords(plain)
  return moment === undefined || zone === undefined || offset.test(plain)
    ? moment
    : inZone(moment, zone)
}

/** The offset or the zone after a time. */
const offset =
  /:\d{2}(?:[:.]\d+){0,2}(?: ?[ap]m)?(?:Z| ?[+-]\d{2}(?::?\d{2})?| ?[A-Z]{3,4}(?: \d{4})?)$/i

/** Converts a local time of a zone, given as if in UTC, to its instant; times that a clock change skips move forward. */
function inZone(moment: string, zone: string): string {
  const wanted = Date.parse(moment)
  const first = wanted - offsetOf(wanted, zone)
  const second = wanted - offsetOf(first, zone)
  const isShown = second + offsetOf(second, zone) === wanted
  return new Date(isShown ? second : Math.max(first, second)).toISOString()
}

function offsetOf(time: number, timeZone: string): number {
  const shown = new Date(time).toLocaleString('sv', { timeZone })
  return Date.parse(`${shown.replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000
}

/** Returns an IANA time zone; undefined for any other name. */
export function zoneNamed(timeZone = ''): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Returns the date in a path: `2024-05-06-title.md`, `2024/05/06/title.md`, `2024-05-06-title/index.md`, `2024/05/title.md`. */
export function momentInPath(path: string): string | undefined {
  const [, year, month, day] =
    /(?:^|\/)(\d{4})[-/_](\d{1,2})[-/_](\d{1,2})(?=[-/_. ])[^/]*(?:\/index[^/]*)?$/.exec(path) ??
    /(?:^|\/)(\d{4})\/(\d{2})\/(\d{2})\//.exec(path) ??
    []
  return momentOf(`${year}-${month}-${day}`)?.at
}

const written =
  /^(?:[a-z]{3,9},? )?(?:\d{1,2}[ -][a-z]{3,9}|[a-z]{3,9}\.? \d{1,2}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})\b/i

/** Parses forms that V8 reads, in UTC: `6th May 2024 10:00 PM`, `Fri Sep 3 11:21:31 2021`, `2024.5.6`. */
function fromWords(text: string): string | undefined {
  const plain = text
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
    .replace(/^(\d{4})[-.](\d{1,2})[-.]/, '$1/$2/')
    .replace(/(\d)([ap])\.?m\.?$/i, '$1 $2m')
  if (!written.test(plain) || !/\b\d{4}\b/.test(plain)) return undefined
  const time = Date.parse(offset.test(plain) ? plain : `${plain} UTC`)
  // V8 would move a day that the month does not have into the next month.
  const date = new Date(Date.parse(`${plain.replace(/,? \d{1,2}:.{0,40}?(?= \d{4}$|$)/, '')} UTC`))
  const [, day] = /(?:^|[ /-])(\d{1,2})(?=[ ,-]|$)/.exec(plain) ?? []
  const isDay = !Number.isNaN(time) && date.getUTCDate() === Number(day)
  return isDay ? new Date(time).toISOString() : undefined
}

const words = (text: string): readonly string[] => text.split(' ')

/** Fields that the first key with a suitable value fills. */
export const mainFields = ['title', 'description', 'date', 'updated', 'cover', 'featured'] as const

/** Front-matter keys by field; the first one with a suitable value wins. */
export const knownKeys: Readonly<
  Record<(typeof mainFields)[number] | 'authors' | 'aliases', readonly string[]>
> = {
  title: words('title'),
  description: words('description excerpt summary abstract lead spoiler snippet teaser'),
  date: words(
    'date date.created publishedAt pubDate publishDate published_at datePublished published_time pubDatetime published publishedDate publishedOn created createdAt created_at postDate',
  ),
  updated: words(
    'updatedAt updated date.updated lastmod updatedDate last_modified_at lastUpdated lastUpdate last_update last_updated last_update.date modified modDatetime dateModified updated_at updateDate',
  ),
  cover: words(
    'coverImage cover cover.image cover.src cover.url heroImage heroImage.src hero hero.image featured_image featuredImage feature_image featureImage image image.path image.src image.url image.feature thumbnail banner featured header.image header.overlay_image header.teaser teaser previewimage ogImage og_image images',
  ),
  authors: words(
    'authors author byline by writer post_author author_name author_id author_slug author_staff_member',
  ),
  aliases: words('aliases alias redirect_from redirects redirectFrom'),
  featured: words('featured pinned sticky'),
}

/** The keys that may state the slug. */
export const slugKeys: readonly string[] = ['slug', 'permalink', 'url', 'path']

/** The date of a post without one. */
export const undated = { at: '1970-01-01T00:00:00.000Z', day: '1970-01-01' } as const

/** Returns the head, or the reason why the file is not a post. */
export function readHead(
  file: PostFile,
  source: SourceDocument,
  site: Pick<StaticSite, 'dates' | 'withholds'>,
  { keys: given = {}, isUndated, ignoresDrafts }: Partial<ImportContext> = {},
): PostHead | 'no date' {
  const { dates = {} } = site
  const merge = file.merge ?? ((under, over) => ({ ...under, ...over }))
  const { defaults = {} } = file
  const written = merge(defaults, source.values)
  const values = hoisted(written)
  const typed = hoisted(merge(withTypes(defaults) as Values, source.typed))
  const now = new Date().toISOString()
  const found = dateOf(file.path, values, dates, now, given.date)
  const { at: date, day } = found ?? undated
  const publication = { now, date, zone: dates.zone, expiryKeys: dates.keys?.expiry, ignoresDrafts }
  const status = given.status !== undefined && { status: valueAt(values, given.status) }
  const judged = { ...written, ...status }
  const target = textAt(values, 'redirect_to', 'redirectTo')
  // Without a text of its own, such a page withholds nothing.
  const isMoved = target !== undefined && source.body.trim() !== '' && !ignoresDrafts
  const unread = unreadDate(textAt(values, 'date') ?? date)
  const withheld =
    file.withheld ??
    site.withholds?.(written) ??
    withheldBy(judged, publication) ??
    (source.isBroken ? 'it cannot be read completely' : undefined) ??
    (isMoved ? `it redirects to ${target}` : undefined) ??
    doubtOf(judged, source.computed, ignoresDrafts) ??
    unread
  const expiry = expiryOf(values, publication)
  const isKept = isUndated || source.isBroken || /draft|publish/i.test(withheld ?? '')
  if (found === undefined && !isKept) return 'no date'
  const notes = notesOf({ values, withheld, expiry }, found?.at, now)
  const title = textAt(values, ...knownKeys.title) ?? titleOf(source.body, file)
  const slug = slugOf(file, values)
  return { file, values, typed, slug, title, date, day, expiry, withheld, notes }
}

/** Returns why a date may withhold a post. */
function unreadDate(stated: string): string | undefined {
  if (momentOf(stated) !== undefined) return undefined
  return `its date \`${stated}\` is not understood and may withhold it`
}

/** Moves the keys of `params`, `extra` and `taxonomies` to the top level, unless the top level already has them. */
function hoisted(values: Values): Values {
  const isOpened = (name: string) =>
    /^(?:params|extra|taxonomies)$/.test(name) && isMap(values[name])
  const all = Object.fromEntries(Object.entries(values).filter(([name]) => !isOpened(name)))
  for (const name of Object.keys(values).filter(isOpened))
    for (const [key, item] of Object.entries(values[name] as Values)) {
      const known = valueAt(all, key)
      if (known === undefined && !slugKeys.includes(key)) all[key] = item
      else if (JSON.stringify(known) !== JSON.stringify(item)) all[`${name}.${key}`] = item
    }
  return all
}

/** Returns the date of a post, or the start of its publication if that is later than now. A date without a time is midnight. */
function dateOf(path: string, values: Values, dates: SiteDates, now: string, dateKey = '') {
  const inPath = momentInPath(path) ?? momentInPath(textAt(values, 'path') ?? '')
  const pathDate = () => momentOf(inPath?.slice(0, 10), dates)
  const read = (key: string) =>
    key === ':filename' ? pathDate() : momentOf(textAt(values, key), dates)
  const order = [dateKey, ...(dates.keys?.date ?? []), ...knownKeys.date]
  const stated = order.map(read).find((moment) => moment !== undefined) ?? pathDate()
  const configured = (dates.keys?.start ?? []).map((key) => textAt(values, key))
  const starts = entriesOf(values)
    .filter(({ key, kind }) => kind === 'publication' && !/^(?:\w+\.)?date$/i.test(key))
    .map(({ value }) => String(asList(value)[0]))
  const [last] = [...configured, ...starts]
    .map((text) => momentOf(text, dates))
    .filter((moment) => moment !== undefined)
    .sort((a, b) => (a.at < b.at ? 1 : -1))
  const decides = last !== undefined && (last.at > now || (stated !== undefined && stated.at > now))
  // URLs contain the stated date.
  return decides ? { at: last.at, day: (stated ?? last).day } : stated
}

/** Returns the instant and the day in URLs. A future instant is never earlier than on the site, to not publish too soon. */
export function momentOf(
  text: string | undefined,
  { zone, hasUtcTimestamps = false, hasWrittenDays = false }: SiteDates = {},
): { readonly at: string; readonly day: string } | undefined {
  if (text === undefined) return undefined
  const inUtc = readMoment(text)
  if (inUtc === undefined) return pastDay(text)
  const local = readMoment(text, zone) ?? inUtc
  const hasTime = /\d:\d/.test(text)
  const isUtc = !hasTime || (hasUtcTimestamps && /:\d{2}:\d{2}/.test(text))
  const later = local > inUtc ? local : inUtc
  const future = hasTime ? later : local
  const at = !isUtc ? local : future > new Date().toISOString() ? future : inUtc
  if (!hasTime) return { at, day: inUtc.slice(0, 10) }
  const written = readMoment(text.trim().replace(/ ?(?:Z|[+-]\d{2}:?\d{2})$/, '')) ?? at
  if (hasWrittenDays) return { at, day: written.slice(0, 10) }
  return { at, day: new Date(at).toLocaleDateString('sv', { timeZone: zone ?? 'UTC' }) }
}

/**
 * Returns the day of a date whose time or zone is not understood; a day that its month lacks is in the next month, as in
 * Ruby and JavaScript. Undefined unless the year is over: a later date may withhold its post.
 */
function pastDay(text: string): ReturnType<typeof momentOf> {
  const years = text.match(/\d{4,}/g) ?? []
  if (!years.every((year) => Number(year) < new Date().getUTCFullYear())) return undefined
  const [, year, month, date] = /^(\d{4})-(\d{1,2})-(\d{1,2})(?!\d)/.exec(text) ?? []
  const isDate = Number(month) <= 12 && Number(date) <= 31
  const day = isDate
    ? new Date(Date.UTC(Number(year), Number(month) - 1, Number(date))).toISOString()
    : fromWords(text.replace(/ [A-Z]{3,4}(?= \d{4}$|$)/, '').replace(/\s+/g, ' '))
  return momentOf(day?.slice(0, 10))
}

/** Returns the day that `links.post` gives a post: its own day; for a scheduled post, the day of its publication in UTC. */
export function dayInUrl({ date, day }: Pick<PostHead, 'date' | 'day'>): string {
  return date > new Date().toISOString() ? date.slice(0, 10) : day
}

/** Returns the date, or the nearest instant with the post's day in UTC, because `links.post` has days in UTC. */
export function dateInPattern(head: PostHead, pattern: string): string {
  const { date } = head
  const day = dayInUrl(head)
  const last = ['{year}', '{month}', '{day}'].findLastIndex((part) => pattern.includes(part))
  const length = [0, 4, 7, 10][last + 1]
  if (day.slice(0, length) === date.slice(0, length)) return date
  return day > date ? `${day}T00:00:00.000Z` : `${day}T23:59:59.000Z`
}

/** Returns the base name of a file without extension and language; the folder's name for `index.md`. */
export function baseName({ path, place = path }: PostFile): string {
  const parts = place.split('/')
  const name = (parts.at(-1) ?? '').replace(/\.\w+$/, '').replace(/\.page$/, '')
  return /^(index|page|readme)$/i.test(name) && parts.length > 1 ? (parts.at(-2) ?? '') : name
}

/** Returns the name of a file without its date, even if the date has single digits. */
export function undatedName(file: PostFile): string {
  return splitFileName(baseName(file)).slug.replace(/^\d{4}-\d{1,2}-\d{1,2}[-_](?=.)/, '')
}

function slugOf(file: PostFile, values: Values): string {
  const texts = slugKeys.flatMap((key) => textAt(values, key) ?? [])
  const stated = texts.find((text) => !/^(?:true|false|yes|no|on|off)$/i.test(text))
  const hasPlaces = stated !== undefined && /[:{}$]/.test(stated)
  const segment = stated === undefined || hasPlaces ? '' : lastSegment(stated)
  return segment === '' ? undatedName(file) : segment
}

function titleOf(body: string, file: PostFile): string {
  const code = /\{%-?\s{0,9}(highlight|codeblock|raw)\b[\s\S]*?\{%-?\s{0,9}end\1\b/g
  const plain = body.slice(0, 5000).replace(code, '')
  const heading = fromMarkdown(plain).children.find((it) => it.type === 'heading' && it.depth === 1)
  const title = textOf(heading, { includeHtml: false }).replace(/\{ ?[#.][^{}]*\}$/, '')
  const name = undatedName(file).replace(/[-_]+/g, ' ').trim()
  return title.trim() || (name === '' ? file.path : name.charAt(0).toUpperCase() + name.slice(1))
}
