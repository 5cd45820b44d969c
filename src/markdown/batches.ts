// Groups jobs for a worker: enough of them that a message costs nothing, few enough to share the work out.
import type { RenderJob, RenderJobs } from './job.ts'

/** Jobs that go to a worker together. */
export interface Batch {
  readonly jobs: readonly RenderJob[]
  /** One job that is run again, alone. @default false */
  readonly isQuarantined?: boolean
}

/** The most jobs of one batch. */
const batchJobsMax = 32

/**
 * Groups jobs in order. They are pulled only when a batch is.
 *
 * @param batchBytes a batch is full with so many UTF-16 code units of source; one job may be larger
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
 * The rest of a batch around one of its jobs, which its worker did not survive.
 *
 * @returns the jobs before, which are lost with the worker, and those after; no empty batch
 */
export function batchesAround({ jobs }: Batch, index: number): readonly Batch[] {
  return [jobs.slice(0, index), jobs.slice(index + 1)]
    .filter((rest) => rest.length > 0)
    .map((rest) => ({ jobs: rest }))
}
