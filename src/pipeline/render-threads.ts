// Creates the render threads of a build or a loader. Separate from the loader, so that threads start while its code
// is still loading.
import type { MarkdownOptions } from '../markdown/options.ts'
import { createRenderPool, type RenderPool } from '../markdown/pool.ts'

export type { RenderPool }

/** Options of `renderThreads`. */
export interface ThreadOptions {
  /** Maximum number of threads. @default one per core */
  readonly workers?: number | undefined
  readonly markdown: MarkdownOptions
}

/** Returns a pool of render threads, none started yet. */
export function renderThreads({ workers, markdown }: ThreadOptions): RenderPool {
  return createRenderPool({
    ...(workers === undefined ? {} : { workers }),
    markdown,
  })
}
