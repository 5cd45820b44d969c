import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findTerm, readLexicon, storeLexicon, termAt } from '../../src/query/lexicon.ts'

const terms = fc
  .uniqueArray(
    fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '日', '\ufeff', '\uffff', '\u{10400}', '👍'),
      minLength: 1,
      maxLength: 60,
    }),
  )
  .map((all) => all.sort())

describe('a stored lexicon', () => {
  it('is read back, each term where it was', () => {
    fc.assert(
      fc.property(terms, (all) => {
        const lexicon = readLexicon(storeLexicon(all))
        expect(all.map((_, at) => termAt(lexicon, at))).toEqual(all)
        expect(all.map((term) => findTerm(lexicon, term))).toEqual([...all.keys()])
        expect(findTerm(lexicon, 'c')).toBe(-1 - all.filter((term) => term < 'c').length)
      }),
    )
  })

  it('says once what a term shares with the one before', () => {
    const all = Array.from({ length: 100 }, (_, at) => `${'long'.repeat(10)}${at + 100}`)
    expect(storeLexicon(all).length).toBeLessThan(100 * 6)
  })
})
