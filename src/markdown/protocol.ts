// What the main thread and a render worker tell each other; answers are `Packed`, in the order asked.
// Knows nothing of either side.
import type { RenderJob } from './job.ts'
import type { MarkdownOptions } from './options.ts'

/** What a thread is for that was started to render. */
export const renderRole = 'quarry-render'

/** Given to a worker at its start. */
export interface WorkerSetup {
  readonly role: typeof renderRole
  /**
   * One shared number: which job is under way, counted from 1 over all that this worker was sent;
   * 0 between batches.
   */
  readonly progress: Int32Array
  /** Says of every outcome how long it took. */
  readonly isTimed: boolean
  readonly markdown: MarkdownOptions
}

/** One batch for a worker. */
export interface BatchMessage {
  /** The number of the first job; the others follow. */
  readonly first: number
  readonly jobs: readonly RenderJob[]
}
