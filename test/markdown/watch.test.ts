// When a job is late.
// Knows no clock.
import { expect, it } from 'vitest'
import { Watch } from '../../src/markdown/watch.ts'

it.each([
  ['the same job for too long', [4, 4, 4, 4], [false, false, false, true]],
  ['a job that ends in time', [4, 4, 4, 5, 5, 5], [false, false, false, false, false, false]],
  ['no job', [0, 0, 0, 0, 0], [false, false, false, false, false]],
  ['a job, none, and a job', [4, 4, 4, 0, 4, 4], [false, false, false, false, false, false]],
])('sees %s', (_, jobs, late) => {
  const watch = new Watch(30)
  expect(jobs.map((job) => watch.isLate(job, 10))).toEqual(late)
})

it('counts only the time that went by', () => {
  const watch = new Watch(30)
  expect([99, 1, 1, 27, 1].map((ms) => watch.isLate(4, ms))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})
