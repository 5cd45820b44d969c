// The one Markdown processor: CommonMark and GitHub's extensions in, a syntax tree and sanitised HTML out.
import type { Root as HtmlRoot } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import type { Root } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import {
  mayHaveMail,
  sparingLiteralLinks,
  TableLines,
  withoutMail,
  withTables,
} from './rare-constructs.ts'
import { schema } from './schema.ts'
import { noteDestinations } from './spans.ts'

/** The lines of the body that is parsed. */
const lines = new TableLines()

/** @param hasMail false for bodies that have no address of mail */
function makeProcessor(hasMail: boolean) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withTreeExtensions)
    .use(withSyntax, { hasMail })
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

/** A parser of Markdown with more syntax. @param plugin that adds it */
export function parserWith(plugin: (this: Processor) => void): (body: string) => Root {
  const processor = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withTreeExtensions)
    .use(plugin)
    .use(withSyntax, { hasMail: true })
    .freeze()
  return (body) => {
    lines.look(body)
    return processor.parse(body)
  }
}

/**
 * The HTML tree of a Markdown tree, not yet sanitised. Throws RangeError when nesting overflows the stack.
 *
 * @param hasRaw raw HTML is in it as nodes of the type `raw`, which no sanitised tree has; otherwise it is left out
 */
export function htmlTreeOf(tree: Root, hasRaw = false): HtmlRoot {
  return toHast(tree, { allowDangerousHtml: hasRaw }) as HtmlRoot
}

/** The part of an HTML tree that its schema allows, as a tree of its own. Throws RangeError when nesting overflows the stack. */
export function sanitized(tree: HtmlRoot): HtmlRoot {
  return sanitize(tree, schema) as HtmlRoot
}

/** HTML of a sanitised tree, well-formed, with a line end at its end. Throws RangeError when nesting overflows the stack. */
export function serialized(tree: HtmlRoot): string {
  const html = toHtml(tree)
  return html === '' || /[\r\n]$/.test(html) ? html : `${html}\n`
}
