// The module of a render thread: takes a batch of jobs, returns packed outcomes, and publishes the current job.
import { renderJob } from './encode.ts'
import type { Outcome, RenderJob } from './job.ts'
import { type Packed, pack } from './packing.ts'
import type { RenderTask } from './render-workers.ts'
import { type Stages, withStages } from './stages.ts'

export { renderJob, withStages }

/** Loaded with the first body that needs them. */
const stages: Stages = {}

/** Renders a batch. */
export default async function render({ jobs, progress, markdown }: RenderTask): Promise<Packed> {
  const outcomes: Outcome[] = []
  const renderOne = (job: RenderJob) => withStages(stages, () => renderJob(job, markdown, stages))
  for (const [index, job] of jobs.entries()) {
    Atomics.store(progress, 0, index + 1)
    outcomes.push(await renderOne(job))
  }
  return pack(outcomes)
}
