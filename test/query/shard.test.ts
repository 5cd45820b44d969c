import { describe, expect, it } from 'vitest'
import {
  decodeBlock,
  decodeShard,
  encodeBlock,
  encodeShard,
  type PostTexts,
} from '../../src/emit/shard-record.ts'
import { dictionariesOf, mergeTerms, startsOf } from '../../src/query/inverted-terms.ts'
import { postTerms, readPostTerms } from '../../src/query/post-terms.ts'
import { cutBlock, joinBlocks, joinNeighbours, joinPosts } from '../../src/query/shard.ts'
import { textsOf } from '../../src/query/term-texts.ts'
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

/** Where posts are cut into parts. */
const cuts = fc.array(fc.nat({ max: 10 }), { maxLength: 4 })

describe('blocks', () => {
  it('have the posts of every term, in the order of code units', () => {
    fc.assert(
      fc.property(posts, (all) => {
        const expected = new Map<string, number[]>()
        for (const [post, bytes] of all.entries()) {
          for (const [kind, term] of kindsAndTerms(bytes)) {
            expected.set(`${kind}${term}`, [...(expected.get(`${kind}${term}`) ?? []), post])
          }
        }
        const block = joinPosts(all)
        const starts = startsOf(block.frequencies)
        const found = dictionariesOf(block)
          .flatMap((dictionary, kind) => textsOf(dictionary).map((term) => `${kind}${term}`))
          .map((term, at) => [term, [...block.posts.subarray(starts[at], starts[at + 1])]])
        expect(found).toEqual([...expected].sort(([a], [b]) => (a < b ? -1 : 1)))
        expect(block).toMatchObject({ postCount: all.length })
      }),
    )
  })

  it('are read from the cache as they were written', () => {
    fc.assert(
      fc.property(posts, fc.boolean(), (all, isIndexed) => {
        const block = { terms: isIndexed ? joinPosts(all) : undefined, texts: places }
        expect(decodeBlock(encodeBlock(block))).toEqual(block)
      }),
    )
  })
})

describe('parts of blocks', () => {
  it('are what was joined to them', () => {
    fc.assert(
      fc.property(posts, cuts, (all, cuts) => {
        const block = joinPosts(all)
        const parts = cut(all, cuts).map(joinPosts)
        expect(joinNeighbours(parts)).toEqual(block)
        let start = 0
        for (const part of parts) {
          const end = start + part.postCount
          expect(cutBlock(block, start, end, part.textBytes)).toEqual(part)
          start = end
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('shards', () => {
  it('have what one block of all posts has, however they are cut', () => {
    fc.assert(
      fc.property(posts, cuts, fc.boolean(), (all, cuts, hasGrams) => {
        const blocks = cut(all, cuts).map(joinPosts)
        const whole = joinPosts(all)
        expect(joinBlocks(blocks, hasGrams)).toEqual(joinBlocks([whole], hasGrams))
        const { tokens, tokenEnds, ...terms } = whole
        expect(mergeTerms(blocks.map((block) => joinBlocks([block], hasGrams)))).toMatchObject(
          terms,
        )
      }),
      { numRuns: 300 },
    )
  })

  it('are read from the cache as they were written', () => {
    fc.assert(
      fc.property(posts, fc.boolean(), fc.boolean(), (all, isIndexed, hasGrams) => {
        const terms = isIndexed ? joinBlocks([joinPosts(all)], hasGrams) : undefined
        expect(decodeShard(encodeShard({ terms, texts: places }))).toEqual({ terms, texts: places })
      }),
    )
  })
})

const places: PostTexts = {
  sizes: Uint32Array.of(7, 8),
  checks: Uint32Array.of(1, 2 ** 32 - 1),
  files: [{ etag: 'a', posts: 2 }],
}

function cut<T>(all: readonly T[], places: readonly number[]): readonly (readonly T[])[] {
  const inside = places.filter((place) => place < all.length)
  const ends = [...new Set([...inside, all.length])].sort((a, b) => a - b)
  return ends.map((end, at) => all.slice(ends[at - 1] ?? 0, end))
}

function kindsAndTerms(bytes: Uint8Array): readonly (readonly [kind: number, term: string])[] {
  const { counts, texts } = readPostTerms(bytes)
  const terms = textsOf({ count: 0, bytes: texts })
  const kinds = counts.flatMap((count, kind) => Array.from({ length: count }, () => kind))
  return kinds.map((kind, at) => [kind, terms[at] ?? expect.unreachable()])
}
