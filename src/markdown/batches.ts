// Groups jobs for workers: large enough to amortize a message, small enough to balance the load.
import type { RenderJob, RenderJobs } from './job.ts'

/** Jobs that are sent to a worker together. */
export interface Batch {
  readonly jobs: readonly RenderJob[]
  /** A single job that is retried alone. @default false */
  readonly isQuarantined?: boolean
}

/** Maximum number of jobs per batch. */
const batchJobsMax = 32

/**
 * Groups jobs in order. Jobs are pulled only with their batch.
 *
 * @param batchBytes source per batch, in UTF-16 code units; a single job may be larger
 */
export async function* batchesOf(
  jobs: RenderJobs,
  batchBytes: number,
): AsyncGenerator<Batch, void, undefined> {
  let open: RenderJob[] = []
  let size = 0
  for await (const job of jobs) {
    open.push(job)
    size += job.body.length
    if (size < batchBytes && open.length < batchJobsMax) continue
    yield { jobs: open }
    open = []
    size = 0
  }
  if (open.length > 0) yield { jobs: open }
}

/**
 * Splits a batch around the job that killed its worker.
 *
 * @returns the jobs before it, which were lost with the worker, and those after it; no empty batches
 */
export function batchesAround({ jobs }: Batch, index: number): readonly Batch[] {
  return [jobs.slice(0, index), jobs.slice(index + 1)]
    .filter((rest) => rest.length > 0)
    .map((rest) => ({ jobs: rest }))
}
