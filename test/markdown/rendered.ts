// Markdown rendered with every part of the renderer at hand.
import * as html from '../../src/markdown/authored-html.ts'
import * as mdxPart from '../../src/markdown/mdx.ts'
import { type MarkdownOptions, markdownDefaults } from '../../src/markdown/options.ts'
import { type Rendered, renderMarkdown as render } from '../../src/markdown/render.ts'
import { mdxStage, type Stages } from '../../src/markdown/stages.ts'

const parts: Stages = { html, mdx: mdxStage(mdxPart) }

/** A body rendered as a site without a configuration has it, but for what is given. */
export function renderMarkdown(
  body: string,
  options: Partial<MarkdownOptions> = {},
  stages: Stages = {},
): Rendered {
  return render(body, { ...markdownDefaults, ...options }, { ...parts, ...stages })
}
