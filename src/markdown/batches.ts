// Groups jobs for a worker: enough of them that a message costs nothing, few enough to share the work out.
// Knows nothing of workers.
import type { RenderJob, RenderJobs } from './job.ts'

/** Jobs that go to a worker together; at least one. */
export interface Batch {
  readonly jobs: readonly RenderJob[]
  /** The size of its bodies; a `suspect` is one job that is run again, alone. */
  readonly kind: 'small' | 'large' | 'suspect'
}

/** The longest body that counts as small, in UTF-16 code units. */
export const smallBodyMax: number = 32 * 1024

/** The most jobs of one batch. */
const batchJobsMax = 32

/**
 * Groups jobs of one kind in order. They are pulled only as a batch is asked for.
 *
 * @param batchBytes a batch is full with so many UTF-16 code units of source; one job may be larger
 */
export async function* batchesOf(
  jobs: RenderJobs,
  batchBytes: number,
): AsyncGenerator<Batch, void, undefined> {
  const small = new OpenBatch('small')
  const large = new OpenBatch('large')
  for await (const job of jobs) {
    const open = job.body.length <= smallBodyMax ? small : large
    open.add(job)
    if (open.isFull(batchBytes)) yield open.take()
  }
  yield* taken(small, large)
}

function* taken(...batches: readonly OpenBatch[]): Generator<Batch, void, undefined> {
  for (const open of batches) {
    if (!open.isEmpty) yield open.take()
  }
}

/**
 * What is left of a batch around one of its jobs, which its worker did not survive.
 *
 * @returns the jobs before, which are lost with the worker, and those after; no empty batch
 */
export function batchesAround({ jobs, kind }: Batch, index: number): readonly Batch[] {
  return [jobs.slice(0, index), jobs.slice(index + 1)]
    .filter((rest) => rest.length > 0)
    .map((rest) => ({ jobs: rest, kind }))
}

class OpenBatch {
  readonly #kind: Batch['kind']
  #jobs: RenderJob[] = []
  #size = 0

  constructor(kind: Batch['kind']) {
    this.#kind = kind
  }

  get isEmpty(): boolean {
    return this.#jobs.length === 0
  }

  add(job: RenderJob): void {
    this.#jobs.push(job)
    this.#size += job.body.length
  }

  isFull(batchBytes: number): boolean {
    return this.#size >= batchBytes || this.#jobs.length >= batchJobsMax
  }

  take(): Batch {
    const jobs = this.#jobs
    this.#jobs = []
    this.#size = 0
    return { jobs, kind: this.#kind }
  }
}
