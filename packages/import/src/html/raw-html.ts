// Writes elements as raw HTML blocks in Markdown.
import type { Element, Nodes, Root, RootContent } from 'hast'
import { toHtml } from 'hast-util-to-html'
import type { Literal } from 'mdast'

/** Raw HTML as a separate block: unlike mdast's `html`, never inside a paragraph. */
export interface RawBlock extends Literal {
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

/**
 * A block of raw HTML. A blank line would end it (CommonMark §4.6), so every line end becomes a character reference.
 */
export function rawBlock(node: Element | Root): RawBlock {
  return { type: 'rawBlock', value: oneLine(node) }
}

/** A whole document as one block. It is wrapped in `div`, because not every element begins a block. */
export function rawDocument(tree: Root): RawBlock {
  const value = tree.children.map(
    (child, index) => lead(tree.children[index - 1], child) + oneLine(child),
  )
  return { type: 'rawBlock', value: `<div>${value.join('')}</div>` }
}

/** The start and end tag of an element. */
export function tagsOf(node: Element): readonly [string, string] {
  const tags = oneLine({ ...node, children: [] })
  const end = tags.lastIndexOf('</')
  return [tags.slice(0, end), tags.slice(end)]
}

/** Inserts line ends only between blocks, where they are invisible. */
function lead(before: RootContent | undefined, node: RootContent): string {
  return isBlock(before) && isBlock(node) ? '\n' : ''
}

function oneLine(node: Nodes): string {
  return toHtml(node).replaceAll('\n', '&#10;')
}

/** True for an element that begins on a separate line. */
export function isBlock(node: Nodes | undefined): boolean {
  return node?.type === 'element' && blocks.has(node.tagName)
}

/** True when the element contains a block. */
export function hasBlock({ children }: Element): boolean {
  return children.some((child) => isBlock(child) || (child.type === 'element' && hasBlock(child)))
}

const blocks: ReadonlySet<string> = new Set(
  'address article aside blockquote center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)
