// The thread that renders: batches of jobs in, packed outcomes out, and which job is under way in between. In any other
// thread it renders a job when it is called, and does nothing else.
// Knows nothing of budgets: the main thread watches it, and ends it.
import { parentPort, workerData } from 'node:worker_threads'
import { renderJob } from './encode.ts'
import type { Outcome, RenderJob } from './job.ts'
import { pack } from './packing.ts'
import { type BatchMessage, renderRole, type WorkerSetup } from './protocol.ts'
import { type Stages, withStages } from './stages.ts'

export { renderJob, withStages }

if (isOurs(workerData)) serve(workerData)

/** A program that builds may do so in a thread of its own, with data of its own. */
function isOurs(data: Partial<WorkerSetup> | null): data is WorkerSetup {
  return data?.role === renderRole
}

function serve({ progress, isTimed, markdown }: WorkerSetup): void {
  const stages: Stages = {}
  const render = (job: RenderJob) => withStages(stages, () => renderJob(job, markdown, stages))
  // Batches are answered in the order of their arrival, also where one waits for a part of the renderer.
  let last = Promise.resolve()
  parentPort?.on('message', ({ first, jobs }: BatchMessage) => {
    last = last.then(async () => {
      const outcomes: Outcome[] = []
      for (const [index, job] of jobs.entries()) {
        Atomics.store(progress, 0, first + index)
        outcomes.push(await (isTimed ? timed(() => render(job)) : render(job)))
      }
      Atomics.store(progress, 0, 0)
      const packed = pack(outcomes)
      parentPort?.postMessage(packed, [packed.buffer])
    })
  })
}

async function timed(render: () => Promise<Outcome>): Promise<Outcome> {
  const started = performance.now()
  return { ...(await render()), milliseconds: performance.now() - started }
}
