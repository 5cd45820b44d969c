// The processors of unified: remark-parse reads CommonMark with GitHub's extensions, remark-html writes HTML, parse5
// reads that as a browser does, and hast-util-sanitize and hast-util-to-html make the HTML that is served.
import type { ElementContent, Root as HtmlRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { sanitize } from 'hast-util-sanitize'
import { toHtml } from 'hast-util-to-html'
import type { Html, Root } from 'mdast'
import type { State } from 'mdast-util-to-hast'
import { parseFragment } from 'parse5'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkParse from 'remark-parse'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { recordDestinations } from './destinations.ts'
import { escapeBrackets } from './html.ts'
import { type Jsx, mdxSyntax } from './mdx-syntax.ts'
import { schema } from './schema.ts'

/** Not sanitised by remark-html: the tree is, after parse5 has read it. */
const htmlOptions = {
  sanitize: false,
  handlers: { html: rawOf, mdxJsxFlowElement: jsxRawOf, mdxJsxTextElement: jsxRawOf },
}

const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(recordDestinations)
  .use(remarkHtml, htmlOptions)
  .freeze()

const mdxProcessor = processor().use(mdxSyntax).freeze()

/** Parses a body as CommonMark with GitHub's extensions. Throws RangeError when nesting overflows the stack. */
export function parseMarkdown(body: string): Root {
  return processor.parse(body)
}

/** The same with the syntax of MDX, except statements. Throws a VFileMessage for a syntax error. */
export function parseMdx(body: string): Root {
  return mdxProcessor.parse(body)
}

/** Raw HTML in a Markdown tree: a fragment, or the start tag of an element written as JSX. */
export type RawNode = Html | Jsx

declare module 'mdast' {
  interface HtmlData {
    /** The HTML to keep, between two borders: see `browserTree`. Without it the node is left out. */
    bordered?: string
  }
}

/** A range of HTML that an author wrote. */
export interface AuthoredRange {
  /** Index of its node. */
  readonly node: number
  readonly start: number
  readonly end: number
}

/**
 * Converts a Markdown tree to HTML, and that to the tree that a browser makes of it; not sanitised.
 *
 * @param border a text that is in no body; it surrounds `{index of the node}:{raw HTML}`. null when no raw HTML is kept
 * @returns the tree, and the ascending ranges of raw HTML; with these, elements have the positions of their start tags
 *
 * Throws RangeError when nesting overflows the stack.
 */
export function browserTree(
  tree: Root,
  border: string | null,
): { readonly tree: HtmlRoot; readonly authored: readonly AuthoredRange[] } {
  // remark-html ends its HTML with a line end.
  const written = processor.stringify(tree).replace(/\n$/, '')
  if (border === null)
    return { tree: fromParse5(parseFragment(written, parserOptions)) as HtmlRoot, authored: [] }
  let html = ''
  const authored: AuthoredRange[] = []
  for (const [at, piece] of written.split(border).entries()) {
    const colon = at % 2 === 0 ? -1 : piece.indexOf(':')
    const start = html.length
    html += piece.slice(colon + 1)
    if (colon > 0) authored.push({ node: Number(piece.slice(0, colon)), start, end: html.length })
  }
  const fragment = parseFragment(html, { ...parserOptions, sourceCodeLocationInfo: true })
  return { tree: fromParse5(fragment, { file: new VFile(html) }) as HtmlRoot, authored }
}

/** The content of `noscript` is HTML. */
const parserOptions = { scriptingEnabled: false }

function rawOf(_: State, { data }: Html): ElementContent | undefined {
  return data?.bordered === undefined ? undefined : { type: 'raw', value: data.bordered }
}

/** One raw node, so that no line ends are put between the tags and the children. */
function jsxRawOf(state: State, node: Jsx): ElementContent {
  const children = toHtml({ type: 'root', children: state.all(node) }, { allowDangerousHtml: true })
  return { type: 'raw', value: `${node.data?.bordered ?? ''}${children}${node.data?.endTag ?? ''}` }
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
  // regex: every tag of the serializer ends, and so does every value
  return html.replace(/<((?:"[^"]*"|[^">])*)>/g, (_, tag: string) => `<${escapeBrackets(tag)}>`)
}
