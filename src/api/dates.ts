// Strict parsing of front matter dates, independent of the time zone.

/**
 * Parses an ISO 8601 date, with or without time and zone, and returns it as `YYYY-MM-DDTHH:MM:SS.sssZ`.
 *
 * Defaults are midnight and UTC. Fractions are truncated to milliseconds. `loose` also accepts `2026/3/4`, `2026-3-4`,
 * `5:00`, a space instead of `T`, and a space before the zone.
 *
 * @returns null for anything else, such as 30 February
 */
export function parseDate(text: string, style: 'iso' | 'loose' = 'iso'): string | null {
  const parts = (style === 'iso' ? isoDate : looseDate).exec(text)?.groups
  if (parts === undefined) return null
  const { year, minute = '00', second = '00', fraction = '' } = parts
  const [month, day, hour] = ['month', 'day', 'hour'].map((name) => parts[name]?.padStart(2, '0'))
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3)
  const local = `${year}-${month}-${day}T${hour ?? '00'}:${minute}:${second}.${milliseconds}Z`
  const time = Date.parse(local)
  // Rejects dates that do not round-trip: 2024-02-30 would become 1 March, 24:00 the next day.
  if (Number.isNaN(time) || new Date(time).toISOString() !== local) return null
  return atZone(time, parts['zone'])
}

const clock = ':(?<minute>\\d{2})(?::(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?'
const zone = '(?<zone>Z|[+-]\\d{2}(?::?\\d{2})?)?'
const calendar = '^(?<year>\\d{4})-(?<month>\\d{2})-(?<day>\\d{2})'
// regex: counts of digits are fixed
const isoDate = new RegExp(`${calendar}(?:T(?<hour>\\d{2})${clock}${zone})?$`, 'u')

/** Pattern of an ISO 8601 date, for JSON Schema. It also matches days and hours that do not exist. */
export const datePattern: string = isoDate.source.replace(/\?<\w+>/g, '')

const looseCalendar = '^(?<year>\\d{4})(?<sign>[-/])(?<month>\\d{1,2})\\k<sign>(?<day>\\d{1,2})'
// regex: counts of digits are fixed
const looseDate = new RegExp(`${looseCalendar}(?:[T ](?<hour>\\d{1,2})${clock} ?${zone})?$`, 'u')

/** @returns null if the zone is invalid or moves the date out of the years 0000 to 9999 */
function atZone(time: number, zoneText = 'Z'): string | null {
  const [, sign = '+', hours = 0, minutes = 0] = /^(.)(\d\d):?(\d\d)?$/.exec(zoneText) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59) return null
  const offset = Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes))
  const text = new Date(time - offset * 60_000).toISOString()
  return /^\d{4}-/.test(text) ? text : null
}

/** Time of an item without a date, in milliseconds since 1970: the earliest time. */
export const undated = -8.64e15
