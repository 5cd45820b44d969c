import { describe, expect, it } from 'vitest'
import { planSegments } from '../../src/emit/segment-plan.ts'
import fc from '../support/fast-check.ts'

/** Ids of so many posts, latest first. */
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `id-${count - index}`)

/** Posts of some kilobytes. */
const planned = (ids: readonly string[]) =>
  ids.map((id) => ({ id, bytes: 1000 + ((Number(id.slice(3)) || 0) % 13) * 1000 }))

/** Each shard as its blocks, and each of those as the ids in it. */
const shardsOf = (ids: readonly string[], scheduled = 0): readonly (readonly string[])[] =>
  planSegments(planned(ids), scheduled).flatMap(({ shards }) =>
    shards.map((blocks) => blocks.map(({ start, end }) => ids.slice(start, end).join(' '))),
  )

/** How many shards and blocks are not among others. */
const changed = (
  before: readonly (readonly string[])[],
  after: readonly (readonly string[])[],
): readonly [shards: number, blocks: number] => {
  const shards = new Set(before.map((shard) => shard.join('|')))
  const blocks = new Set(before.flat())
  return [
    after.filter((shard) => !shards.has(shard.join('|'))).length,
    after.flat().filter((block) => !blocks.has(block)).length,
  ]
}

describe('segments', () => {
  it('hold every post once, in publication order, and scheduled posts apart', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3000 }), fc.nat({ max: 3000 }), (count, some) => {
        const scheduled = Math.min(count, some)
        const segments = planSegments(planned(idsOf(count)), scheduled)
        const blocks = segments.flatMap(({ shards }) => shards.flat())
        const ordinals = blocks.flatMap(({ start, end }) =>
          Array.from({ length: end - start }, (_, at) => start + at),
        )
        expect(ordinals).toEqual(idsOf(count).map((_, ordinal) => ordinal))
        for (const { start, end } of blocks) expect(end).toBeGreaterThan(start)
        const published = segments.find(({ isIndexed }) => isIndexed)
        expect(published?.shards[0]?.[0]?.start ?? count).toBe(scheduled)
        expect(segments.length).toBe(Number(scheduled > 0) + Number(count > scheduled))
      }),
      { numRuns: 100 },
    )
  })

  it('have shards of a few hundred posts, in blocks of about a hundred', () => {
    const shards = shardsOf(idsOf(50_000))
    const blocks = shards.map((blocks) => blocks.length)
    expect(Math.min(...blocks)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...blocks)).toBeLessThan(10)
    expect(50_000 / shards.length).toBeGreaterThan(200)
    expect(50_000 / shards.length).toBeLessThan(500)
    expect(50_000 / shards.flat().length).toBeGreaterThan(70)
    expect(50_000 / shards.flat().length).toBeLessThan(140)
  })

  it('change one shard and one block, seldom more, when a post comes or goes', () => {
    const ids = idsOf(10_000)
    const before = shardsOf(ids)
    const counts = Array.from({ length: 100 }, (_, index) => {
      const at = 37 + index * 97
      const after = index % 2 === 0 ? ids.toSpliced(at, 1) : ids.toSpliced(at, 0, 'new')
      return changed(before, shardsOf(after))
    })
    const mean = (of: 0 | 1) => counts.reduce((sum, count) => sum + count[of], 0) / counts.length
    expect(mean(0)).toBeLessThan(2)
    expect(mean(1)).toBeLessThan(3)
  })

  it('change two shards when a post is published', () => {
    const ids = idsOf(10_000)
    expect(changed(shardsOf(ids, 4), shardsOf(ids, 3))).toEqual([2, 2])
  })
})
