// Markdown rendered as by a site without a configuration.
import remarkMath from 'remark-math'
import { positionsIn } from '../../src/content/source.ts'
import type { Position, Problem } from '../../src/diagnostics.ts'
import { type MarkdownOptions, markdownDefaults } from '../../src/markdown/options.ts'
import { parsersOf } from '../../src/markdown/processor.ts'
import { type Rendered, renderMarkdown as render } from '../../src/markdown/render.ts'

interface RenderedBody extends Omit<Rendered, 'problems'> {
  readonly problems: readonly (Problem & Position)[]
}

/** A body rendered with the defaults, but for the given options; its problems with lines and columns. */
export function renderMarkdown(body: string, options: Partial<MarkdownOptions> = {}): RenderedBody {
  const all = { ...markdownDefaults, ...options }
  const parsers = parsersOf(all.singleTilde, all.math ? remarkMath : undefined)
  const { problems, ...rest } = render(body, all, parsers)
  const positionOf = positionsIn(body)
  return { ...rest, problems: problems.map((one) => ({ ...one, ...positionOf(one.offset) })) }
}
