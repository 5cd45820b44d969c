import { describe, expect, it } from 'vitest'
import { fold, foldWithPlaces } from '../../src/search/fold.ts'
import { matchesIn } from '../../src/search/matches.ts'
import { words } from '../support/arbitraries.ts'
import { expectedMatches } from '../support/expected-matches.ts'
import fc, { hasAllCases } from '../support/fast-check.ts'

// Marks that are accents and marks that are none, in any order; letters that compose, and such that fold to several.
const hostile = [
  ...'eEax \t\n\u00a0\u3000\u0085\ufeff\0\u0301\u0308\u0327\u0345\u05b0\u0651\u093c\u094d\u093f\u3099',
  ...'\u1100\u1161\u11a8\uac00\u3131\u314f\uffa1\u326e\u3260\ud7cb\uff76\uff9e\uff9fかガﬁﬀﬃ½Ⅷ\ufdfa\u00a8',
  ...'ΣςßİıÅ\u212b\u0958क\u0dd9\u0dcf\u{1d15e}\u{2f800}👩\u200d💻🏽\ufe0f\u200b\u00ad\u{e0041}',
  ...['\ud83d', '\udc69', '\u00b4'],
]
const piece = fc.oneof(
  fc.constantFrom(...hostile),
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 3 }),
)
const texts = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const queries = fc.record({ text: texts, start: fc.nat({ max: 8 }), length: fc.nat({ max: 5 }) })

describe('foldWithPlaces', () => {
  it('folds as the fold of the whole does, and knows the place of each unit', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { folded, starts, ends } = foldWithPlaces(text)
        expect(folded).toBe(fold(text))
        for (let at = 0; at < folded.length; at++) {
          expect(starts[at]).toBeLessThan(ends[at] ?? 0)
          expect(starts[at]).toBeGreaterThanOrEqual(starts[at - 1] ?? 0)
        }
        expect(ends.at(folded.length - 1) ?? 0).toBeLessThanOrEqual(text.length)
      }),
      { numRuns: 500 },
    )
  })

  it('has no character that joins the one before it, but for those of its units', () => {
    const before = [...'aΣかｶ\u1100\uac00\uac01\u3131क\u0dd9', 'e\u0301']
    const wrong: string[] = []
    for (let code = 0; code < 0x110000; code += hasAllCases ? 1 : 101) {
      const text = before.map((first) => first + String.fromCodePoint(code)).join('x')
      if (foldWithPlaces(text).folded !== fold(text)) wrong.push(code.toString(16))
    }
    expect(wrong).toEqual([])
  })
})

describe('matchesIn', () => {
  it('covers every match, as the plain reading of the interface does', () => {
    fc.assert(
      fc.property(queries, texts, texts, ({ text, start, length }, more, title) => {
        const query = fold([...text].slice(start, start + length + 1).join(''))
        fc.pre(query !== '')
        const content = text + more + text
        const found = matchesIn([query], title, content)
        expect(found).toEqual(expectedMatches([query], title, content))
        const isIn = [title, content].some((each) => fold(each).includes(query))
        expect(found.length > 0).toBe(isIn)
        for (const { text, ranges } of found) {
          for (const [from, to] of ranges) expect(fold(text.slice(from, to))).toContain(query)
        }
      }),
      { numRuns: 500 },
    )
  })

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
