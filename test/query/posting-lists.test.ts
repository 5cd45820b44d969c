import { describe, expect, it } from 'vitest'
import { intersect, subtract, unite } from '../../src/query/posting-lists.ts'
import fc from '../support/fast-check.ts'

const universe = 200
/** Ascending, unique ordinals: few, many, all, or every n-th. */
const ordinals = fc.oneof(
  fc.uniqueArray(fc.nat({ max: universe - 1 }), { maxLength: 6 }),
  fc.uniqueArray(fc.nat({ max: universe - 1 }), { maxLength: universe, size: 'max' }),
  fc.integer({ min: 1, max: 70 }).map((step) => range(universe).filter((n) => n % step === 0)),
  fc.constantFrom([], [0], [universe - 1], [31], [32], [31, 32, 63, 64], range(universe)),
)
const lists = ordinals.map((list) => Uint32Array.from(list).sort())

describe('intersect', () => {
  it('keeps what is in both lists', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect([...intersect(a, b)]).toEqual([...a].filter((ordinal) => b.includes(ordinal)))
        expect(intersect(b, a)).toEqual(intersect(a, b))
      }),
      { numRuns: 500 },
    )
  })
})

describe('subtract', () => {
  it('keeps what is in the first list alone', () => {
    fc.assert(
      fc.property(lists, lists, (kept, dropped) => {
        expect([...subtract(kept, dropped)]).toEqual(
          [...kept].filter((ordinal) => !dropped.includes(ordinal)),
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('unite', () => {
  it('keeps what is in any list', () => {
    fc.assert(
      fc.property(fc.array(lists, { maxLength: 5 }), (all) => {
        const expected = new Set(all.flatMap((list) => [...list]))
        expect([...unite(all, universe)]).toEqual([...expected].sort((a, b) => a - b))
      }),
      { numRuns: 500 },
    )
  })

  it.each([0, 1, 31, 32, 33, 63, 64, 65])('reaches the last of %j ordinals', (size) => {
    const all = Uint32Array.from(range(size))
    expect(unite([all, all], size)).toEqual(all)
    expect(unite([all.subarray(0, 1), all.subarray(-1)], size)).toEqual(
      Uint32Array.from(new Set([...all.subarray(0, 1), ...all.subarray(-1)])),
    )
  })

  it('of nothing is nothing', () => {
    expect(unite([], universe)).toEqual(new Uint32Array(0))
    expect(unite([new Uint32Array(0), new Uint32Array(0)], 0)).toEqual(new Uint32Array(0))
  })
})

describe('a set operation', () => {
  it('leaves the lists it is given as they are', () => {
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const before = [[...a], [...b]]
        intersect(a, b)
        subtract(a, b)
        unite([a, b], universe)
        expect([[...a], [...b]]).toEqual(before)
      }),
    )
  })

  it('works on lists that are views into a larger array', () => {
    const whole = Uint32Array.from([9, 1, 2, 3, 9, 2, 3, 4])
    const [a, b] = [whole.subarray(1, 4), whole.subarray(5)]
    expect([...intersect(a, b)]).toEqual([2, 3])
    expect([...subtract(a, b)]).toEqual([1])
    expect([...unite([a, b], 5)]).toEqual([1, 2, 3, 4])
  })
})

function range(size: number): number[] {
  return Array.from({ length: size }, (_, ordinal) => ordinal)
}
