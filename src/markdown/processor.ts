// The one Markdown processor: CommonMark and GitHub's extensions in, sanitised HTML out.
// Knows nothing of what is wrong with a body, nor of threads.
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { sparingLiteralLinks } from './literal-links.ts'
import { absentConstructs, withoutConstructs } from './rare-constructs.ts'
import { noteDestinations } from './spans.ts'

/**
 * What may stay in the HTML: GitHub's rules.
 *
 * No prefix is put before ids, because footnotes bring their own: with a second one their links were dead.
 * Only footnotes can have ids, since raw HTML is left out.
 */
export const schema: Schema = { ...defaultSchema, clobberPrefix: '' }

/** A processor that never tries some constructs of GitHub's extensions. */
function makeProcessor(absent: readonly string[]) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withTreeExtensions)
    .use(without, absent)
    .use(remarkHtml, { sanitize: schema })
    .freeze()
}

function withTreeExtensions(this: Processor): void {
  const data: { fromMarkdownExtensions?: unknown[] } = this.data()
  const given = data.fromMarkdownExtensions ?? []
  data.fromMarkdownExtensions = [...given.map(sparingLiteralLinks), noteDestinations]
}

function without(this: Processor, absent: readonly string[]): void {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) =>
    withoutConstructs(extension, absent),
  )
}

type MarkdownProcessor = ReturnType<typeof makeProcessor>

/** The one that tries everything. */
const wholeProcessor = makeProcessor([])

/** By the constructs that they never try; there are a handful. */
const processors = new Map<string, MarkdownProcessor>()

function processorFor(body: string): MarkdownProcessor {
  const absent = absentConstructs(body)
  const known = processors.get(absent.join())
  if (known !== undefined) return known
  const made = makeProcessor(absent)
  processors.set(absent.join(), made)
  return made
}

/**
 * The syntax tree of a body: the one of CommonMark and GitHub's extensions, whatever need not be tried.
 * Throws RangeError when nesting overflows the stack.
 */
export function parseMarkdown(body: string): Root {
  return processorFor(body).parse(body)
}

/** Sanitised HTML of a tree, well-formed. Throws RangeError when nesting overflows the stack. */
export function htmlOf(tree: Root): string {
  return wholeProcessor.stringify(tree)
}
