// The module of a render thread. Its options are the data of the thread, or the defaults outside a thread.
import { workerData } from 'node:worker_threads'
import { type MarkdownOptions, markdownDefaults } from './options.ts'
import type { Outcome, RenderJob } from './pool.ts'
import { diagnose } from './problem.ts'
import { parsersOf } from './processor.ts'
import { renderMarkdown } from './render.ts'

const [, given]: readonly [unknown?, MarkdownOptions?] = workerData ?? []
const markdown = given ?? markdownDefaults
const syntax = markdown.math ? (await import('remark-math')).default : undefined
const parsers = parsersOf(markdown.singleTilde, syntax)

/** Renders a body. */
export default function renderJob(job: RenderJob): Outcome {
  const options = job.isMdx === true ? { ...markdown, mdx: true } : markdown
  const { problems, ...body } = renderMarkdown(job.body, options, parsers)
  const diagnostics = diagnose(job, problems)
  const { key } = job
  if (diagnostics.some(({ severity }) => severity === 'error')) return { key, diagnostics }
  return { key, diagnostics, body: { ...body, markdown: job.body } }
}
