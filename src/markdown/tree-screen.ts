// Trees that satteri is known to make differently from remark-parse, by their constructs and the source of those.
// Nearly all of these differ in nothing but a position.
import type { Code, Definition, ListItem, Nodes, Parents, Root, Table, Text } from 'mdast'
import { htmlReason } from './html-screen.ts'
import { linkReason } from './link-screen.ts'
import { isBeforeBlanks, rangeOf } from './node-range.ts'
import { hasDelimiter, phrasingReason } from './phrasing-screen.ts'

/** What a node is inside of. */
interface Context {
  readonly depth: number
  readonly inQuote: boolean
  /** In a quote or a list item. */
  readonly inContainer: boolean
  /** Columns before the content of the innermost list item. */
  readonly indent: number
  readonly inTable: boolean
  readonly inLink: boolean
  /** In emphasised, strong or deleted text. */
  readonly inMark: boolean
  /** Of a line. */
  readonly isPhrasing: boolean
}

const outermost: Context = {
  depth: 0,
  inQuote: false,
  inContainer: false,
  indent: 0,
  inTable: false,
  inLink: false,
  inMark: false,
  isPhrasing: false,
}

/** Deeper trees are left to remark-parse. */
const depthMax = 60

/**
 * Why a tree of satteri may be another than that of remark-parse; null where it is the same.
 *
 * Cost: O(nodes + body); about 10 µs a kB.
 */
export function screenTree(root: Root, body: string): string | null {
  const stack: [Nodes, Context][] = [[root, outermost]]
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    const [node, context] = step
    const reason = context.depth > depthMax ? 'nesting' : reasonOf(node, context, body)
    if (reason !== null) return reason
    if (!('children' in node)) continue
    if (node.children.some(isBroken)) return 'blocks without a line between'
    const inner = contextIn(node, context)
    for (const child of node.children) stack.push([child, inner])
  }
  return null
}

/** A paragraph goes on in the next line as another one, or a container as a table. */
function isBroken(node: Nodes, index: number, siblings: readonly Nodes[]): boolean {
  const next = siblings[index + 1]
  if (next?.type !== 'table' && (node.type !== 'paragraph' || next?.type !== 'paragraph'))
    return false
  if (node.type === 'heading') return false
  return next.position?.start.line === (node.position?.end.line ?? 0) + 1
}

const marks: ReadonlySet<string> = new Set(['emphasis', 'strong', 'delete'])

function contextIn(node: Parents, context: Context): Context {
  const depth = context.depth + 1
  switch (node.type) {
    case 'blockquote':
      return { ...context, depth, inQuote: true, inContainer: true }
    case 'listItem': {
      const indent = (node.children[0]?.position?.start.column ?? 1) - 1
      return { ...context, depth, inContainer: true, indent }
    }
    case 'table':
      return { ...context, depth, inTable: true, isPhrasing: true }
    case 'link':
    case 'linkReference':
      return { ...context, depth, inLink: true }
    case 'paragraph':
    case 'heading':
      return { ...context, depth, isPhrasing: true }
    default:
      return { ...context, depth, inMark: context.inMark || marks.has(node.type) }
  }
}

function reasonOf(node: Nodes, context: Context, body: string): string | null {
  if (node.position === undefined) return 'no position'
  switch (node.type) {
    case 'text':
      return textReason(node, context, body)
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      return phrasingReason(node, context.inContainer, body)
    case 'code':
      return codeReason(node, context, body)
    case 'html':
      return htmlReason(node, context, body)
    case 'link':
      return linkReason(node, context.inTable, body)
    case 'break':
      return context.inLink ? 'break in a link' : null
    case 'table':
      return hasPlainRows(node, context, body) ? null : 'table'
    case 'definition':
      return isPlainDefinition(node, body) ? null : 'definition'
    case 'list':
    case 'blockquote':
      return context.inQuote ? 'container in a quote' : null
    case 'listItem':
      return itemReason(node, body)
    case 'linkReference':
    case 'imageReference':
    case 'image':
      return context.inContainer && spansLines(node) ? 'label over lines' : null
    case 'footnoteDefinition':
      return 'footnote'
    default:
      return null
  }
}

function textReason(
  node: Text,
  { inLink, inMark, inContainer }: Context,
  body: string,
): string | null {
  const { value } = node
  if (inMark && hasDelimiter(node, body)) return 'delimiters'
  if (!inLink) return literalLink.test(value) ? 'text like a link' : null
  return inContainer && value.endsWith('\n') ? 'lines of a link in a container' : null
}

/** remark-parse looks for these once more in finished text, and then knows no positions. */
const literalLink = /https?:\/\/[-.\w]|www\.|[-.\w+]@[-\w]+\.[-\w]/i

function codeReason(node: Code, { inQuote }: Context, body: string): string | null {
  const { start, end } = rangeOf(node)
  const source = body.slice(start, end)
  if (/^[`~]/.test(source)) {
    if (/^.*(?:[&\\]|[ \t]{2}\n|[^\S \t\n])/.test(source)) return 'info string'
    return /\n[ \t>]*(?:`{3,}|~{3,})[ \t]*$/.test(source) ? null : 'open fence'
  }
  if (inQuote) return 'indented code in a quote'
  if (/\n[ \t]*$/.test(source) || isBeforeBlanks(end, body)) return 'end of indented code'
  const before = body.slice(Math.max(0, start - 200), start)
  return /(?:^|\n[ \t]*\n)[ \t]*$/.test(before) ? null : 'start of indented code'
}

/** No row that may begin another block. */
function hasPlainRows(table: Table, { inQuote, indent }: Context, body: string): boolean {
  const { start, end } = rangeOf(table)
  const [, ...lines] = body.slice(start, end).split('\n')
  if (inQuote || lines.some((line) => /^[ \t]*[-*+][ \t]/.test(line))) return false
  if (lines.some((line) => !line.startsWith(' '.repeat(indent)))) return false
  return table.children.every((row) => /[|\p{L}\p{N}`[!:]/u.test(body[rangeOf(row).start] ?? ''))
}

function spansLines({ position }: Nodes): boolean {
  return position?.start.line !== position?.end.line
}

/** On one line, with another one, an empty line or nothing behind it. */
function isPlainDefinition(node: Definition, body: string): boolean {
  const { start, end } = rangeOf(node)
  if (/^\[\s|\s\]:/.test(body.slice(start, end))) return false
  const next = body.slice(end, end + 200)
  return (
    !body.slice(start, end).includes('\n') &&
    /^[ \t]*(?:\n[ \t]*(?:\n|$|\[[^\]\s][^\]\n]*\]:)|$)/.test(next)
  )
}

/** A task item begins with text on the line of its box. */
function itemReason(node: ListItem, body: string): string | null {
  const [first] = node.children
  if (first === undefined) return 'empty list item'
  const marker = body.slice(rangeOf(node).start, rangeOf(first).start)
  if (marker.includes('\t')) return 'tab in a list item'
  if (typeof node.checked !== 'boolean') return null
  const isPlain =
    first.type === 'paragraph' && first.children[0]?.type === 'text' && !marker.includes('\n')
  return isPlain ? null : 'task'
}
