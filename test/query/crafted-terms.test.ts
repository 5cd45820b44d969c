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

it.each([
  ['more terms than hashes', { counts: Uint32Array.of(2 ** 32 - 1, 0, 0) }],
  ['fewer terms than hashes', { counts: new Uint32Array(3) }],
  ['no place of a term', { starts: new Uint32Array(0) }],
])('known terms with %s are refused', (_, crafted) => {
  const known = knownTerms(1000, (term) => Math.imul(term, 0x9e3779b1) >>> 0)
  expect(new TermTable(known).size).toBe(1000)
  expect(() => new TermTable({ ...known, ...crafted })).toThrow(RangeError)
})

it('known terms of one hash are refused after a bounded number of slots', () => {
  // To search a slot for each of them would look at 5e11 others.
  const known = knownTerms(1_000_000, () => 7)
  expect(() => new TermTable(known)).toThrow(/equal hashes/)
})

function knownTerms(count: number, hashOf: (term: number) => number) {
  return {
    counts: Uint32Array.of(count, 0, 0),
    texts: new Uint8Array(2 * count),
    starts: Uint32Array.from({ length: count + 1 }, (_, term) => 2 * term),
    hashes: Uint32Array.from({ length: count }, (_, term) => hashOf(term)),
  }
}
