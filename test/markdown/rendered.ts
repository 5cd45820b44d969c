// Markdown rendered as by a site without a configuration.
import remarkMath from 'remark-math'
import { type MarkdownOptions, markdownDefaults } from '../../src/markdown/options.ts'
import { parsersOf } from '../../src/markdown/processor.ts'
import { type Rendered, renderMarkdown as render } from '../../src/markdown/render.ts'

/** A body rendered with the defaults, but for the given options. */
export function renderMarkdown(body: string, options: Partial<MarkdownOptions> = {}): Rendered {
  const all = { ...markdownDefaults, ...options }
  return render(body, all, parsersOf(all.singleTilde, all.math ? remarkMath : undefined))
}
