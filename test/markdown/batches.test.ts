// How jobs are grouped.
// Knows nothing of workers.

import { describe, expect, it } from 'vitest'
import { type Batch, batchesAround, batchesOf } from '../../src/markdown/batches.ts'
import fc from '../support/fast-check.ts'
import { collect } from './collect.ts'

function jobsOf(sizes: readonly number[]) {
  return sizes.map((size, key) => ({ key, file: '', body: 'a'.repeat(size), bodyLine: 1 }))
}

const keysOf = (batches: readonly Batch[]) => batches.map(({ jobs }) => jobs.map(({ key }) => key))

describe('batches', () => {
  it.each([
    ['close when they are full', [5, 5, 5], 10, [[0, 1], [2]]],
    ['hold one job that is larger than they are', [50, 1], 10, [[0], [1]]],
    ['are none for no jobs', [], 10, []],
  ])('%s', async (_, sizes, batchBytes, keys) => {
    expect(keysOf(await collect(batchesOf(jobsOf(sizes), batchBytes)))).toEqual(keys)
  })

  it('hold every job once, and not too many', async () => {
    const sizes = fc.array(fc.oneof(fc.nat(20), fc.constant(40_000)), { maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(sizes, fc.integer({ min: 1, max: 100 }), async (given, batchBytes) => {
        const batches = keysOf(await collect(batchesOf(jobsOf(given), batchBytes)))
        expect(batches.flat().toSorted((a, b) => a - b)).toEqual([...given.keys()])
        expect(Math.max(0, ...batches.map((batch) => batch.length))).toBeLessThanOrEqual(32)
      }),
    )
  })

  it('are pulled only when they are asked for', async () => {
    let pulled = 0
    function* jobs() {
      for (const job of jobsOf([5, 5, 5, 5])) {
        pulled += 1
        yield job
      }
    }
    const batches = batchesOf(jobs(), 10)
    expect(pulled).toBe(0)
    await batches.next()
    expect(pulled).toBe(2)
  })
})

describe('what is left around a job', () => {
  it.each([
    [0, [[1, 2]]],
    [1, [[0], [2]]],
    [2, [[0, 1]]],
  ])('at %i is all others', (index, keys) => {
    expect(keysOf(batchesAround({ jobs: jobsOf([1, 1, 1]) }, index))).toEqual(keys)
  })
})
