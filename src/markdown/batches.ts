// Groups jobs for a worker: enough of them that a message costs nothing, few enough to share the work out.
// Knows nothing of workers.
import type { RenderJob } from './job.ts'

/** Jobs that go to a worker together; at least one. */
export interface Batch {
  readonly jobs: readonly RenderJob[]
  /** One suspect job, to be run alone in a fresh worker. */
  readonly isRetry: boolean
}

/** The most jobs of one batch. */
export const batchJobsMax = 32

/**
 * Groups jobs in order. They are pulled only as a batch is asked for.
 *
 * @param batchBytes a batch is full with so many UTF-16 code units of source; one job may be larger
 */
export async function* batchesOf(
  jobs: Iterable<RenderJob> | AsyncIterable<RenderJob>,
  batchBytes: number,
): AsyncGenerator<Batch, void, undefined> {
  let batch: RenderJob[] = []
  let size = 0
  for await (const job of jobs) {
    batch.push(job)
    size += job.body.length
    if (size < batchBytes && batch.length < batchJobsMax) continue
    yield { jobs: batch, isRetry: false }
    batch = []
    size = 0
  }
  if (batch.length > 0) yield { jobs: batch, isRetry: false }
}

/**
 * What is left of a batch around one of its jobs, which its worker did not survive.
 *
 * @returns the jobs before, which are lost with the worker, and those after; no empty batch
 */
export function batchesAround({ jobs }: Batch, index: number): readonly Batch[] {
  return [jobs.slice(0, index), jobs.slice(index + 1)]
    .filter((rest) => rest.length > 0)
    .map((rest) => ({ jobs: rest, isRetry: false }))
}
