import { describe, expect, it } from 'vitest'
import { postsFrom } from '../../src/api/visibility.ts'
import { addOrdinal, emptyBitmap } from '../../src/query/bitmaps.ts'
import { OrdinalSet } from '../../src/query/ordinal-set.ts'
import fc from '../support/fast-check.ts'

const universe = 5000
/** Ascending, unique ordinals: few, many, all of a part, or every n-th. */
const lists = fc
  .oneof(
    fc.uniqueArray(fc.nat({ max: universe - 1 }), { maxLength: 10 }),
    fc.uniqueArray(fc.nat({ max: universe - 1 }), { maxLength: 3000, size: 'max' }),
    fc
      .tuple(fc.nat({ max: 4000 }), fc.nat({ max: 1000 }))
      .map(([from, count]) => range(from, count)),
    fc
      .integer({ min: 1, max: 3000 })
      .map((step) => range(0, universe).filter((n) => n % step === 0)),
    fc.constantFrom([], [0], [universe - 1], [31, 32, 1023, 1024, 2047, 2048], range(0, universe)),
  )
  .map((list) => Uint32Array.from(list).sort())
const places = fc.nat({ max: universe + 5 })

describe('a set of ordinals', () => {
  it('is counted, cut and listed as the list of them is', () => {
    fc.assert(
      fc.property(lists, places, places, places, (list, start, from, to) => {
        const rest = setOf(list).subarray(start)
        const expected = list.subarray(start)
        expect(rest.length).toBe(expected.length)
        expect(rest.slice(from, to)).toEqual(expected.slice(from, to))
        expect(rest.slice(0, rest.length)).toEqual(expected)
        expect(rest.at(from)).toBe(expected.at(from))
      }),
      { numRuns: 500 },
    )
  })

  it('counted back from the last one is the same set', () => {
    fc.assert(
      fc.property(lists, lists, places, places, places, (list, other, start, from, to) => {
        const last = universe - 1
        const set = setOf(
          list.map((ordinal) => last - ordinal),
          last,
        )
        const expected = list.subarray(start)
        expect(set.subarray(start).length).toBe(expected.length)
        expect(set.subarray(start).slice(from, to)).toEqual(expected.slice(from, to))
        expect(set.subarray(start).at(from)).toBe(expected.at(from))
        expect(set.among(other)).toEqual(setOf(list).among(other))
      }),
      { numRuns: 500 },
    )
  })

  it('cut twice is cut at both places', () => {
    const set = setOf(Uint32Array.of(3, 5, 1500, 4999))
    expect(set.subarray(1).subarray(2).slice(0, 9)).toEqual(Uint32Array.of(4999))
  })

  it('keeps of a list what it has', () => {
    fc.assert(
      fc.property(lists, lists, (list, other) => {
        const has = new Set(list)
        expect(setOf(list).among(other)).toEqual(other.filter((ordinal) => has.has(ordinal)))
      }),
    )
  })

  it('is cut at an ordinal as a list is', () => {
    fc.assert(
      fc.property(lists, fc.nat({ max: universe }), (list, first) => {
        const expected = list.filter((ordinal) => ordinal >= first)
        expect(postsFrom(list, first)).toEqual(expected)
        expect(postsFrom(setOf(list), first).slice(0, universe)).toEqual(expected)
      }),
    )
  })
})

function setOf(list: Uint32Array, last?: number): OrdinalSet {
  const bits = emptyBitmap(universe)
  for (const ordinal of list) addOrdinal(bits, ordinal)
  return new OrdinalSet(bits, last)
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => from + at)
}
