// Texts sorted as bytes, held against JavaScript's own order of texts.
// Knows nothing of terms.

import { expect, it } from 'vitest'
import { sortTexts } from '../../src/query/term-order.ts'
import fc from '../support/fast-check.ts'

const letter = fc.constantFrom('a', 'b', 'é', '日', '\ue000', '\uffff', '😀', '\u{10ffff}')
const prefix = fc.constantFrom('', 'aab', 'aabaab日')

it('sorts texts by their code units, however many there are', () => {
  const text = fc
    .tuple(prefix, fc.string({ unit: letter, maxLength: 6 }))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 200, size: 'max' }), (texts) => {
      const order = Uint32Array.from(texts.keys())
      const ends = texts.map((_, at) => Buffer.byteLength(`${texts.slice(0, at).join('\0')}\0`))
      const starts = Uint32Array.from(ends, (end, at) => (at === 0 ? 0 : end))
      sortTexts(Buffer.from(`${texts.join('\0')}\0`), starts, order)
      expect(Array.from(order, (at) => texts[at])).toEqual([...texts].sort())
    }),
  )
})
