// The processors of unified: remark-parse reads CommonMark with GitHub's extensions, remark-html writes HTML, parse5
// reads it as a browser does, and hast-util-sanitize and hast-util-to-html make the served HTML.
import { hash } from 'node:crypto'
import type { Element, ElementContent, Root as HtmlRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { toHtml } from 'hast-util-to-html'
import type { Html, Nodes, Parents, Root } from 'mdast'
import { parseFragment } from 'parse5'
import remarkGfm from 'remark-gfm'
import remarkHtml, { type Options } from 'remark-html'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { type Plugin, type Processor, unified } from 'unified'
import { VFile } from 'vfile'
import { recordDestinations, type Span } from './destinations.ts'
import { escaped } from './html.ts'

/** The syntax of math, from remark-math, which is an optional package. */
export type MathSyntax = Plugin<[], Root>

const noMath: MathSyntax = () => undefined

/** Parsers of bodies. They throw RangeError when nesting overflows the stack. */
export interface Parsers {
  /** Parses CommonMark with GitHub's extensions. */
  markdown(body: string): Root
  /** Also parses the syntax of MDX. Throws a VFileMessage for a syntax error. */
  mdx(body: string): Root
}

/**
 * Returns the parsers of a site.
 *
 * @param singleTilde false keeps `~text~` as text
 * @param math syntax of TeX between dollar signs. @default dollar signs are text
 */
export function parsersOf(singleTilde = true, math: MathSyntax = noMath): Parsers {
  const base = () => unified().use(remarkParse).use(remarkGfm, { singleTilde }).use(math)
  const parserOf = (syntax: MathSyntax) => {
    const made = new Map<string, Pick<Processor<Root>, 'parse'>>()
    return (body: string) => {
      const absent = unusedConstructs(body)
      const key = absent.join()
      const own = made.get(key) ?? base().use(recordDestinations).use(syntax).use(disable, absent)
      made.set(key, own)
      return own.parse(body)
    }
  }
  return { markdown: parserOf(noMath), mdx: parserOf(remarkMdx) }
}

/** The parsers for the default options. */
export const parsers: Parsers = parsersOf()

/**
 * Returns constructs of GitHub's extensions that a body cannot contain. micromark tries email addresses at every word
 * and tables at every line, which takes 40 % of the time for prose (2026-11).
 */
function unusedConstructs(body: string): string[] {
  return [
    ...(/[\w.+-]@/.test(body) ? [] : ['emailAutolink']),
    // Each row below a head has a dash next to a colon or a bar.
    ...(/-[ \t]*[:|]|[:|][ \t]*-/.test(body) ? [] : ['table']),
  ]
}

/** A plugin that disables constructs of the syntax. */
function disable(this: Processor, absent: string[]): void {
  const data = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), { disable: { null: absent } }]
}

/** An element in JSX. */
export type JsxElement = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>

type State = Parameters<NonNullable<NonNullable<Options['handlers']>['html']>>[0]

/** HTML that an author wrote: pieces of text, each with its offset in the body. */
export type Pieces = readonly (readonly [text: string, offset: number])[]

declare module 'unist' {
  interface Data {
    /** The start tag of a kept JSX element, and its end tag, which may be empty. */
    tags?: readonly [start: Pieces, end: Pieces]
    /** The range of the destination of a link, an image or a definition. */
    destination?: Span
  }
}

/** The tree that a browser makes from HTML, and the HTML. */
export interface BrowserTree {
  readonly tree: HtmlRoot
  readonly html: string
  /** For each character of raw HTML its offset in the body, for other characters -1; null without raw HTML. */
  readonly origins: Int32Array | null
}

/**
 * Converts a Markdown tree to HTML, and the HTML to the tree of a browser, which is not sanitised.
 *
 * @param piecesOf returns the raw HTML of a node; null omits all raw HTML except the mark of an excerpt, and nodes then
 *   have no positions
 *
 * Throws RangeError when nesting overflows the stack.
 */
