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
  const moment = parseDate(plain, 'loose') ?? fromNumbers(plain) ?? fromMonthName(plain)
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
  return build(year, month, day, [])
}

const time = String.raw`(\d{1,2}):(\d{2})(?:::?(\d{2})(?:[.,]\d+)?)?(?: ?([AaPp])\.?[Mm]\.?)?`
const zone = String.raw`(?: ?(Z|UTC|GMT|[A-Z]{3,4}|[+-]\d{2}:?\d{2}))?`
// regex: a date: each part has a bounded number of digits
const numbers = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})(?:,?[T ] ?${time}${zone})?$`)
// regex: a date: each part has a bounded number of letters or digits
const dayFirst = new RegExp(
  `^(?:[A-Za-z]{3,9},? )?(\\d{1,2})(?:st|nd|rd|th)?[ -]([A-Za-z]{3,9})\\.?,?[ -](\\d{4})(?:,? ${time}${zone})?$`,
)
// regex: a date: each part has a bounded number of letters or digits
const monthFirst = new RegExp(
  `^(?:[A-Za-z]{3,9},? )?([A-Za-z]{3,9})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})(?:,? ${time}${zone})?$`,
)
/** `Fri Sep 3 11:21:31 CEST 2021`, as printed by `date`. */
// regex: a date: each part has a bounded number of letters or digits
const yearLast = new RegExp(`^[A-Za-z]{3} ([A-Za-z]{3}) (\\d{1,2}) ${time}${zone} (\\d{4})$`)

const offsets =
  'Z Z UTC Z GMT Z EST -05:00 EDT -04:00 CST -06:00 CDT -05:00 MST -07:00 MDT -06:00 PST -08:00 PDT -07:00 CET +01:00 CEST +02:00 BST +01:00 JST +09:00'.split(
    ' ',
  )
const zones: ReadonlyMap<string, string> = new Map(
  offsets.flatMap((name, at) => (at % 2 === 0 ? [[name, offsets[at + 1] ?? 'Z'] as const] : [])),
)

function fromNumbers(text: string): string | undefined {
  const [, year, month, day, ...clock] = numbers.exec(text) ?? []
  return build(year, month, day, clock)
}

function fromMonthName(text: string): string | undefined {
  const [, day, name, year, ...clock] = dayFirst.exec(text) ?? []
  if (year !== undefined) return build(year, monthNumber(name), day, clock)
  const [, name2, day2, year2, ...clock2] = monthFirst.exec(text) ?? []
  if (year2 !== undefined) return build(year2, monthNumber(name2), day2, clock2)
  const found = yearLast.exec(text) ?? []
  return build(found[8], monthNumber(found[1]), found[2], found.slice(3, 8))
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

function monthNumber(name: string | undefined): string | undefined {
  const index = months.indexOf((name ?? '').slice(0, 3).toLowerCase())
  return index === -1 ? undefined : String(index + 1)
}

function build(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
  [hour, minute = '00', second = '00', half, zoneName]: readonly (string | undefined)[],
): string | undefined {
  if (year === undefined || month === undefined || day === undefined) return undefined
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  if (hour === undefined) return parseDate(date) ?? undefined
  const offset = zoneName === undefined ? 'Z' : (zones.get(zoneName) ?? zoneName)
  return parseDate(`${date}T${inFullDay(hour, half)}:${minute}:${second}${offset}`) ?? undefined
}

/** Converts a 12-hour clock to hours of the day. */
function inFullDay(hour: string, half: string | undefined): string {
  if (half === undefined) return hour.padStart(2, '0')
  const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  return String(hours).padStart(2, '0')
}
