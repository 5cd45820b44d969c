// The module of a render thread.
import type { Outcome, RenderTask } from './pool.ts'
import { diagnose } from './problem.ts'
import { parsersOf } from './processor.ts'
import { renderMarkdown } from './render.ts'

/** Renders a batch. */
export default async function renderBatch({
  jobs,
  markdown,
}: RenderTask): Promise<readonly Outcome[]> {
  const { math, singleTilde } = markdown
  const syntax = math ? (await import('remark-math')).default : undefined
  const parsers = parsersOf(singleTilde, syntax)
  return jobs.map((job) => {
    const options = job.isMdx === true ? { ...markdown, mdx: true } : markdown
    const { problems, ...body } = renderMarkdown(job.body, options, parsers)
    const diagnostics = diagnose(job, problems)
    const { key } = job
    if (diagnostics.some(({ severity }) => severity === 'error')) return { key, diagnostics }
    return { key, diagnostics, body: { ...body, markdown: job.body } }
  })
}
