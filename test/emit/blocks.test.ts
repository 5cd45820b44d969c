import { describe, expect, it } from 'vitest'
import { blockSizes, cutChunks } from '../../src/emit/blocks.ts'
import { caseCount } from '../support/cases.ts'
import fc from '../support/fast-check.ts'

/** Ids of so many posts, latest first. */
const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `id-${count - index}`)

/** Each block as the ids in it. */
const blocksOf = (ids: readonly string[]): readonly string[] =>
  cutChunks(ids, blockSizes).map((block) => block.map((ordinal) => ids[ordinal]).join(' '))

const changed = (before: readonly string[], after: readonly string[]): number => {
  const known = new Set(before)
  return after.filter((block) => !known.has(block)).length
}

describe('blocks of neighbours', () => {
  it('hold every post once, in publication order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), (count) => {
        const blocks = cutChunks(idsOf(count), blockSizes)
        const latestFirst = [...blocks].reverse().flat()
        expect(latestFirst).toEqual(Array.from({ length: count }, (_, index) => index))
      }),
      { numRuns: 30 },
    )
  })

  it('are neither small nor large, but for the one with the latest posts', () => {
    const sizes = cutChunks(idsOf(50_000), blockSizes).map(({ length }) => length)
    expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(64)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(384)
    expect(50_000 / sizes.length).toBeGreaterThan(96)
    expect(50_000 / sizes.length).toBeLessThan(160)
  })

  it('stay as they are but for one when a post is added at the top', () => {
    const counts: number[] = []
    for (let count = 900; count < 1100; count++)
      counts.push(changed(blocksOf(idsOf(count)), blocksOf(idsOf(count + 1))))
    expect(new Set(counts)).toEqual(new Set([1]))
  })

  it('stay as they are but for a few when a post is removed or comes between others', () => {
    const ids = idsOf(20_000)
    const before = blocksOf(ids)
    const places = caseCount(200, 20)
    const counts = Array.from({ length: places }, (_, index) => {
      const at = 37 + index * Math.floor(19_900 / places)
      const without = blocksOf(ids.toSpliced(at, 1))
      const within = blocksOf(ids.toSpliced(at, 0, `new-${at}`))
      return [changed(before, without), changed(before, within)]
    }).flat()
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(3)
    expect(Math.max(...counts)).toBeLessThan(25)
  })
})
