import { expect, it } from 'vitest'
import { explanationRows } from '../src/why-rows.ts'

const parameters = {
  understood: { limit: 2, page: 1, query: '', tags: [], featured: null },
  given: [
    { name: 'limit', values: ['2'], effect: 'used', note: '' },
    { name: 'page', values: ['1'], effect: 'default', note: '' },
    { name: 'pge', values: ['3'], effect: 'ignored', note: 'it is no parameter' },
  ],
}

it('names the rows in words, and leaves out what has no value', () => {
  const rows = explanationRows(
    { answeredBy: 'index', parameters, bytes: 9276, etag: null, validUntil: null, status: 200 },
    'cache',
  )
  expect(Object.fromEntries(rows.map(({ name, lines }) => [name, lines]))).toEqual({
    'This server': ['had the response in memory'],
    'A CDN': ['has no file of it, and requests it from the function'],
    Parameters: ['limit=2', 'page=1, which is the default', 'pge=3 is ignored: it is no parameter'],
    Size: ['9,276 bytes'],
    'Valid until': ['the next build'],
  })
})

it('says that a CDN sends the file where this server makes the response', () => {
  const file = 'public/v1/acme/posts/index.json'
  const [here, cdn] = explanationRows({ answeredBy: 'file', file }, 'index')
  expect(here?.lines).toEqual(['made the response from the index'])
  expect(cdn?.lines).toEqual([`sends the file ${file}, with the same bytes`])
})
