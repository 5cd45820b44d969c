// The input and the output of a render pool: one body, and its outcome.
import type { Fragment } from '../api/fragment.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { FileTargets } from './file-targets.ts'

/** One body to render. */
export interface RenderJob {
  /** The caller's name for it, repeated in the outcome. */
  readonly key: number
  /** Path below the content folder, with `/`. */
  readonly file: string
  /** Markdown without front matter. */
  readonly body: string
  /** Line of the file on which `body` begins, from 1. */
  readonly bodyLine: number
  /** It is MDX, whatever the site's options say. @default false */
  readonly isMdx?: boolean
}

/** Jobs as they come. */
export type RenderJobs = Iterable<RenderJob> | AsyncIterable<RenderJob>

/**
 * Parts of a rendered body: HTML and Markdown as JSON string literals, quotes included, and the visible text
 * (`visibleText`). All are UTF-8.
 */
export const bodyParts = ['html', 'markdown', 'text'] as const

/** A part of a rendered body. */
export type BodyPart = (typeof bodyParts)[number]

/** A rendered body; its parts are views on a buffer that the bodies of one batch share. */
export interface RenderedBody extends Readonly<Record<BodyPart, Fragment>> {
  /** Destinations that may mean files, which are marked in the HTML; null for none. */
  readonly files: FileTargets | null
}

/** The outcome of one job. */
export interface Outcome {
  /** The job's key. */
  readonly key: number
  /** Absent when one of the diagnostics is an error. */
  readonly body?: RenderedBody
  /** The time that rendering took in the thread; only where it was requested. */
  readonly milliseconds?: number
  /** Sorted. */
  readonly diagnostics: readonly Diagnostic[]
}
