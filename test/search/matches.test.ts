import { describe, expect, it } from 'vitest'
import { matchesIn } from '../../src/search/search.ts'

describe('matchesIn', () => {
  it.each<readonly [string, string, readonly (readonly [string, readonly number[][]])[]]>([
    ['the middle', `${'a'.repeat(200)}X${'b'.repeat(200)}`, [['a'.repeat(79), [[79, 80]]]]],
    ['the beginning', `aX${'b'.repeat(200)}`, [['a', [[1, 2]]]]],
  ])('has as much before a match as behind it: %s', (_, text, [[before, ranges] = ['', []]]) => {
    const [match] = matchesIn(['x'], '', text)
    expect(match?.text).toHaveLength(160)
    expect(match?.text.startsWith(`${before}X`)).toBe(true)
    expect(match?.ranges).toEqual(ranges)
  })

  it('shows the first 160 code points of a longer match, and three parts at most', () => {
    const long = '👩'.repeat(200)
    expect(matchesIn([long], '', `a${long}a`)).toEqual([
      { field: 'content', text: '👩'.repeat(160), ranges: [[0, 320]] },
    ])
    const text = Array.from({ length: 9 }, () => `x${'-'.repeat(200)}`).join('')
    expect(matchesIn(['x'], 'X', text).map(({ field }) => field)).toEqual([
      ...['title', 'content', 'content'],
    ])
  })

  it('shows every match once where one reaches over the end of a part', () => {
    const text = `ab${'-'.repeat(157)}ab${'-'.repeat(300)}ab`
    const parts = matchesIn(['ab'], '', text)
    expect(parts.map(({ text }) => text.length)).toEqual([159, 160, 144])
    expect(parts.map(({ ranges }) => ranges)).toEqual([[[0, 2]], [[0, 2]], [[142, 144]]])
  })
})
