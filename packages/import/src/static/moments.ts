// Parses dates in the forms that site generators accept.
import { parseDate } from 'quarry/authoring'

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

/** True for a text with an offset or the name of a zone after its time. */
export function hasOffset(text: string): boolean {
  return (
    /\d(?:Z|[+-]\d{2}(?::?\d{2})?| ?[A-Z]{3,4}(?: \d{4})?| [+-]\d{2}:?\d{2})$/.test(text) &&
    /\d:\d/.test(text)
  )
}

/** The instant at which the clocks of a zone show a time, given as if it were UTC; times that a change of clocks skips move on. */
export function inZone(moment: string, zone: string): string {
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

/** Milliseconds by which the clocks of a zone are ahead of UTC. */
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

/** Zones that the parser of V8 does not know. */
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
