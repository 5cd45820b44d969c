import { describe, expect, it } from 'vitest'
import { fold } from '../../src/query/fold.ts'
import { foldTexts, scanSearch } from '../../src/query/text-scan.ts'
import { words } from '../support/arbitraries.ts'
import fc from '../support/fast-check.ts'

const texts = [
  { title: 'Straße der Älteren', text: 'Ein langer Weg.' },
  { title: 'Ein Weg', text: 'Die Straße\nder\u00a0Älteren' },
  { title: 'Die', text: 'Straße' },
  { title: '', text: '' },
  { title: 'Weg, Weg, Weg', text: 'und weg' },
]

describe('scanSearch', () => {
  it.each([
    ['straße', [0, 1, 2]],
    ['STRAẞE', [0, 1, 2]],
    ['aßed', []],
    ['aße d', [0, 1]],
    ['der   alteren', [0, 1]],
    ['weg', [0, 1, 4]],
    ['weg.', [0]],
    ['e', [0, 1, 2, 4]],
    ['die straße', [1]],
    ['nowhere', []],
    ['\0', []],
    ['weg\0', []],
    ['weg\ufffd', []],
  ])('finds %j, in a title or in a text but never across both', (query, found) => {
    const search = scanSearch(() => foldTexts(texts))
    expect(search.search(fold(query))).toEqual(Uint32Array.from(found))
  })

  it('finds what a look at each text alone finds', () => {
    const text = fc
      .array(fc.constantFrom(...words, 'a', 'b'), { maxLength: 3 })
      .map((all) => all.join(' '))
    const posts = fc.array(fc.record({ title: text, text }), { maxLength: 8 })
    const patterns = fc.oneof(fc.constantFrom(...words, 'a', 'b', 'a b', ' ', 'ab'), text)
    fc.assert(
      fc.property(posts, patterns, (posts, query) => {
        const pattern = fold(query)
        fc.pre(pattern !== '')
        const expected = [...posts.keys()].filter((post) =>
          [posts[post]?.title, posts[post]?.text].some((text = '') => fold(text).includes(pattern)),
        )
        const found = scanSearch(() => foldTexts(posts)).search(pattern)
        expect([...(found as Uint32Array)]).toEqual(expected)
      }),
      { numRuns: 1000 },
    )
  })

  it('finds nothing where there are no posts', () => {
    expect(scanSearch(() => foldTexts([])).search('a')).toEqual(new Uint32Array(0))
  })

  it('finds the same in texts that come later', async () => {
    const found = scanSearch(() => Promise.resolve(foldTexts(texts))).search('weg')
    expect(found).toBeInstanceOf(Promise)
    expect(await found).toEqual(Uint32Array.of(0, 1, 4))
  })

  it('loads nothing before the first search, and then only once', async () => {
    let loads = 0
    const search = scanSearch(async () => {
      loads += 1
      return foldTexts(texts)
    })
    expect(loads).toBe(0)
    await Promise.all([search.search('a'), search.search('b')])
    await search.search('c')
    expect(loads).toBe(1)
  })

  it.each([
    ['at once', () => expect.unreachable('no such file')],
    ['later', () => Promise.reject(new Error('no such file'))],
  ])('loads again with the next search where loading failed %s', async (_, fail) => {
    const loads = [fail, () => foldTexts(texts)]
    const search = scanSearch(() => loads.shift()?.() ?? expect.unreachable('loaded twice'))
    await expect((async () => search.search('weg'))()).rejects.toThrow('no such file')
    expect(await search.search('weg')).toEqual(Uint32Array.of(0, 1, 4))
  })
})
