// Markdown rendered as by a site without a configuration.
import { type MarkdownOptions, markdownDefaults } from '../../src/markdown/options.ts'
import { type Rendered, renderMarkdown as render } from '../../src/markdown/render.ts'

/** A body rendered with the defaults, but for the given options. */
export function renderMarkdown(body: string, options: Partial<MarkdownOptions> = {}): Rendered {
  return render(body, { ...markdownDefaults, ...options })
}

/** A table that is as many cells wide as it has rows, each row but the first with one cell written. */
export function wideTable(size: number): string {
  const row = (cell: string) => `|${`${cell}|`.repeat(size)}\n`
  return row('a') + row('-') + 'a\n'.repeat(size)
}