export function browserTree(
  tree: Root,
  body: string,
  piecesOf: ((node: Html) => Pieces) | null,
): BrowserTree {
  // No body contains its own hash.
  const border = hash('sha256', body)
  const all: Pieces[] = []
  const raw = (pieces: Pieces): ElementContent => {
    all.push(pieces)
    const value = pieces.map(([text]) => text).join('')
    return { type: 'raw', value: `${border}${value}${border}` }
  }
  const element = (state: State, node: JsxElement) => {
    const [start, end] = node.data?.tags ?? [[], []]
    const children = [raw(start), ...state.all(node), raw(end)]
    return { type: 'root', children } as unknown as ElementContent
  }
  const handlers = {
    html: (_: State, node: Html, parent?: Parents) =>
      piecesOf === null ? markIn(node, parent) : raw(piecesOf(node)),
    math: formulaIn('div', 'math-display'),
    inlineMath: formulaIn('span', 'math-inline'),
    ...{ mdxJsxFlowElement: element, mdxJsxTextElement: element },
  }
  const writer = unified().use(remarkHtml, { sanitize: false, handlers })
  // remark-html adds a line end.
  const written = writer.stringify(tree).replace(/\n$/, '')
  const origins = all.length === 0 ? null : new Int32Array(written.length).fill(-1)
  let html = ''
  for (const [at, part] of written.split(border).entries()) {
    const pieces = at % 2 === 0 ? [[part, -1] as const] : (all[(at - 1) / 2] ?? [])
    for (const [text, offset] of pieces) {
      for (let index = 0; origins && offset !== -1 && index < text.length; index++) {
        origins[html.length + index] = offset + index
      }
      html += text
    }
  }
  // The content of `noscript` is HTML. Positions cost time.
  const options = { scriptingEnabled: false, sourceCodeLocationInfo: origins !== null }
  const places = origins === null ? {} : { file: new VFile(html), verbose: true }
  return { tree: fromParse5(parseFragment(html, options), places) as HtmlRoot, html, origins }
}

function formulaIn(tagName: string, kind: string) {
  return (_: State, { value }: { readonly value: string }): Element => {
    const properties = { className: ['math', kind] }
    return { type: 'element', tagName, properties, children: [{ type: 'text', value }] }
  }
}

/** Returns the mark of an excerpt in raw HTML that is omitted. The mark of a block includes its line end. */
function markIn({ value }: Html, parent: Parents | undefined): ElementContent | undefined {
  if (!excerptMark.test(value)) return undefined
  return { type: 'raw', value: isBlockParent(parent) ? '<!--more:-->' : '<!--more-->' }
}

/** The comment before which an excerpt ends. */
const excerptMark = /<!--\s*more:?\s*-->/i

/** Reports whether raw HTML in a node is a block, not a tag within text. */
export function isBlockParent(node: Nodes | undefined): boolean {
  return /^(?:root|blockquote|listItem|footnoteDefinition)$/.test(`${node?.type}`)
}

/**
 * Serializes a sanitised tree as well-formed HTML with a final line end, and the part before the mark of an excerpt.
 * Also escapes `<` and `>` in attribute values, because sites embed the HTML in elements that end at any `</script>`
 * or `</noscript>`. Throws RangeError when nesting overflows the stack.
 */
export function serialize(tree: HtmlRoot): {
  readonly html: string
  readonly beforeMark: string | null
} {
  // regex: the serializer closes every tag and every value; text contains no `<`
  const tags = /<(?!!)((?:"[^"]*"|[^">])*)>/g
  const text = toHtml(tree).replace(tags, (_, tag: string) => `<${escaped(tag, /[<>]/g)}>`)
  const mark = text.search(excerptMark)
  const html = text.replace(/<!--more:-->\n?|<!--\s*more\s*-->/gi, '')
  return {
    html: html === '' || /[\r\n]$/.test(html) ? html : `${html}\n`,
    beforeMark: mark === -1 ? null : text.slice(0, mark),
  }
}
