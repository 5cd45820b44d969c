// The input and output of a render pool: a body and its outcome.
import type { Fragment } from '../api/fragment.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { FileTargets } from './file-targets.ts'

/** A body to render. */
export interface RenderJob {
  /** The caller's identifier, repeated in the outcome. */
  readonly key: number
  /** Path relative to the content folder, with `/`. */
  readonly file: string
  /** Markdown without front matter. */
  readonly body: string
  /** The first line of `body` in the file, from 1. */
  readonly bodyLine: number
  /** True for MDX, regardless of the site's options. @default false */
  readonly isMdx?: boolean
}

/** Jobs, as an iterable. */
export type RenderJobs = Iterable<RenderJob> | AsyncIterable<RenderJob>

/**
 * Parts of a rendered body, all UTF-8: HTML and Markdown as JSON string literals including quotes, and the visible
 * text (`visibleText`).
 */
export const bodyParts = ['html', 'markdown', 'text'] as const

/** A part of a rendered body. */
export type BodyPart = (typeof bodyParts)[number]

/** A rendered body; its parts are views of a buffer shared by the bodies of a batch. */
export interface RenderedBody extends Readonly<Record<BodyPart, Fragment>> {
  /** Destinations that may refer to files, marked in the HTML; null for none. */
  readonly files: FileTargets | null
}

/** The outcome of a job. */
export interface Outcome {
  /** The job's key. */
  readonly key: number
  /** Absent when a diagnostic is an error. */
  readonly body?: RenderedBody
  /** Sorted. */
  readonly diagnostics: readonly Diagnostic[]
}
