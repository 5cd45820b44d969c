// Work that pauses for bytes: at once where they are at hand, later where they must be fetched.
import type { Awaitable } from '../api/snapshot.ts'

/** Yields reads that may go on side by side, is given what they read in the same order. */
export type Steps<Result> = Generator<readonly Awaitable<unknown>[], Result, readonly Uint8Array[]>

/** Runs to the end; a promise only where a read gave one. */
export function runSteps<Result>(
  steps: Steps<Result>,
  given: readonly Uint8Array[] = [],
): Awaitable<Result> {
  let step = steps.next(given)
  while (step.done !== true) {
    const reads = step.value
    if (reads.some((read) => read instanceof Promise)) {
      return Promise.all(reads).then((bytes) => runSteps(steps, bytes as Uint8Array[]))
    }
    step = steps.next(reads as readonly Uint8Array[])
  }
  return step.value
}
