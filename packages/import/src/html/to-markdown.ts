// Writes an HTML tree as Markdown; keeps raw HTML for what Markdown cannot express.
import type { Element, Nodes, Root } from 'hast'
import { toHtml } from 'hast-util-to-html'
import { defaultHandlers, type Handle, type State, toMdast } from 'hast-util-to-mdast'
import type { Html, Literal, Nodes as MarkdownNodes, RootContent } from 'mdast'
import { gfmToMarkdown } from 'mdast-util-gfm'
import { type Options, toMarkdown } from 'mdast-util-to-markdown'

/** Raw HTML as a separate block: unlike mdast's `html`, never inside a paragraph. */
interface RawBlock extends Literal {
  type: 'rawBlock'
}

declare module 'mdast' {
  interface RootContentMap {
    rawBlock: RawBlock
  }
  interface BlockContentMap {
    rawBlock: RawBlock
  }
}

/** Converts a tree to Markdown. Throws RangeError when nesting overflows the stack. */
export function treeToMarkdown(tree: Root): string {
  return toMarkdown(
    toMdast(tree, { document: true, handlers, nodeHandlers: { comment } }) as MarkdownNodes,
    style,
  )
}

/** A whole tree as one block of raw HTML, in `div`, because not every element begins a block. */
export function treeToRawBlock(tree: Root): string {
  return `<div>${oneLine(tree)}</div>\n`
}

const style: Options = {
  bullet: '-',
  rule: '-',
  emphasis: '_',
  fences: true,
  listItemIndent: 'one',
  resourceLink: true,
  extensions: [gfmToMarkdown({ tablePipeAlign: false })],
  handlers: { rawBlock: ({ value }: RawBlock) => value } as never,
  // A raw HTML block extends to the next blank line, also in a tight list.
  join: [(left) => (left.type === ('rawBlock' as string) ? 1 : undefined)],
}

/** The end of the excerpt, in quarry's form. */
function comment(_: State, { value }: { value: string }): RootContent {
  return { type: 'html', value: `<!--${value}-->` }
}

/** Elements without Markdown syntax: their tags stay around Markdown content. */
const tagged = 'abbr ins kbd mark q ruby rb rp rt samp small sub sup time u var'.split(' ')

const handlers: Record<string, Handle> = {
  ...Object.fromEntries(tagged.map((name) => [name, withTags])),
  a: (state, node, parent) =>
    node.properties.href === undefined ? state.all(node) : fallBack('a', state, node, parent),
  br: (state) => (state.inTable ? tag('<br>') : { type: 'break' }),
  code: plainText('code', withTags),
  details: (_, node) => rawBlock(node),
  dl: (_, node) => rawBlock(node),
  figure: (state, node) =>
    hasElement(node, captions) ? rawBlock(node) : state.toFlow(state.all(node)),
  pre: plainText('pre', (_, node) => rawBlock(node)),
  table: (state, node, parent) =>
    isPlainTable(node) && !state.inTable ? fallBack('table', state, node, parent) : rawBlock(node),
  tt: plainText('tt', withTags),
}

const captions: ReadonlySet<string> = new Set(['figcaption'])

function fallBack(name: string, ...given: Parameters<Handle>): ReturnType<Handle> {
  return (defaultHandlers as Record<string, Handle>)[name]?.(...given)
}

/** Raw tags around Markdown, or raw HTML when the element contains a block. */
function withTags(state: State, node: Element): ReturnType<Handle> {
  if (hasBlock(node)) return rawBlock(node)
  const [open, close] = tagsOf(node)
  return [tag(open), ...state.all(node), tag(close)]
}

/** Inline raw HTML; the element name marks it as inline for the construction of paragraphs. */
function tag(value: string): Html {
  return { type: 'html', value, data: { hName: 'span' } as Html['data'] }
}

/**
 * Uses a default handler only for elements that contain nothing but text: Markdown code has neither links nor images.
 */
function plainText(
  name: string,
  otherwise: (state: State, node: Element) => ReturnType<Handle>,
): Handle {
  return (state, node, parent) =>
    hasElement(node, visible) ? otherwise(state, node) : fallBack(name, state, node, parent)
}

const visible: ReadonlySet<string> = new Set('a img mark del ins sub sup'.split(' '))

function hasElement({ children }: Element, names: ReadonlySet<string>): boolean {
  return children.some(
    (child) => child.type === 'element' && (names.has(child.tagName) || hasElement(child, names)),
  )
}

/** True for a table that GFM can express: a row of headers, then rows of plain cells. */
function isPlainTable(table: Element): boolean {
  const rows = rowsOf(table)
  const [head, ...body] = rows.map(cellsOf)
  if (head === undefined || head.length === 0 || hasElement(table, captions)) return false
  if (hasElement(table, new Set(['caption', 'table']))) return false
  return (
    head.every((cell) => cell.tagName === 'th' && isPlainCell(cell)) &&
    body.every((cells) => cells.every((cell) => cell.tagName === 'td' && isPlainCell(cell)))
  )
}

function rowsOf({ children }: Element): readonly Element[] {
  return children.flatMap((child) => {
    if (child.type !== 'element') return []
    return child.tagName === 'tr' ? [child] : rowsOf(child)
  })
}

function cellsOf({ children }: Element): readonly Element[] {
  return children.filter((child) => child.type === 'element')
}

/** True for a cell with inline content only, also inside the single paragraph that some editors add. */
function isPlainCell(cell: Element): boolean {
  const { colSpan = 1, rowSpan = 1 } = cell.properties
  if (Number(colSpan) !== 1 || Number(rowSpan) !== 1) return false
  const blocks = cell.children.filter(isBlock)
  const [only] = blocks
  if (only === undefined) return !hasBlock(cell)
  const isAlone = cell.children.every((child) => child === only || isBlank(child))
  return isAlone && only.type === 'element' && only.tagName === 'p' && !hasBlock(only)
}

function isBlank(node: Element['children'][number]): boolean {
  return node.type === 'text' && node.value.trim() === ''
}

/**
 * A block of raw HTML. A blank line would end it (CommonMark §4.6), so every line end becomes a character reference.
 */
function rawBlock(node: Element): RawBlock {
  return { type: 'rawBlock', value: oneLine(node) }
}

/** The start and end tag of an element. */
function tagsOf(node: Element): readonly [string, string] {
  const tags = oneLine({ ...node, children: [] })
  const end = tags.lastIndexOf('</')
  return [tags.slice(0, end), tags.slice(end)]
}

function oneLine(node: Nodes): string {
  return toHtml(node).replaceAll('\n', '&#10;')
}

/** True for an element that begins on a separate line. */
function isBlock(node: Nodes | undefined): boolean {
  return node?.type === 'element' && blocks.has(node.tagName)
}

/** True when the element contains a block. */
function hasBlock({ children }: Element): boolean {
  return children.some((child) => isBlock(child) || (child.type === 'element' && hasBlock(child)))
}

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
