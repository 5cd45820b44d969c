// The one Markdown processor: CommonMark and GitHub's extensions in, sanitised HTML out.
// Knows nothing of what is wrong with a body, nor of threads.
import { defaultSchema, type Schema } from 'hast-util-sanitize'
import type { Root } from 'mdast'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { sparingLiteralLinks } from './literal-links.ts'
import { mayHaveMail, withoutMail, withTables } from './rare-constructs.ts'
import { noteDestinations } from './spans.ts'
import { TableLines } from './table-lines.ts'

/**
 * What may stay in the HTML: GitHub's rules.
 *
 * No prefix is put before ids, because footnotes bring their own: with a second one their links were dead.
 * Only footnotes can have ids, since raw HTML is left out.
 */
export const schema: Schema = { ...defaultSchema, clobberPrefix: '' }

/** Of the body that is parsed. */
const lines = new TableLines()

/** @param hasMail false for bodies that have no address of mail */
function makeProcessor(hasMail: boolean) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withTreeExtensions)
    .use(withSyntax, { hasMail })
    .use(remarkHtml, { sanitize: schema })
    .freeze()
}

function withTreeExtensions(this: Processor): void {
  const data: { fromMarkdownExtensions?: unknown[] } = this.data()
  const given = data.fromMarkdownExtensions ?? []
  data.fromMarkdownExtensions = [...given.map(sparingLiteralLinks), noteDestinations]
}

function withSyntax(this: Processor, { hasMail }: { readonly hasMail: boolean }): void {
  const data: { micromarkExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = (data.micromarkExtensions ?? [])
    .map((extension) => withTables(extension, lines))
    .map((extension) => (hasMail ? extension : withoutMail(extension)))
}

const wholeProcessor = makeProcessor(true)
const processorWithoutMail = makeProcessor(false)

/**
 * The syntax tree of a body: the one of CommonMark and GitHub's extensions, whatever need not be tried.
 * Throws RangeError when nesting overflows the stack.
 */
export function parseMarkdown(body: string): Root {
  lines.look(body)
  return (mayHaveMail(body) ? wholeProcessor : processorWithoutMail).parse(body)
}

/** Sanitised HTML of a tree, well-formed. Throws RangeError when nesting overflows the stack. */
export function htmlOf(tree: Root): string {
  return wholeProcessor.stringify(tree)
}
