import { describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../src/api/bytes.ts'
import { comparePosts, compareTerms } from '../../src/model/order.ts'
import fc from '../support/fast-check.ts'

describe('comparePosts', () => {
  it('puts the latest first, and equal dates by id from the end', () => {
    const posts = [
      { publishedAt: '2026-01-01T00:00:00.000Z', id: 'a' },
      { publishedAt: '2026-01-02T00:00:00.000Z', id: 'a' },
      { publishedAt: '2026-01-02T00:00:00.000Z', id: 'b' },
    ]
    expect(
      posts.sort(comparePosts).map(({ publishedAt, id }) => publishedAt.slice(9, 10) + id),
    ).toEqual(['2b', '2a', '1a'])
  })
})

describe('compareTerms', () => {
  it('goes by lower-cased name, then by id', () => {
    const terms = [
      { name: 'beta', id: '1' },
      { name: 'Alpha', id: '2' },
      { name: 'ALPHA', id: '1' },
      { name: 'émile', id: '3' },
    ]
    expect(terms.sort(compareTerms).map(({ name }) => name)).toEqual([
      'ALPHA',
      'Alpha',
      'beta',
      'émile',
    ])
  })
})

describe('compareCodePoints', () => {
  it('puts astral characters behind the last of the basic plane, unlike code units', () => {
    expect(compareCodePoints('\uffff', '\u{10000}')).toBeLessThan(0)
    expect('\uffff' < '\u{10000}').toBe(false)
  })

  it('agrees with the order of UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary' })
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareCodePoints(a, b))).toBe(
          Buffer.compare(Buffer.from(a), Buffer.from(b)),
        )
      }),
    )
  })
})
