import { describe, expect, it } from 'vitest'
import { addOrdinal, emptyBitmap } from '../../src/query/bitmaps.ts'
import { OrderedPosts } from '../../src/query/ordered-posts.ts'
import { OrdinalSet } from '../../src/query/ordinal-set.ts'
import fc from '../support/fast-check.ts'

/** The ordinals below a number, in an order that has nothing to do with theirs. */
function shuffled(count: number): Uint32Array {
  const key = (ordinal: number) => Math.imul(ordinal + 1, 0x9e3779b1) >>> 0
  const ordinals = Array.from({ length: count }, (_, ordinal) => ordinal)
  return Uint32Array.from(ordinals.sort((a, b) => key(a) - key(b)))
}

function placesOf(order: Uint32Array): Uint32Array {
  const places = new Uint32Array(order.length)
  for (const [place, ordinal] of order.entries()) places[ordinal] = place
  return places
}

describe('posts in another order', () => {
  it('are those of a filter, whether they are many or few, from either end', () => {
    const cases = fc.record({
      count: fc.constantFrom(1, 40, 3000),
      every: fc.constantFrom(1, 2, 3, 50, 1000, 5000),
      hidden: fc.constantFrom(0, 1, 17),
      isSet: fc.boolean(),
      start: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.constantFrom(1, 10, 100, 5000),
    })
    fc.assert(
      fc.property(cases, ({ count, every, hidden, isSet, start, length }) => {
        const order = shuffled(count)
        const isSelected = (post: number) => post % every === 0
        const bits = emptyBitmap(count)
        for (const post of order) if (isSelected(post)) addOrdinal(bits, post)
        const before = Array.from({ length: Math.min(hidden, count) }, (_, post) => post)
        const visible = Uint32Array.from([
          ...order.filter((post) => post >= hidden && isSelected(post)),
        ])
        const set = new OrdinalSet(bits).subarray(before.filter(isSelected).length)
        const posts = isSet ? set : visible.slice().sort()
        const ordered = new OrderedPosts(posts, { order, placeOf: () => placesOf(order) }, hidden)
        const from = Math.floor(start * visible.length)
        expect(ordered.length).toBe(visible.length)
        expect(ordered.slice(from, from + length)).toEqual(visible.slice(from, from + length))
        expect(ordered.at(from)).toBe(visible[from])
      }),
      { numRuns: 500 },
    )
  })
})
