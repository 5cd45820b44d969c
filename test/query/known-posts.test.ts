// An index that begins with what is known of posts, beside one that begins with nothing.
// Knows nothing of files.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { IndexBuilder } from '../../src/query/index-builder.ts'
import { readKnownPosts, storeKnownPosts } from '../../src/query/known-posts.ts'
import { postTerms } from '../../src/query/post-terms.ts'

const word = fc.constantFrom(
  ...'the of and in then hereof naïve 日本語 C++ 한국어 😀 \uffff a b'.split(' '),
)
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const settings = { pairsFrom: 4, unionCost: 60 }

function indexOf(posts: readonly Uint8Array[]) {
  const builder = new IndexBuilder(settings)
  return builder.finish(posts.map((post) => builder.add(post)))
}

it('is the index of its posts, whichever were known', () => {
  const change = fc.tuple(fc.nat(), text)
  fc.assert(
    fc.property(fc.array(text, { maxLength: 20 }), fc.array(change), (before, changes) => {
      const terms = before.map((post) => postTerms('T', post))
      const bytes = storeKnownPosts(indexOf(terms).known?.() ?? expect.unreachable(), { so: 'on' })
      const { known, rest } = readKnownPosts(bytes)
      expect(rest).toEqual({ so: 'on' })
      const bytesOf = (post: number) => terms[post] ?? expect.unreachable()
      const builder = new IndexBuilder(settings, { known, bytesOf })
      const posts = terms.map((post, number) => ({ post, number }))
      for (const [place, text] of changes) {
        const post = postTerms('T', text)
        const at = place % (posts.length + 1)
        const gone = [0, 1, 1, 2][place % 4]
        posts.splice(at, gone ?? 0, { post, number: builder.add(post) })
      }
      const made = builder.finish(posts.map(({ number }) => number))
      const expected = indexOf(posts.map(({ post }) => post))
      expect({ ...made, known: made.known?.() }).toEqual({ ...expected, known: expected.known?.() })
    }),
  )
})
