import { describe, expect, it } from 'vitest'
import { type Bitmap, bitmapBytes, emptyBitmap, ordinalsIn } from '../../src/query/bitmaps.ts'
import { GrowingBytes } from '../../src/query/growing.ts'
import { addStored, ListEncoder } from '../../src/query/list-coding.ts'
import fc from '../support/fast-check.ts'

/** Adds a list that lies among others. */
function add(bits: Bitmap, stored: Uint8Array): void {
  const room = new Uint8Array(stored.length + 10).fill(0x5a)
  room.set(stored, 5)
  addStored(bits, new DataView(room.buffer), 5, stored.length)
}

function encode(ordinals: Uint32Array, universe: number): Uint8Array {
  const bytes = new GrowingBytes()
  bytes.addByte(0xa5)
  new ListEncoder(bitmapBytes(universe), bytes).add(ordinals, 0, ordinals.length)
  return bytes.view().slice(1)
}

/** Every so manieth ordinal, and each of some that stand together. */
const lists = fc
  .record({
    universe: fc.integer({ min: 1, max: 20_000 }),
    gap: fc.integer({ min: 1, max: 3000 }),
    together: fc.integer({ min: 1, max: 40 }),
  })
  .map(({ universe, gap, together }) => {
    const ordinals = []
    for (let at = gap - 1; at < universe; at += at % together === 0 ? gap : 1) ordinals.push(at)
    return { universe, ordinals: Uint32Array.from(ordinals.length === 0 ? [0] : ordinals) }
  })

describe('ListEncoder', () => {
  it('is undone by addStored', () => {
    fc.assert(
      fc.property(lists, ({ universe, ordinals }) => {
        const stored = encode(ordinals, universe)
        const bits = emptyBitmap(universe)
        add(bits, stored)
        expect(ordinalsIn(bits).join()).toBe(ordinals.join())
        expect(stored.length).toBeLessThanOrEqual(bitmapBytes(universe))
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    [2, 6],
    [100, 150],
    [1000, 1200],
    [10_000, 8_000],
    [12_499, 12_500],
    [20_000, 10_000],
    [50_000, 12_544],
    [90_000, 6_400],
    [99_000, 1_600],
    [100_000, 1_600],
  ])('takes little for %d of 100,000 ordinals', (count, most) => {
    const ordinals = Uint32Array.from({ length: count }, (_, at) => Math.floor((at * 1e5) / count))
    expect(encode(ordinals, 100_000).length).toBeLessThanOrEqual(most)
  })

  it('adds to what is in a set already', () => {
    const bits = emptyBitmap(5000)
    add(bits, encode(Uint32Array.of(1, 4999), 5000))
    add(bits, encode(Uint32Array.of(0, 1, 77), 5000))
    expect(ordinalsIn(bits)).toEqual(Uint32Array.of(0, 1, 77, 4999))
  })
})
