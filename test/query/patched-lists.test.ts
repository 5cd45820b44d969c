// Lists of which a few are others: laid out as all of them are, and cut at the same places.
// Knows nothing of what lists are of.

import { expect, it } from 'vitest'
import { type ListEdit, patchLists } from '../../src/query/patched-lists.ts'
import { isCut, readRefs } from '../../src/query/stored-lists.ts'
import fc from '../support/fast-check.ts'

/** A list as it is stored: one ordinal, or bytes; and the hash of what it is of. */
interface List {
  readonly list: number | Uint8Array
  readonly hash: number
}

const list: fc.Arbitrary<List> = fc
  .record({
    length: fc.constantFrom(0, 2, 3, 600, 601, 602),
    byte: fc.nat({ max: 255 }),
    isCut: fc.boolean(),
  })
  .map(({ length, byte, isCut }) => ({
    list: length === 0 ? byte : new Uint8Array(length).fill(byte),
    hash: length < 600 ? byte : hashOf(length, isCut),
  }))

/** A list, what becomes of it, and those that are put before it. */
const slot = fc.record({
  old: list,
  fate: fc.constantFrom('same', 'same', 'other', 'gone'),
  other: list,
  put: fc.array(list, { maxLength: 2 }),
})

it('lays out what is laid out of all lists', () => {
  let editedCuts = 0
  fc.assert(
    fc.property(fc.array(slot, { minLength: 1, maxLength: 20 }), fc.array(list), (slots, last) => {
      const known = layOut(slots.map(({ old }) => old))
      const after = slots.flatMap(({ old, fate, other, put }) => {
        const now = { same: [old], other: [other], gone: [] }[fate] ?? []
        return [...put, ...now]
      })
      const edits = slots.flatMap(({ old, fate, other, put }, at): readonly ListEdit[] => {
        const list = fate === 'other' ? other.list : null
        const { hash } = fate === 'other' ? other : old
        const edit = { at, isKnown: true, list, hash }
        return [...newAt(at, put), ...(fate === 'same' ? [] : [edit])]
      })
      const { refs, bytes, ...patched } = patchLists(known, [
        ...edits,
        ...newAt(slots.length, last),
      ])
      const expected = layOut([...after, ...last])
      expect(Buffer.compare(bytes, expected.lists)).toBe(0)
      expect([...patched.cuts]).toEqual([...expected.cuts])
      expect(patched.areaStarts).toEqual(expected.areaStarts)
      expect(patched.areaLengths).toEqual(expected.areaLengths)
      const read = readRefs(refs, patched, expected.places.length)
      expect([...read].map((ref) => ref & 0x7fffffff)).toEqual([...expected.places])
      editedCuts += edits.filter(
        ({ at, isKnown }) => isKnown && known.cuts.includes(known.places[at] ?? -1),
      ).length
    }),
  )
  expect(editedCuts).toBeGreaterThan(20)
})

function newAt(at: number, lists: readonly List[]): readonly ListEdit[] {
  return lists.map((one) => ({ ...one, at, isKnown: false }))
}

/** A hash of something whose list is cut at, or is not. */
function hashOf(length: number, wanted: boolean): number {
  for (let hash = 0; ; hash++) if (isCut(hash, length) === wanted) return hash
}

/** By their lengths, those of one length in their order. */
function layOut(all: readonly List[]) {
  const lengths = Uint32Array.from(all, ({ list }) => (typeof list === 'number' ? 0 : list.length))
  const order = [...all.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b)
  const places = Uint32Array.from(all, ({ list }) => (typeof list === 'number' ? list : 0))
  const chunks: Uint8Array[] = []
  const [cuts, areaStarts, areaLengths]: [number[], number[], number[]] = [[], [], []]
  let size = 0
  for (const at of order) {
    const { list, hash } = all[at] ?? expect.unreachable()
    if (typeof list === 'number') continue
    places[at] = size
    if (isCut(hash, list.length)) cuts.push(size)
    if (areaLengths.at(-1) !== list.length) {
      areaStarts.push(size)
      areaLengths.push(list.length)
    }
    chunks.push(list)
    size += list.length
  }
  return {
    lengths,
    places,
    lists: new Uint8Array(Buffer.concat(chunks)),
    cuts: Uint32Array.from(cuts),
    areaStarts: Uint32Array.from([...areaStarts, size]),
    areaLengths: Uint32Array.from(areaLengths),
  }
}
