// When a job is late, told by looks and not by the clock.
// Knows nothing of time.
import { expect, it } from 'vitest'
import { Watch } from '../../src/markdown/watch.ts'

it.each([
  ['the same job too often', [4, 4, 4, 4], [false, false, false, true]],
  ['a job that ends in time', [4, 4, 4, 5, 5, 5], [false, false, false, false, false, false]],
  ['no job', [0, 0, 0, 0, 0], [false, false, false, false, false]],
  ['a job, none, and a job', [4, 4, 4, 0, 4, 4], [false, false, false, false, false, false]],
])('sees %s', (_, jobs, late) => {
  const watch = new Watch(3)
  expect(jobs.map((job) => watch.isLate(job))).toEqual(late)
})
