// The threads that render, as a build or a loader has them: apart from what loads, so that they can be started while
// the code of that is still being read.
import { InlineRenderer } from '../markdown/inline-renderer.ts'
import type { MarkdownOptions } from '../markdown/options.ts'
import { createRenderPool, type RenderPool } from '../markdown/pool.ts'
import type { Trace } from './trace.ts'

export type { RenderPool }

/** The options of threads. */
export interface ThreadOptions {
  /** The most threads that render; undefined for one a core. */
  readonly workers?: number | undefined
  readonly trace?: Trace | undefined
  /** There is likely so little to render that no thread is worth its start. @default false */
  readonly isSmall?: boolean | undefined
  readonly markdown: MarkdownOptions
}

/** Threads that render; none is started yet. */
export function renderThreads({
  workers,
  trace,
  isSmall = false,
  markdown,
}: ThreadOptions): RenderPool {
  const isTimed = trace?.onBody !== undefined
  const threads = createRenderPool({
    ...(workers === undefined ? {} : { workers }),
    isTimed,
    markdown,
  })
  return isSmall ? new InlineRenderer(threads, { isTimed, markdown }) : threads
}
