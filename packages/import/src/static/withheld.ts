// Decides whether the old site publishes a post, by quarry's own table of keys that withhold.
import { withholds } from 'quarry/authoring'
import type { FieldValue } from '../site.ts'
import { asList, isMap, textAt, type Values, valueAt } from './front.ts'
import { readMoment } from './moments.ts'

/** The context of a decision: instants are compared with `now`, ISO 8601. */
export interface Publication {
  readonly now: string
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
/** Words of single tools, which quarry's table does not have. */
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
  return expiry !== undefined && expiry.at <= publication.now
    ? `\`${expiry.key}\` is in the past`
    : undefined
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

/** The first key and instant of the end of publication. */
export function expiryOf(
  values: Values,
  { zone, expiryKeys = [] }: Publication,
): { readonly key: string; readonly at: string } | undefined {
  const configured = expiryKeys.map((key) => ({ key, value: valueAt(values, key) }))
  const ends = [...configured, ...entriesOf(values).filter(({ kind }) => kind === 'expiry')]
  const [first] = ends
    .map(({ key, value }) => ({ key, at: readMoment(String(asList(value)[0] ?? ''), zone) ?? '' }))
    .filter(({ at }) => at !== '')
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

/** The key that hides a post from search engines alone; the post is public. */
export function hiddenFromSearch(values: Values): string | undefined {
  const keys = ['noindex', 'noIndex', 'no_index'].find(
    (key) => withholds('draft', valueAt(values, key)) === 'hidden',
  )
  const robots = asList(valueAt(values, 'robots')).some((value) => /noindex/i.test(String(value)))
  return keys ?? (robots ? 'robots' : undefined)
}
