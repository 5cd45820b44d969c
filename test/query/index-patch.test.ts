// An index in which a few posts are others: what is made of the one before is what is made of all posts.
// Knows nothing of how either is laid out.

import { describe, expect, it } from 'vitest'
import { IndexBuilder, type LaidOutIndex, type StoredIndex } from '../../src/query/index-builder.ts'
import { patchIndex } from '../../src/query/index-patch.ts'
import { readKnownIndex, storeKnownIndex } from '../../src/query/known-index.ts'
import { postTerms } from '../../src/query/post-terms.ts'
import fc from '../support/fast-check.ts'

const word = fc.oneof(
  { arbitrary: fc.nat({ max: 6 }).map((more) => 'a'.repeat(more + 1)), weight: 3 },
  {
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 }),
    weight: 6,
  },
  {
    arbitrary: fc.constantFrom(
      'straße',
      'Ωmega',
      '日本語',
      '!',
      'c++',
      '😀',
      '𐐷x',
      '\uE000',
      'ab '.repeat(70),
    ),
    weight: 2,
  },
)
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '))
const post = fc.record({ title: word, text })
type Post = typeof post extends fc.Arbitrary<infer T> ? T : never

/** Another text for a post, nothing for one that is gone; counted from the oldest. */
const edit = fc.record({ at: fc.nat({ max: 30 }), post })

describe('an index in which a few posts are others', () => {
  it('is the one of all posts, byte for byte, wherever it is made at all', () => {
    const counts = { made: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.array(post, { minLength: 1, maxLength: 30 }),
        fc.array(edit, { maxLength: 6 }),
        fc.integer({ min: -2, max: 3 }),
        fc.constantFrom(40, 120, 400, 245_760),
        (before, edits, more, unionCost) => {
          const after = before.slice(0, Math.max(1, before.length + more))
          for (let added = before.length; added < before.length + more; added++) {
            after.push({ title: 'new', text: `a new post ${added}` })
          }
          for (const { at, post } of edits) after[at % after.length] = post
          const patched = patch(before, after, unionCost)
          counts[patched === undefined ? 'refused' : 'made'] += 1
          if (patched !== undefined) expect(plain(patched)).toEqual(plain(join(after, unionCost)))
        },
      ),
      { numRuns: 600 },
    )
    expect(counts.made).toBeGreaterThan(100)
    expect(counts.refused).toBeGreaterThan(100)
  })

  it('is made of many posts, whose lists are of all kinds', () => {
    const before = Array.from({ length: 1000 }, (_, at) => ({
      title: `t${at % 7}`,
      text: textOf(at),
    }))
    const after = before.with(500, { title: 'other', text: textOf(1_000_003) })
    const patched = patch(before, after, 2_000)
    expect(patched).toBeDefined()
    expect(plain(patched as Made)).toEqual(plain(join(after, 2_000)))
    expect(join(after, 2_000).numbers.unionOrder.length).toBeGreaterThan(10)
    expect(join(after, 2_000).numbers.areaLengths.length).toBeGreaterThan(20)
  })

  it('is not made where lists would be coded otherwise, or a union be ready that was not', () => {
    const posts = Array.from({ length: 1000 }, (_, at) => ({ title: 't', text: textOf(at) }))
    const more = Array.from({ length: 25 }, (_, at) => ({ title: 't', text: textOf(2000 + at) }))
    expect(patch(posts, [...posts, ...more.slice(1)], 245_760)).toBeDefined()
    expect(patch(posts, [...posts, ...more], 245_760)).toBeUndefined()
    const words = (letter: string) =>
      Array.from({ length: 60 }, (_, at) => `${letter}${at}${letter}`).join(' ')
    const costly = posts.with(3, { title: 't', text: words('q') })
    expect(patch(posts, costly, 2_000)).toBeUndefined()
    expect(patch(costly, posts, 2_000)).toBeDefined()
    expect(plain(patch(costly, posts, 2_000) as Made)).toEqual(plain(join(posts, 2_000)))
  })
})

type Made = LaidOutIndex

/** Words of all lengths and frequencies, the same each time. */
function textOf(seed: number): string {
  let state = seed + 1
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state / 2 ** 32
  }
  return Array.from({ length: 60 }, () => `w${Math.floor(next() ** 3 * 3_000).toString(36)}`).join(
    ' ',
  )
}

function builderOf(oldestFirst: readonly Post[], unionCost: number): IndexBuilder {
  const builder = new IndexBuilder({ unionCost, pairsFrom: Number.POSITIVE_INFINITY })
  for (const { title, text } of oldestFirst) builder.add(postTerms(title, text))
  return builder
}

function join(oldestFirst: readonly Post[], unionCost: number): StoredIndex {
  return builderOf(oldestFirst, unionCost).finish([...oldestFirst.keys()].reverse())
}

function patch(before: readonly Post[], after: readonly Post[], unionCost: number) {
  const { knownIndex } = join(before, unionCost)
  if (knownIndex === undefined) throw new Error('nothing is known of the index')
  const { known, rest } = readKnownIndex(storeKnownIndex(knownIndex(), { more: 1 }))
  expect(rest).toEqual({ more: 1 })
  const termsOf = (of: Post | undefined) => of && postTerms(of.title, of.text)
  const changes = Array.from({ length: Math.max(before.length, after.length) }, (_, at) => at)
    .filter((at) => JSON.stringify(before[at]) !== JSON.stringify(after[at]))
    .map((at) => ({ post: at, before: termsOf(before[at]), after: termsOf(after[at]) }))
  return patchIndex(known, { postCount: after.length, changes })
}

function plain({ lexicons, refs, numbers, lists, cuts }: Made) {
  const arrays = { ...lexicons, refs, ...numbers, lists }
  return {
    cuts,
    ...Object.fromEntries(Object.entries(arrays).map(([name, all]) => [name, [...all]])),
  }
}
