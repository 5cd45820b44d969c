// The Markdown processor: parses CommonMark with GitHub's extensions into a syntax tree, and renders sanitised HTML.
import type { Root as HtmlRoot } from 'hast'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import type { Root } from 'mdast'
import { toHast } from 'mdast-util-to-hast'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import { type Processor, unified } from 'unified'
import { tagEnd } from '../snapshot/visible-text.ts'
import { escapeBrackets } from './file-targets.ts'
import { schema } from './schema.ts'
import { noteDestinations } from './spans.ts'

const processor = unified().use(remarkParse).use(remarkGfm).use(withDestinations).freeze()

function withDestinations(this: Processor): void {
  const data: { fromMarkdownExtensions?: unknown[] } = this.data()
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), noteDestinations]
}

/** Parses a body as CommonMark with GitHub's extensions. Throws RangeError when nesting overflows the stack. */
export function parseMarkdown(body: string): Root {
  return processor.parse(body)
}

/** Returns a Markdown parser with more syntax. @param plugin adds the syntax */
export function parserWith(plugin: (this: Processor) => void): (body: string) => Root {
  const extended = unified()
    .use(remarkParse)
    .use(remarkGfm)
    .use(withDestinations)
    .use(plugin)
    .freeze()
  return (body) => extended.parse(body)
}

/**
 * Converts a Markdown tree to an HTML tree, not yet sanitised. Throws RangeError when nesting overflows the stack.
 *
 * @param hasRaw keeps raw HTML as nodes of the type `raw`, which no sanitised tree has. @default removes it
 */
export function htmlTreeOf(tree: Root, hasRaw = false): HtmlRoot {
  return toHast(tree, { allowDangerousHtml: hasRaw }) as HtmlRoot
}

/** Returns a sanitised copy of an HTML tree. Throws RangeError when nesting overflows the stack. */
export function sanitized(tree: HtmlRoot): HtmlRoot {
  return sanitize(tree, schema) as HtmlRoot
}

/**
 * Serializes a sanitised tree as well-formed HTML with a final line end. `<` and `>` are escaped in attribute values
 * too, as sites embed the HTML in elements that end at any `</script>` or `</noscript>`. Throws RangeError when nesting
 * overflows the stack.
 */
export function serialized(tree: HtmlRoot): string {
  const html = withEscapedValues(toHtml(tree))
  return html === '' || /[\r\n]$/.test(html) ? html : `${html}\n`
}

/** Escapes `<` and `>` within tags: only attribute values contain them there, and text contains no `<`. */
function withEscapedValues(html: string): string {
  let escaped = ''
  let from = 0
  for (let tag = html.indexOf('<'); tag !== -1; tag = html.indexOf('<', from)) {
    const end = tagEnd(html, tag)
    escaped += `${html.slice(from, tag + 1)}${escapeBrackets(html.slice(tag + 1, end - 1))}>`
    from = end
  }
  return escaped + html.slice(from)
}
