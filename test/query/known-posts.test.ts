// An index that begins with what is known of posts, beside one that begins with nothing.
// Knows nothing of files.

import { expect, it } from 'vitest'
import { IndexBuilder, type StoredIndex } from '../../src/query/index-builder.ts'
import { readKnownPosts, storeKnownPosts } from '../../src/query/known-posts.ts'
import { postTerms } from '../../src/query/post-terms.ts'
import fc from '../support/fast-check.ts'

const word = fc.constantFrom(
  ...'the of and in then hereof naïve 日本語 C++ 한국어 😀 \uffff a b'.split(' '),
)
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const settings = { pairsFrom: 4, unionCost: 60 }

function indexOf(posts: readonly Uint8Array[]) {
  const builder = new IndexBuilder(settings)
  return builder.finish(posts.map((post) => builder.add(post)))
}

/** All but what the pairs of each post are, which says in another order what the lists of pairs say. */
function contentsOf({ known, knownIndex: _, wereKnown: __, ...index }: StoredIndex) {
  const { pairs, ...posts } = known?.() ?? expect.unreachable()
  return { ...index, posts, postsWithPairs: pairs?.ends.length }
}

/** A post, and its number in the builder. */
interface NumberedPost {
  readonly post: Uint8Array
  readonly number: number
}

type Change = readonly [place: number, text: string]

/** An index that begins with what another one knows of its posts, some of which go while others come. */
function changed(before: StoredIndex, posts: readonly Uint8Array[], changes: readonly Change[]) {
  const bytes = storeKnownPosts(before.known?.() ?? expect.unreachable(), { so: 'on' })
  const { known, rest } = readKnownPosts(bytes)
  expect(rest).toEqual({ so: 'on' })
  const read: number[] = []
  const bytesOf = (post: number) => {
    read.push(post)
    return posts[post] ?? expect.unreachable()
  }
  const builder = new IndexBuilder(settings, { known, bytesOf })
  const numbered: NumberedPost[] = posts.map((post, number) => ({ post, number }))
  for (const [place, text] of changes) {
    const post = postTerms('T', text)
    const gone = [0, 1, 1, 2][place % 4]
    numbered.splice(place % (numbered.length + 1), gone ?? 0, { post, number: builder.add(post) })
  }
  const index = builder.finish(numbered.map(({ number }) => number))
  return { index, posts: numbered.map(({ post }) => post), read }
}

it('is the index of its posts, whichever were known', () => {
  const changes = fc.array(fc.tuple(fc.nat(), text))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), changes, changes, (before, some, others) => {
      const terms = before.map((post) => postTerms('T', post))
      const first = changed(indexOf(terms), terms, some)
      expect(contentsOf(first.index)).toEqual(contentsOf(indexOf(first.posts)))
      const second = changed(first.index, first.posts, others)
      expect(contentsOf(second.index)).toEqual(contentsOf(indexOf(second.posts)))
    }),
  )
})

it('reads no runs of known posts while no other words have become common', () => {
  const texts = Array.from(
    { length: 40 },
    (_, post) => `the one of the other, in ${post}. Then the`,
  )
  const posts = texts.map((text) => postTerms('T', text))
  const before = indexOf(posts)
  const one = changed(before, posts, [[5, 'of the one in the other']])
  expect(one.read).toEqual([])
  expect([before.wereKnown, one.index.wereKnown]).toEqual([false, true])
  expect(one.index.numbers.heavy.length).toBeGreaterThan(0)
  const more = Array.from({ length: 9 }, (): Change => [0, 'a word that was never heard of'])
  const many = changed(before, posts, more)
  expect(many.read.length).toBeGreaterThanOrEqual(posts.length)
  expect(many.index.wereKnown).toBe(false)
})
