// The module of a render thread.
import type { Outcome, RenderTask } from './pool.ts'
import { diagnose } from './problem.ts'
import { renderMarkdown } from './render.ts'

/** Renders a batch. */
export default function renderBatch({ jobs, markdown }: RenderTask): readonly Outcome[] {
  return jobs.map((job) => {
    const options = job.isMdx === true ? { ...markdown, mdx: true } : markdown
    const { problems, ...body } = renderMarkdown(job.body, options)
    const diagnostics = diagnose(job, problems)
    const { key } = job
    if (diagnostics.some(({ severity }) => severity === 'error')) return { key, diagnostics }
    return { key, diagnostics, body: { ...body, markdown: job.body } }
  })
}
