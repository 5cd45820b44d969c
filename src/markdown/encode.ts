// Renders a job to the bytes that are cached.
import { fragmentOf } from '../cache/digested.ts'
import { isError } from '../diagnostics.ts'
import { diagnose } from './diagnose.ts'
import { failedProblem } from './failures.ts'
import type { Outcome, RenderedBody, RenderJob } from './job.ts'
import type { MarkdownOptions } from './options.ts'
import { type Rendered, renderMarkdown } from './render.ts'
import { StageNeeded, type Stages } from './stages.ts'

/**
 * Renders a job. A fault of the renderer becomes the error `render-failed`.
 *
 * @throws StageNeeded when the job needs a part of the renderer that is not loaded; nothing else
 */
export function renderJob(job: RenderJob, options: MarkdownOptions, stages: Stages): Outcome {
  const { html, text, files, problems } = renderSafely(job.body, optionsOf(job, options), stages)
  const diagnostics = diagnose(job, problems)
  const { key } = job
  if (diagnostics.some(isError)) return { key, diagnostics }
  return { key, diagnostics, body: { ...encodeBody(html, job.body, text), files } }
}

function optionsOf({ isMdx }: RenderJob, options: MarkdownOptions): MarkdownOptions {
  return isMdx === true ? { ...options, mdx: true } : options
}

function renderSafely(body: string, options: MarkdownOptions, stages: Stages): Rendered {
  try {
    return renderMarkdown(body, options, stages)
  } catch (error) {
    if (error instanceof StageNeeded) throw error
    return { html: '', text: '', files: null, problems: [failedProblem(error)] }
  }
}

function encodeBody(html: string, markdown: string, text: string): Omit<RenderedBody, 'files'> {
  return {
    html: fragmentOf(JSON.stringify(html)),
    markdown: fragmentOf(JSON.stringify(markdown)),
    text: fragmentOf(text),
  }
}
