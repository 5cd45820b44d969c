// Search files made over from an index that was laid out before.
// Knows nothing of what the files mean.
import { expect, it } from 'vitest'
import { SearchAdder } from '../../src/emit/search-adder.ts'
import type { SearchInput } from '../../src/emit/search-input.ts'
import { postTerms } from '../../src/query/post-terms.ts'

const terms = Array.from({ length: 40 }, (_, post) => postTerms('T', `Text ${post} of words.`))
const ids = terms.map((_, post) => `post-${post}`)

const other = postTerms('T', 'Another text.')

it('makes over the index of just the posts that were there', () => {
  const posts = terms.map((_, post) => (post === 7 ? { terms: other } : { prepared: post }))
  const anew = terms.map((one, post) => ({ terms: post === 7 ? other : one }))
  const expected = new SearchAdder().make({ ids, posts: anew }, noneMade)
  expect(patched('these', 'these', posts)?.search).toEqual(expected.search)
  expect(patched('these', 'others', posts)).toBeUndefined()
})

it('makes no index over in which more than a few posts are others', () => {
  const posts = (count: number) =>
    terms.map((_, post) => (post < count ? { terms: other } : { prepared: post }))
  expect(patched('these', 'these', posts(32))).toBeDefined()
  expect(patched('these', 'these', posts(33))).toBeUndefined()
})

/** @param known of which posts an index is known @param of which posts were there */
function patched(known: string, of: string, posts: SearchInput['posts']) {
  const first = new SearchAdder()
  first.make({ ids, posts: terms.map((one) => ({ terms: one })) }, noneMade)
  const adder = new SearchAdder()
  adder.prepare({ of, known: { index: first.known(known, 'index') }, terms })
  return adder.patch({ ids, posts }, noneMade)
}

function noneMade(): void {
  expect.unreachable('all terms are there')
}
