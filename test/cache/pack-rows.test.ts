// Rows of a pack's index, against a `Map` of the same.

import { expect, it } from 'vitest'
import { PackRows } from '../../src/cache/pack-rows.ts'
import type { PartPlace } from '../../src/cache/part-place.ts'
import fc from '../support/fast-check.ts'

const keys = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
/** Keys that begin alike stand in each other's way. */
const crowded = keys.map(
  (key) => `0000000${Number.parseInt(key.slice(0, 1), 16) % 2}${key.slice(8)}`,
)
const part = fc.record({
  name: fc.constantFrom('html', 'json', 'a', ''),
  length: fc.nat(2 ** 32 - 1),
  digest: fc.uint8Array({ minLength: 16, maxLength: 16 }),
})
const parts = fc.uniqueArray(part, { maxLength: 4, selector: ({ name }) => name })
const row = fc.record({
  key: fc.oneof(keys, crowded),
  offset: fc.nat(2 ** 40),
  storedBytes: fc.nat(2 ** 32 - 1),
  recordBytes: fc.nat(2 ** 32 - 1),
  parts,
})
const rows = fc.array(row, { maxLength: 60 })

it('finds what was added last for each key, also when the index is read again', () => {
  fc.assert(
    fc.property(rows, (all) => {
      const table = new PackRows()
      const model = new Map<string, ReadonlyMap<string, PartPlace>>()
      for (const { key, parts, ...record } of all) {
        const places = backToBack(record, parts)
        table.add(key, places)
        model.set(key, places)
      }
      for (const read of [table, new PackRows(table.stored)]) {
        expect(read.count).toBe(model.size)
        expect(new Set(read.keys())).toEqual(new Set(model.keys()))
        for (const [key, places] of model) {
          const row = read.find(key) ?? -1
          expect(plain(read.partsOf(row))).toEqual(plain(places))
          for (const [name, place] of places)
            expect(read.partOf(row, name)?.start).toBe(place.start)
          expect(read.partOf(row, 'none')).toBeUndefined()
        }
      }
    }),
  )
})

it('finds each of thousands, and no other', () => {
  const table = new PackRows()
  const keyOf = (number: number) => number.toString(16).padStart(8, '0').repeat(8)
  for (let number = 0; number < 5000; number++) table.add(keyOf(number), new Map())
  expect(table.count).toBe(5000)
  const numbers = Array.from({ length: 5000 }, (_, number) => number)
  expect(numbers.filter((number) => table.find(keyOf(number)) !== number * 49)).toEqual([])
  expect(table.find(keyOf(5000))).toBeUndefined()
})

function backToBack(
  record: Pick<PartPlace, 'offset' | 'storedBytes' | 'recordBytes'>,
  parts: readonly Pick<PartPlace, 'length' | 'digest'>[] & readonly { readonly name: string }[],
): ReadonlyMap<string, PartPlace> {
  const places = new Map<string, PartPlace>()
  let start = 0
  for (const { name, length, digest } of parts) {
    places.set(name, { ...record, start, length, digest })
    start += length
  }
  return places
}

function plain(places: ReadonlyMap<string, PartPlace>): unknown {
  return Array.from(places, ([name, { digest, ...place }]) => [name, place, [...digest]])
}
