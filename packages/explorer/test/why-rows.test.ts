import { expect, it } from 'vitest'
import { explanationRows } from '../src/why-rows.ts'

it('names the rows in words, and leaves out what has no value', () => {
  const rows = explanationRows(
    { source: 'index', bytes: 9276, etag: null, location: null, validUntil: null, status: 200 },
    'cache',
  )
  expect(rows).toEqual([
    ['This server', 'had the response in memory'],
    ['A CDN', 'has no valid file of it, and requests it from the function'],
    ['Size', '9,276 bytes'],
    ['Valid until', 'the next build'],
  ])
})

it('says that a CDN sends the file where this server makes the response', () => {
  const file = 'public/v1/acme/posts/index.json'
  const [here, cdn] = explanationRows({ source: 'file', file }, 'index')
  expect(here?.[1]).toBe('made the response from the index')
  expect(cdn?.[1]).toBe(`sends the file ${file}, with the same bytes`)
})
