import { expect, it } from 'vitest'
import { listAt, packLists } from '../../src/query/packed-lists.ts'
import fc from '../support/fast-check.ts'

const lists = fc.array(fc.array(fc.nat({ max: 0xffffffff }), { maxLength: 5 }), { maxLength: 8 })

it('gives back every list that was packed, and an empty one where there is none', () => {
  fc.assert(
    fc.property(lists, (all) => {
      const packed = packLists(all)
      all.forEach((list, index) => {
        expect([...listAt(packed, index)]).toEqual(list)
      })
      for (const absent of [-1, all.length, all.length + 7])
        expect(listAt(packed, absent)).toHaveLength(0)
    }),
  )
})

it('gives views, not copies', () => {
  const packed = packLists([[1], [2, 3]])
  expect(listAt(packed, 1).buffer).toBe(packed.ordinals.buffer)
})
