// Decides whether the old site publishes a post, by quarry's own table of keys that withhold.
import { parseDate, withholds } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'

/** The context of a decision: instants are compared with `now`, ISO 8601. */
export interface Publication {
  readonly now: string
  /** The start of publication. */
  readonly date?: string
  /** IANA time zone of dates without an offset. */
  readonly zone?: string | undefined
  /** Keys of the end of publication that the site's configuration adds. */
  readonly expiryKeys?: readonly string[] | undefined
  /** True to publish whatever front matter says, except posts with a password. */
  readonly ignoresDrafts?: boolean | undefined
}

/** Keys of content, which may have any value: a post may be called "Draft". */
const content =
  /^(?:title|description|excerpt|summary|abstract|lead|spoiler|snippet|teaser|byline|by|writer|authors?|tags?|keywords|category|categories|section|alias(?:es)?|redirect\w*|slug|url|path|id)$/i
const statusWord =
  /^(?:drafts|skip|archived?|auto-draft|inherit|sent|expired|removed|link|members?|tiers|subscribers?|premium|embargo(?:ed)?|not[ _-]published|pending[ _-]review|work[ _-]in[ _-]progress)$/i
const statusKey = /(?:status|state|visibility|access)$/i

/** A key of front matter, also in a map such as `params` and `extra`. */
interface Entry {
  /** With the map: `params.draft`. */
  readonly key: string
  readonly value: FieldValue
  readonly kind: ReturnType<typeof withholds>
}

function entriesOf(values: Values, start = ''): readonly Entry[] {
  return Object.entries(values).flatMap(([name, value]): readonly Entry[] => {
    if (content.test(name)) return []
    // A map of the site's own keys withholds by any of them, another map by itself.
    const isContainer =
      name === 'eleventyComputed' ||
      (withholds(name, { draft: true }) === 'hidden' && withholds(name, { a: 1 }) === undefined)
    return start === '' && isMap(value) && isContainer
      ? entriesOf(value, `${name}.`)
      : [{ key: start + name, value, kind: judge(name, value) }]
  })
}

/** What a key decides; undefined for a key with another meaning or value. */
export function judge(name: string, value: FieldValue): Entry['kind'] {
  if (content.test(name)) return undefined
  const items = asList(value)
  const [item] = items.length === 1 ? items : []
  const text = typeof item === 'string' ? item.trim() : ''
  const isPublic = /^(?:is)?[-_]?(?:publish(?:ed)?|public|visible)$/i.test(name)
  if (isPublic && readMoment(text) !== undefined) return 'publication'
  if (statusKey.test(name) && statusWord.test(text)) return 'hidden'
  // Eleventy: a template that may be false, and a page that is not written.
  const isPermalink = /^permalink$/i.test(name)
  if (isPermalink && /^[^{]*\{[\s\S]*\bfalse\b/.test(text)) return 'hidden'
  if (isPermalink && textAt({ value }, 'value.build') === 'false') return 'hidden'
  if (isMap(value) && /^_?build$/i.test(name)) return withholds(name, lowerKeys(value))
  return withholds(name, value) ?? withholds(name, item)
}

function lowerKeys(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key.toLowerCase(), value]),
  )
}

/** The key and value by which the site withholds a post, such as `published: no`; undefined for a public post. */
export function withheldBy(values: Values, publication: Publication): string | undefined {
  const entries = entriesOf(values)
  const hidden = entries.find(
    ({ key, kind }) => kind === 'hidden' && (!publication.ignoresDrafts || /password$/i.test(key)),
  )
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
  if (expiry === undefined) return undefined
  if (expiry.at <= publication.now) return `\`${expiry.key}\` is in the past`
  return expiry.at <= (publication.date ?? '') ? `\`${expiry.key}\` is before its date` : undefined
}

function shown({ key, value }: Entry): string {
  if (/password$/i.test(key)) return `\`${key}: …\``
  if (!isMap(value))
    return `\`${key}: ${asList(value).map(String).join(', ').trim().slice(0, 40)}\``
  const part = Object.entries(value).find(
    ([name, item]) => judge(key, { [name]: item }) === 'hidden',
  )
  return part === undefined
    ? `\`${key}\``
    : shown({ key: `${key}.${part[0]}`, value: part[1], kind: 'hidden' })
}

/** The first end of publication after an instant: its key and its own instant. */
export function expiryOf(
  values: Values,
  { zone, expiryKeys = [] }: Publication,
  after = '',
): { readonly key: string; readonly at: string } | undefined {
  const configured = expiryKeys.map((key) => ({ key, value: valueAt(values, key) }))
  const ends = [...configured, ...entriesOf(values).filter(({ kind }) => kind === 'expiry')]
  const [first] = ends
    .map(({ key, value }) => ({ key, at: readMoment(String(asList(value)[0] ?? ''), zone) ?? '' }))
    .filter(({ at }) => at > after)
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  return first
}

/** The texts of keys of the start of publication, apart from `date`. */
export function startsOf(values: Values): readonly string[] {
  return entriesOf(values)
    .filter(
      ({ key, kind }) =>
        /^pub_?datetime$/i.test(key) || (kind === 'publication' && !/^(?:\w+\.)?date$/i.test(key)),
    )
    .map(({ value }) => String(asList(value)[0]))
}

