import { expect, it } from 'vitest'
import { parseDate } from '../../src/api/dates.ts'
import fc from '../support/fast-check.ts'

it.each<[text: string, expected: string | null, form?: 'loose']>([
  ['2026-03-04', '2026-03-04T00:00:00.000Z'],
  ['2026-03-04T09:30:15.123456789Z', '2026-03-04T09:30:15.123Z'],
  ['2026-03-04T09:30:00+02:00', '2026-03-04T07:30:00.000Z'],
  ['2026-03-04T09:30:00-0330', '2026-03-04T13:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2013-05-24 16:39:03 +0200', '2013-05-24T14:39:03.000Z', 'loose'],
  ['2023/03/22', '2023-03-22T00:00:00.000Z', 'loose'],
  ['2026/1/3 5:06', '2026-01-03T05:06:00.000Z', 'loose'],
  ['2026-2-30', null, 'loose'],
])('%s is the date %s %s', (text, expected, form) => {
  expect(parseDate(text, form)).toBe(expected)
})

it.each([
  ...['', '2026', '2026-03', '2026-3-4', '2026-02-30', '2023-02-29', '2026-13-01', '2026-00-10'],
  ...['2026-03-04T24:00', '2026-03-04T09:60', '2026-03-04 09:30', '2026-03-04t09:30'],
  ...['2026-03-04T09', '2026-03-04Z', '2026-03-04T09:30:00+24:00', '9999-12-31T23:59-01:00'],
  ...['04.03.2026', 'March 4, 2026', '２０２６-03-04', '2026-03-04\n', '1772582400000'],
])('%j is none', (text) => {
  expect(parseDate(text)).toBeNull()
})

it('a date in its final form is itself', () => {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
  fc.assert(
    fc.property(fc.date({ ...years, noInvalidDate: true }), (date) => {
      expect(parseDate(date.toISOString())).toBe(date.toISOString())
    }),
  )
})
