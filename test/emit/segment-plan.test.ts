import { describe, expect, it } from 'vitest'
import { planSegments } from '../../src/emit/segment-plan.ts'
import fc from '../support/fast-check.ts'

/** Ids of so many posts, latest first. */
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `id-${count - index}`)

/** Each shard as the ids in it. */
const shardsOf = (ids: readonly string[], scheduled = 0): readonly string[] =>
  planSegments(ids, scheduled).flatMap(({ shards }) =>
    shards.map(({ start, end }) => ids.slice(start, end).join(' ')),
  )

describe('segments', () => {
  it('hold every post once, in publication order, and scheduled posts apart', () => {
    fc.assert(
      fc.property(fc.nat({ max: 3000 }), fc.nat({ max: 3000 }), (count, some) => {
        const scheduled = Math.min(count, some)
        const segments = planSegments(idsOf(count), scheduled)
        const shards = segments.flatMap(({ shards }) => shards)
        const ordinals = shards.flatMap(({ start, end }) =>
          Array.from({ length: end - start }, (_, at) => start + at),
        )
        expect(ordinals).toEqual(idsOf(count).map((_, ordinal) => ordinal))
        for (const { start, end } of shards) expect(end).toBeGreaterThan(start)
        const published = segments.find(({ isIndexed }) => isIndexed)
        expect(published?.shards[0]?.start ?? count).toBe(scheduled)
        expect(segments.length).toBe(Number(scheduled > 0) + Number(count > scheduled))
      }),
      { numRuns: 100 },
    )
  })

  it('have shards of a few hundred posts, but for the one with the latest', () => {
    const [segment] = planSegments(idsOf(50_000), 0)
    const sizes = segment?.shards.map(({ start, end }) => end - start) ?? []
    expect(Math.min(...sizes.slice(1))).toBeGreaterThanOrEqual(192)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(384)
    expect(50_000 / sizes.length).toBeGreaterThan(220)
  })

  it('change one shard, seldom more, when a post comes or goes', () => {
    const ids = idsOf(10_000)
    const before = new Set(shardsOf(ids))
    const counts = Array.from({ length: 100 }, (_, index) => {
      const at = 37 + index * 97
      const after = index % 2 === 0 ? ids.toSpliced(at, 1) : ids.toSpliced(at, 0, 'new')
      return shardsOf(after).filter((shard) => !before.has(shard)).length
    })
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(3)
  })

  it('change two shards when a post is published', () => {
    const ids = idsOf(10_000)
    const before = new Set(shardsOf(ids, 4))
    expect(shardsOf(ids, 3).filter((shard) => !before.has(shard))).toHaveLength(2)
  })
})
