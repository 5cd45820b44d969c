import { describe, expect, it } from 'vitest'
import { decodeShard, encodeShard } from '../../src/emit/shard-record.ts'
import { type JoinedPosts, joinShards } from '../../src/query/joined-posts.ts'
import { postTerms } from '../../src/query/post-terms.ts'
import { joinShard } from '../../src/query/shard.ts'
import fc from '../support/fast-check.ts'

const text = fc
  .array(fc.constantFrom('the', 'of', 'Straße', '日本語', 'C++', 'a', '\0', 'x,', 'ガ'), {
    maxLength: 8,
  })
  .map((words) => words.join(' '))

const posts = fc.array(
  fc.tuple(text, text).map(([title, text]) => postTerms(title, text)),
  { maxLength: 10 },
)

describe('shards', () => {
  it('put together are one shard of all posts, however they are cut', () => {
    fc.assert(
      fc.property(posts, fc.array(fc.nat({ max: 10 }), { maxLength: 4 }), (all, cuts) => {
        const ends = [...cuts.filter((cut) => cut < all.length), all.length].sort((a, b) => a - b)
        const parts = ends.map((end, at) => joinShard(all.slice(ends[at - 1] ?? 0, end)))
        expect(contents(joinShards(parts))).toEqual(contents(joinShards([joinShard(all)])))
      }),
      { numRuns: 300 },
    )
  })

  it('are read from the cache as they were written', () => {
    fc.assert(
      fc.property(posts, fc.boolean(), (all, isIndexed) => {
        const shard = isIndexed ? joinShard(all) : undefined
        const blocks = [{ etag: 'a', posts: [1, 0] }]
        const texts = {
          sizes: Uint32Array.of(7, 8),
          checks: Uint32Array.of(1, 2 ** 32 - 1),
          blocks,
        }
        expect(decodeShard(encodeShard({ shard, texts }))).toEqual({ shard, texts })
      }),
    )
  })
})

function contents({ runsOf, ...joined }: JoinedPosts): unknown {
  const runs = Array.from({ length: joined.postCount }, (_, post) => [...runsOf(post)])
  return { ...joined, runs }
}
