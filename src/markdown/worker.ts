// The thread that renders: batches of jobs in, packed outcomes out, and which job is under way in between.
// Knows nothing of budgets: the main thread watches it, and ends it.
import { parentPort, workerData } from 'node:worker_threads'
import { renderJob } from './encode.ts'
import type { Outcome, RenderJob } from './job.ts'
import { pack } from './packing.ts'
import type { BatchMessage, WorkerSetup } from './protocol.ts'

const { progress, isTimed } = workerData as WorkerSetup

parentPort?.on('message', ({ first, jobs }: BatchMessage) => {
  const outcomes = jobs.map((job, index) => {
    Atomics.store(progress, 0, first + index)
    return isTimed ? timed(job) : renderJob(job)
  })
  Atomics.store(progress, 0, 0)
  const packed = pack(outcomes)
  parentPort?.postMessage(packed, [packed.buffer])
})

function timed(job: RenderJob): Outcome {
  const started = performance.now()
  return { ...renderJob(job), milliseconds: performance.now() - started }
}