/** Reports settings with which a site shows posts that are withheld here. */
export function reportShown(
  config: Values,
  keys: readonly string[],
  place: string,
  report: Ledger,
): void {
  for (const key of keys.filter((name) => textAt(config, name) === 'true'))
    report.add('left', `\`${key}: true\`: posts that it shows are drafts or scheduled`, place)
}

/** The key that hides a post from search engines alone; the post is public. */
export function hiddenFromSearch(values: Values): string | undefined {
  const keys = ['noindex', 'noIndex', 'no_index'].find(
    (key) => withholds('draft', valueAt(values, key)) === 'hidden',
  )
  const robots = asList(valueAt(values, 'robots')).some((value) => /noindex/i.test(String(value)))
  return keys ?? (robots ? 'robots' : undefined)
}

/**
 * Parses a date of front matter as `YYYY-MM-DDTHH:MM:SS.sssZ`: ISO 8601, with spaces, slashes or single digits, or
 * with an English month name.
 *
 * @param zone IANA time zone of dates without an offset; UTC by default
 * @returns undefined for anything else
 */
export function readMoment(text: string, zone?: string): string | undefined {
  // Longer texts are no dates.
  if (text.length > 100) return undefined
  const plain = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?UTC ?(?=[+-]\d)/, '')
  const moment = parseDate(plain, 'loose') ?? fromWords(plain)
  return moment === undefined || zone === undefined || hasOffset(plain)
    ? moment
    : inZone(moment, zone)
}

function hasOffset(text: string): boolean {
  return (
    /\d(?:Z|[+-]\d{2}(?::?\d{2})?| ?[A-Z]{3,4}(?: \d{4})?| [+-]\d{2}:?\d{2})$/.test(text) &&
    /\d:\d/.test(text)
  )
}

/** The instant at which the clocks of a zone show a time, given as if it were UTC; times that a change of clocks skips move on. */
function inZone(moment: string, zone: string): string {
  const wanted = Date.parse(moment)
  const first = wanted - offsetOf(wanted, zone)
  const second = wanted - offsetOf(first, zone)
  const isShown = second + offsetOf(second, zone) === wanted
  return new Date(isShown ? second : Math.max(first, second)).toISOString()
}

/** The date that a zone has at an instant: `2020-07-01`. */
export function dayInZone(moment: string, zone: string): string {
  const time = Date.parse(moment)
  return new Date(time + offsetOf(time, zone)).toISOString().slice(0, 10)
}

function offsetOf(time: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
  const name = parts.formatToParts(time).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes = '0'] = /GMT([+-])(\d+)(?::(\d+))?/.exec(name) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** An IANA time zone, or undefined for a name that is none. */
export function zoneNamed(name: string | undefined): string | undefined {
  try {
    return name === undefined
      ? undefined
      : new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The date in a path: `2024-05-06-title.md`, `2024/05/06/title.md`, `2024-05-06-title/index.md`, `2024/05/title.md`. */
export function momentInPath(path: string): string | undefined {
  const [, year, month, day] =
    /(?:^|\/)(\d{4})[-/_](\d{1,2})[-/_](\d{1,2})(?=[-/_. ])[^/]*(?:\/index[^/]*)?$/.exec(path) ??
    /(?:^|\/)(\d{4})\/(\d{2})\/(\d{2})\//.exec(path) ??
    []
  return parseDate(`${year}-${month}-${day}`, 'loose') ?? undefined
}

const zones: Readonly<Record<string, string>> = {
  ...{ CET: '+0100', CEST: '+0200', BST: '+0100', JST: '+0900' },
}
const written =
  /^(?:[a-z]{3,9},? )?(?:\d{1,2}[ -][a-z]{3,9}|[a-z]{3,9}\.? \d{1,2}|\d{4}[-/.]\d{1,2}[-/.]\d{1,2})\b/i

/** Forms that V8 reads, in UTC: `6th May 2024 10:00 PM`, `Fri Sep 3 11:21:31 CEST 2021`, `2024.5.6`. */
function fromWords(text: string): string | undefined {
  const plain = text
    .replace(/(\d)(?:st|nd|rd|th)\b/, '$1')
    .replace(/^(\d{4})[-.](\d{1,2})[-.]/, '$1/$2/')
    .replace(/(\d)([ap])\.?m\.?$/i, '$1 $2m')
    .replace(/\b(?:CES?T|BST|JST)\b/, (name) => zones[name] ?? name)
  if (!written.test(plain) || !/\b\d{4}\b/.test(plain)) return undefined
  const time = Date.parse(
    hasOffset(plain) || /[+-]\d{4} \d{4}$/.test(plain) ? plain : `${plain} UTC`,
  )
  // A day that its month does not have would become one of the next month.
  // regex: a run of at most 40 characters
  const date = new Date(Date.parse(`${plain.replace(/,? \d{1,2}:.{0,40}?(?= \d{4}$|$)/, '')} UTC`))
  const [, day] = /(?:^|[ /-])(\d{1,2})(?=[ ,-]|$)/.exec(plain) ?? []
  const isDay = !Number.isNaN(time) && date.getUTCDate() === Number(day)
  return isDay ? new Date(time).toISOString() : undefined
}
