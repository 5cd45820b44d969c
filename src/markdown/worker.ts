// The thread that renders: batches of jobs in, packed outcomes out, and which job is under way in between. In any other
// thread it renders a job when it is called, and does nothing else.
// Knows nothing of budgets: the main thread watches it, and ends it.
import { parentPort, workerData } from 'node:worker_threads'
import { renderJob } from './encode.ts'
import type { Outcome, RenderJob } from './job.ts'
import { pack } from './packing.ts'
import { type BatchMessage, renderRole, type WorkerSetup } from './protocol.ts'

export { renderJob }

if (isOurs(workerData)) serve(workerData)

/** A program that builds may do so in a thread of its own, with data of its own. */
function isOurs(data: Partial<WorkerSetup> | null): data is WorkerSetup {
  return data?.role === renderRole
}

function serve({ progress, isTimed }: WorkerSetup): void {
  parentPort?.on('message', ({ first, jobs }: BatchMessage) => {
    const outcomes = jobs.map((job, index) => {
      Atomics.store(progress, 0, first + index)
      return isTimed ? timed(job) : renderJob(job)
    })
    Atomics.store(progress, 0, 0)
    const packed = pack(outcomes)
    parentPort?.postMessage(packed, [packed.buffer])
  })
}

function timed(job: RenderJob): Outcome {
  const started = performance.now()
  return { ...renderJob(job), milliseconds: performance.now() - started }
}
