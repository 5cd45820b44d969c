import { describe, expect, it } from 'vitest'
import {
  findTerm,
  readTermDictionary,
  storeTermDictionary,
  storeTerms,
  termAt,
} from '../../src/query/term-dictionary.ts'
import fc from '../support/fast-check.ts'

const terms = fc
  .uniqueArray(
    fc.string({
      unit: fc.constantFrom('a', 'b', 'é', '日', '\ufeff', '\uffff', '\u{10400}', '👍'),
      minLength: 1,
      maxLength: 60,
    }),
  )
  .map((all) => all.sort())

describe('a stored dictionary', () => {
  it('is read back, each term where it was', () => {
    fc.assert(
      fc.property(terms, (all) => {
        const dictionary = readTermDictionary(storeTermDictionary(all))
        expect(all.map((_, at) => termAt(dictionary, at))).toEqual(all)
        expect(all.map((term) => findTerm(dictionary, term))).toEqual([...all.keys()])
        expect(findTerm(dictionary, 'c')).toBe(-1 - all.filter((term) => term < 'c').length)
      }),
    )
  })

  it('is not made of terms that do not end, or are more than their bytes', () => {
    const bytes = Buffer.from('one\0other')
    expect(() => storeTerms({ count: 2, bytes })).toThrow(RangeError)
    expect(() => storeTerms({ count: 0xffffffff, bytes })).toThrow(RangeError)
  })

  it('takes no more memory than its bytes can need, whatever its head says', () => {
    const stored = storeTermDictionary(['one', 'other'])
    for (const [at, number] of [
      [0, 0xffffffff],
      [0, stored.length + 1],
      [4, 0xffffffff],
      [4, stored.length + 2 * 256 + 2],
    ] as const) {
      const damaged = stored.slice()
      new DataView(damaged.buffer).setUint32(at, number, true)
      const make = () => expect.unreachable('bytes were made')
      expect(() => readTermDictionary(damaged, make)).toThrow(RangeError)
    }
  })

  it('says once what a term shares with the one before', () => {
    const all = Array.from({ length: 100 }, (_, at) => `${'long'.repeat(10)}${at + 100}`)
    expect(storeTermDictionary(all).length).toBeLessThan(100 * 6)
  })
})
