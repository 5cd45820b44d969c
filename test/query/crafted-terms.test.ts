// Kept terms that no build makes: an error at once, and no memory or time that their bytes do not have.
import { expect, it } from 'vitest'
import { GrowingBytes, GrowingNumbers } from '../../src/query/growing.ts'
import { postTerms, readPostTerms } from '../../src/query/post-terms.ts'
import { TermTable } from '../../src/query/term-table.ts'

const many = 2 ** 31 - 1

it.each([
  ['more terms than bytes', [0, many]],
  ['a term more than bytes', [0, 1]],
  ['fewer than no terms', [0, -1]],
  ['a text of fewer than no bytes', [-1, 0]],
])('a post of %s is refused', (_, numbers) => {
  const bytes = new GrowingBytes()
  for (const number of numbers) bytes.addVarint(number >>> 0)
  expect(() => readPostTerms(bytes.view())).toThrow(RangeError)
})

it('a term with the hash of another one is refused', () => {
  const bytes = postTerms('', 'word')
  const post = readPostTerms(bytes)
  bytes[post.termsAt] = (bytes[post.termsAt] ?? 0) ^ 1
  expect(() => new TermTable().addNumbers(post, new GrowingNumbers())).toThrow(RangeError)
})
