// The processors of unified: remark-parse reads CommonMark with GitHub's extensions, remark-html writes HTML, parse5
// reads that as a browser does, and hast-util-sanitize and hast-util-to-html make the HTML that is served.
import type { ElementContent, Root as HtmlRoot } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { toHtml } from 'hast-util-to-html'
import type { Html, Nodes, Root } from 'mdast'
import { parseFragment } from 'parse5'
import remarkGfm from 'remark-gfm'
import remarkHtml from 'remark-html'
import remarkMdx from 'remark-mdx'
import remarkParse from 'remark-parse'
import { type Plugin, type Processor, unified } from 'unified'
import { VFile } from 'vfile'
import type { Position } from '../diagnostics.ts'
import { recordDestinations } from './destinations.ts'
import { escaped, stepsOf } from './html.ts'

/** Not sanitised by remark-html: the tree is, after parse5 has read it. */
const htmlOptions = { sanitize: false, handlers: { html: rawOf } }

/** The syntax of math, from remark-math, which is an optional package. */
export type MathSyntax = Plugin<[], Root>

function processorOf(singleTilde: boolean, math: MathSyntax) {
  return unified()
    .use(remarkParse)
    .use(remarkGfm, { singleTilde })
    .use(math)
    .use(recordDestinations)
    .use(remarkHtml, htmlOptions)
}

const noMath: MathSyntax = () => undefined
const processor = processorOf(true, noMath).freeze()

/** Parsers of bodies. They throw RangeError when nesting overflows the stack. */
export interface Parsers {
  /** Parses CommonMark with GitHub's extensions. */
  markdown(body: string): Root
  /** The same with the syntax of MDX. Throws a VFileMessage for a syntax error. */
  mdx(body: string): Root
}

/**
 * Returns the parsers of a site.
 *
 * @param singleTilde false leaves `~text~` alone
 * @param math keeps TeX between dollars, for a program of the site to render. @default dollars are text
 */
export function parsersOf(singleTilde = true, math: MathSyntax = noMath): Parsers {
  const parserOf = (syntax: MathSyntax) => {
    const made = new Map<string, Pick<Processor<Root>, 'parse'>>()
    return (body: string) => {
      const absent = constructsNotIn(body)
      const key = absent.join()
      const own = made.get(key) ?? processorOf(singleTilde, math).use(syntax).use(leaveOut, absent)
      made.set(key, own)
      return withMath(own.parse(body))
    }
  }
  return { markdown: parserOf(noMath), mdx: parserOf(remarkMdx) }
}

/** The parsers of a site without options. */
export const parsers: Parsers = parsersOf()

/**
 * Names the constructs of GitHub's extensions that a body cannot contain. micromark tries mail addresses at every word
 * and tables at every line, which is 40 % of the time for prose (2026-11).
 */
function constructsNotIn(body: string): readonly string[] {
  return [
    ...(/[\w.+-]@/.test(body) ? [] : ['emailAutolink']),
    // Each row below a head has a dash next to a colon or a bar.
    ...(/-[ \t]*[:|]|[:|][ \t]*-/.test(body) ? [] : ['table']),
  ]
}

/** A plugin that removes constructs from the syntax. */
function leaveOut(this: Processor, absent: readonly string[]): void {
  const data = this.data()
  const kept = <T extends object>(constructs: T = {} as T) =>
    Object.fromEntries(
      Object.entries(constructs).map(([code, given]) => [
        code,
        [given].flat().filter(({ name }) => !absent.includes(name)),
      ]),
    )
  data.micromarkExtensions = (data.micromarkExtensions ?? []).map((extension) => {
    return { ...extension, flow: kept(extension.flow), text: kept(extension.text) }
  })
}

/** Gives formulas their elements. */
function withMath(tree: Root): Root {
  for (const { node } of stepsOf<Nodes>(tree)) {
    const { type, value = '' } = node as { readonly type: string; readonly value?: string }
    const [hName, kind] = mathElements[type] ?? []
    if (hName === undefined) continue
    const hProperties = { className: ['math', kind] }
    node.data = { hName, hProperties, hChildren: [{ type: 'text', value }] } as NonNullable<
      Nodes['data']
    >
  }
  return tree
}

const mathElements: Readonly<Record<string, readonly [name: string, kind: string]>> = {
  math: ['div', 'math-display'],
  inlineMath: ['span', 'math-inline'],
}

/** An element in JSX. */
export type Jsx = Extract<Nodes, { type: 'mdxJsxFlowElement' | 'mdxJsxTextElement' }>

declare module 'mdast' {
  interface HtmlData {
    /** The HTML to keep, between two borders: see `browserTree`. Without it the node is left out. */
    bordered?: string
  }
}

/** A range of HTML that an author wrote, and the place of its start in the HTML. */
export interface AuthoredRange extends Position {
  /** Index of its node. */
  readonly node: number
  readonly start: number
  readonly end: number
}

/** The tree that a browser makes of HTML, the HTML, and the ascending ranges of raw HTML in it. */
export interface BrowserTree {
  readonly tree: HtmlRoot
  readonly html: string
  readonly authored: readonly AuthoredRange[]
}

/**
 * Converts a Markdown tree to HTML, and that to the tree that a browser makes of it; not sanitised.
 *
 * @param border a text that is in no body; it surrounds `{index of the node}:{raw HTML}`. null when no raw HTML is kept:
 *   then nodes have no positions
 *
 * Throws RangeError when nesting overflows the stack.
 */
export function browserTree(tree: Root, border: string | null): BrowserTree {
  // remark-html ends its HTML with a line end.
  const written = processor.stringify(tree).replace(/\n$/, '')
  if (border === null) {
    const fragment = parseFragment(written, parserOptions)
    return { tree: fromParse5(fragment) as HtmlRoot, html: written, authored: [] }
  }
  let html = ''
  let line = 1
  let lineStart = 0
  const authored: AuthoredRange[] = []
  for (const [at, bordered] of written.split(border).entries()) {
    const colon = at % 2 === 0 ? -1 : bordered.indexOf(':')
    const [start, piece] = [html.length, bordered.slice(colon + 1)]
    html += piece
    if (colon > 0) {
      const node = Number(bordered.slice(0, colon))
      authored.push({ node, start, end: html.length, line, column: start - lineStart + 1 })
    }
    for (const { index } of piece.matchAll(/\n/g)) {
      line++
      lineStart = start + index + 1
    }
  }
  const fragment = parseFragment(html, { ...parserOptions, sourceCodeLocationInfo: true })
  const options = { file: new VFile(html), verbose: true }
  return { tree: fromParse5(fragment, options) as HtmlRoot, html, authored }
}

/** The content of `noscript` is HTML. */
const parserOptions = { scriptingEnabled: false }

function rawOf(_: unknown, { data }: Html): ElementContent | undefined {
  return data?.bordered === undefined ? undefined : { type: 'raw', value: data.bordered }
}

/**
 * Serializes a sanitised tree as well-formed HTML with a final line end. `<` and `>` are escaped in attribute values
 * too, as sites embed the HTML in elements that end at any `</script>` or `</noscript>`. Throws RangeError when nesting
 * overflows the stack.
 */
export function serialized(tree: HtmlRoot): string {
  // regex: every tag of the serializer ends, and so does every value; text contains no `<`
  const tags = /<((?:"[^"]*"|[^">])*)>/g
  const html = toHtml(tree).replace(tags, (_, tag: string) => `<${escaped(tag, /[<>]/g)}>`)
  return html === '' || /[\r\n]$/.test(html) ? html : `${html}\n`
}
