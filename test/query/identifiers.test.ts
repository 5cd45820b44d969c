import { describe, expect, it } from 'vitest'
import { findIdentifier, identifierTable } from '../../src/query/identifiers.ts'
import fc from '../support/fast-check.ts'

const alphabet = fc.constantFrom('a', 'b', '-', '.', 'é', 'ß', '日', '\u{20000}', '\uffff', '0')
const texts = fc.string({ unit: alphabet, maxLength: 6 })
const entries = fc
  .uniqueArray(fc.tuple(texts, fc.nat({ max: 0xffff_ffff })), {
    selector: ([identifier]) => identifier,
    maxLength: 60,
    size: 'max',
  })
  .map((pairs) => new Map(pairs))

describe('findIdentifier', () => {
  it('finds each identifier of the table, and no other', () => {
    fc.assert(
      fc.property(entries, fc.array(texts), (known, others) => {
        const table = identifierTable(known)
        for (const identifier of [...known.keys(), ...others])
          expect(findIdentifier(table, identifier)).toBe(known.get(identifier) ?? -1)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['one that begins another', ['a', 'ab', 'abc', 'b'], 'ab'],
    ['one in another script', ['日本', '日本語', '日'], '日本'],
    ['one beyond the basic plane', ['\uffff', '\u{20000}', '\ud7ff'], '\u{20000}'],
    ['the first', ['b', 'a'], 'a'],
    ['the last', ['b', 'a'], 'b'],
    ['the only one', ['a'], 'a'],
  ])('finds %s', (_, known, identifier) => {
    const table = identifierTable(new Map(known.map((text, ordinal) => [text, ordinal])))
    expect(findIdentifier(table, identifier)).toBe(known.indexOf(identifier))
  })

  it.each(['', 'a', 'abcd', 'AB', 'abc\0', 'abé', 'zzz', 'e\u0301', 'ab '])(
    'finds no %j',
    (identifier) => {
      const table = identifierTable(
        new Map([
          ['ab', 0],
          ['abc', 1],
          ['é', 2],
        ]),
      )
      expect(findIdentifier(table, identifier)).toBe(-1)
    },
  )

  it('finds nothing in an empty table', () => {
    expect(findIdentifier(identifierTable(new Map()), 'a')).toBe(-1)
  })
})

describe('identifierTable', () => {
  it('is the same whatever the order of its entries', () => {
    const shuffled = entries.chain((known) =>
      fc.tuple(fc.constant([...known]), fc.shuffledSubarray([...known], { minLength: known.size })),
    )
    fc.assert(
      fc.property(shuffled, ([known, other]) => {
        expect(identifierTable(new Map(other))).toEqual(identifierTable(new Map(known)))
      }),
    )
  })
})
