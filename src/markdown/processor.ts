// The one Markdown processor: CommonMark and GitHub's extensions in, sanitised HTML out.
// Knows nothing of what is wrong with a body, nor of threads.
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { noteDestinations } from './spans.ts'

/**
 * What may stay in the HTML: GitHub's rules.
 *
 * No prefix is put before ids, because footnotes bring their own: with a second one their links were dead.
 * Only footnotes can have ids, since raw HTML is left out.
 */
export const schema: Schema = { ...defaultSchema, clobberPrefix: '' }

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(withDestinations)
  .use(remarkHtml, { sanitize: schema })
  .freeze()

function withDestinations(this: Processor): void {
  const data: { fromMarkdownExtensions?: unknown[] } = this.data()
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), noteDestinations]
}

/** The syntax tree of a body. Throws RangeError when nesting overflows the stack. */
export function parseMarkdown(body: string): Root {
  return processor.parse(body)
}

/** Sanitised HTML of a tree, well-formed. Throws RangeError when nesting overflows the stack. */
export function htmlOf(tree: Root): string {
  return processor.stringify(tree)
}
