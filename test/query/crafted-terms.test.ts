// Cached terms that no build makes: an error at once, and no memory or time that their bytes do not have.
import { expect, it } from 'vitest'
import { GrowingBytes } from '../../src/query/growing.ts'
import { readPostTerms } from '../../src/query/post-terms.ts'

const many = 2 ** 31 - 1

it.each([
  ['more terms than bytes', [0, many, 0, 0, 0]],
  ['a term more than bytes', [0, 0, 1, 0, 1, 0]],
  ['fewer than no terms', [0, 0, 0, -1, 0]],
  ['a text of fewer than no bytes', [-1, 0, 0, 0, 0]],
  ['a text of more bytes than there are', [many, 0, 0, 0, 0]],
  ['terms of more bytes than there are', [0, 0, 0, 0, 1]],
])('a post of %s is refused', (_, numbers) => {
  const bytes = new GrowingBytes()
  for (const number of numbers) bytes.addVarint(number >>> 0)
  expect(() => readPostTerms(bytes.view())).toThrow(RangeError)
})
