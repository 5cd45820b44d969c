// Computations that suspend for reads: synchronous when the bytes are in memory, asynchronous when they must be
// fetched.
import type { Awaitable } from '../api/snapshot.ts'

/** Yields reads that may run concurrently, and receives their results in the same order. */
export type Steps<Result> = Generator<readonly Awaitable<unknown>[], Result, readonly unknown[]>

/** Runs steps to their end; returns a promise only when a read did. */
export function runSteps<Result>(
  steps: Steps<Result>,
  given: readonly unknown[] = [],
): Awaitable<Result> {
  let step = steps.next(given)
  while (step.done !== true) {
    const reads = step.value
    if (reads.some((read) => read instanceof Promise)) {
      return Promise.all(reads).then((read) => runSteps(steps, read))
    }
    step = steps.next(reads)
  }
  return step.value
}
