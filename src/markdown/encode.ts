// Renders one job into the bytes that are kept of it.
// Knows nothing of batches, nor of how bytes leave the thread.
import { pieceOf } from '../cache/digested.ts'
import { isError } from '../diagnostics.ts'
import { diagnose } from './diagnose.ts'
import { failedProblem } from './failures.ts'
import type { Outcome, RenderedBody, RenderJob } from './job.ts'
import { type Rendered, renderMarkdown } from './render.ts'

/** Renders a job. Never throws: a fault of the renderer is the error `render-failed`. */
export function renderJob(job: RenderJob): Outcome {
  const { html, text, files, problems } = renderSafely(job.body)
  const diagnostics = diagnose(job, problems)
  const { key } = job
  if (diagnostics.some(isError)) return { key, diagnostics }
  return { key, diagnostics, body: { ...encodeBody(html, job.body, text), files } }
}

function renderSafely(body: string): Rendered {
  try {
    return renderMarkdown(body)
  } catch (error) {
    return { html: '', text: '', files: null, problems: [failedProblem(error)] }
  }
}

function encodeBody(html: string, markdown: string, text: string): Omit<RenderedBody, 'files'> {
  return {
    html: pieceOf(JSON.stringify(html)),
    markdown: pieceOf(JSON.stringify(markdown)),
    text: pieceOf(text),
  }
}
