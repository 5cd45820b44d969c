// Screens trees that satteri may build differently from remark-parse, by their constructs and source. Most of these
// differ only in a position. Whole classes of constructs that are rare in real bodies are left to remark-parse.
import type { Code, Definition, Html, ListItem, Nodes, Parents, Root, Table, Text } from 'mdast'
import { linkReason } from './link-screen.ts'
import { isBeforeBlanks, rangeOf } from './node-range.ts'
import { hasDelimiter, phrasingReason } from './phrasing-screen.ts'

/** The relevant ancestors of a node. */
interface Context {
  readonly depth: number
  /** In a quote or a list item. */
  readonly inContainer: boolean
  readonly inTable: boolean
  readonly inLink: boolean
  /** In emphasised, strong or deleted text. */
  readonly inMark: boolean
}

const outermost: Context = {
  depth: 0,
  inContainer: false,
  inTable: false,
  inLink: false,
  inMark: false,
}

/** Deeper trees are left to remark-parse. */
const depthMax = 60

/**
 * The reason why satteri's tree may differ from that of remark-parse; null when it does not.
 *
 * Cost: O(nodes + body); about 10 µs per kB.
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
  return definitionsReason(root, body)
}

/**
 * satteri stops resolving references when their URLs and titles reach 100,000 bytes; this limit is in UTF-16 code
 * units.
 */
const expandedMax = 30_000

/** Checks definitions outside of quotes and lists; those inside are left to remark-parse. */
function definitionsReason({ children }: Root, body: string): string | null {
  const definitions = children.filter((node) => node.type === 'definition')
  if (definitions.length === 0) return null
  const longest = definitions.reduce(
    (most, { url, title }) => Math.max(most, url.length + (title?.length ?? 0)),
    0,
  )
  if (longest * body.split('[').length > expandedMax) return 'references'
  return oddCase.test(body) ? 'case of labels' : null
}

/** Letters for which satteri has other case pairs: `ı`, some Greek ones, ligatures, and scripts that still grow. */
const oddCase =
  /[\u0131\u0390\u03b0\u1c80-\u1cbf\u1f00-\u1fff\ua640-\ua7ff\uab30-\uabbf\ufb00-\ufb17\u{10400}-\u{1e9ff}]/u

/** True when a paragraph continues on the next line as a separate one, or a container as a table. */
function isBroken(node: Nodes, index: number, siblings: readonly Nodes[]): boolean {
  const next = siblings[index + 1]
  if (next?.type !== 'table' && (node.type !== 'paragraph' || next?.type !== 'paragraph'))
    return false
  if (node.type === 'heading') return false
  return next.position?.start.line === (node.position?.end.line ?? 0) + 1
}

const marks: ReadonlySet<string> = new Set(['emphasis', 'strong', 'delete'])

function contextIn({ type }: Parents, context: Context): Context {
  return {
    depth: context.depth + 1,
    inContainer: context.inContainer || type === 'blockquote' || type === 'listItem',
    inTable: context.inTable || type === 'table',
    inLink: context.inLink || type === 'link' || type === 'linkReference',
    inMark: context.inMark || marks.has(type),
  }
}

function reasonOf(node: Nodes, context: Context, body: string): string | null {
  if (node.position === undefined) return 'no position'
  if (context.inContainer && outerTypes.has(node.type)) return `${node.type} in a container`
  switch (node.type) {
    case 'text':
      return textReason(node, context, body)
    case 'paragraph':
    case 'heading':
    case 'tableCell':
      return phrasingReason(node, context.inContainer, body)
    case 'code':
      return codeReason(node, body)
    case 'html':
      return htmlReason(node, body)
    case 'link':
      return linkReason(node, context.inTable, body)
    case 'break':
      return context.inLink ? 'break in a link' : null
    case 'table':
      return hasPlainRows(node, body) ? null : 'table'
    case 'definition':
      return isPlainDefinition(node, body) ? null : 'definition'
    case 'blockquote':
      return node.children.every(({ type }) => type === 'paragraph') ? null : 'blocks in a quote'
    case 'listItem':
      return itemReason(node)
    case 'linkReference':
    case 'imageReference':
    case 'image':
      return labelReason(node, context.inContainer, body)
    default:
      return null
  }
}

/** satteri may parse these only outside of quotes and lists. */
const outerTypes: ReadonlySet<string> = new Set(['blockquote', 'html', 'table', 'definition'])

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

/** remark-parse searches finished text for these again, and then knows no positions. */
const literalLink = /https?:\/\/\S|www\.|[-.\w+]@[-\w]+\.[-\w]/i

function codeReason(node: Code, body: string): string | null {
  const { start, end } = rangeOf(node)
  const source = body.slice(start, end)
  if (/^[`~]/.test(source)) {
    if (/^.*(?:[&\\]|[ \t]{2}\n|[^\S \t\n])/.test(source)) return 'info string'
    return isClosed(source, body.slice(body.lastIndexOf('\n', start) + 1, start))
      ? null
      : 'open fence'
  }
  if (/\n[ \t]*$/.test(source) || isBeforeBlanks(end, body)) return 'end of indented code'
  const before = body.slice(Math.max(0, start - 200), start)
  return /(?:^|\n[ \t]*\n)[ \t]*$/.test(before) ? null : 'start of indented code'
}

/** True when fenced code ends with a fence. @param before the text before it in its line */
function isClosed(source: string, before: string): boolean {
  const [, fence = '', indent = '', last = ''] =
    /^(`+|~+)(?![`~])[^\n]*\n(?:[\s\S]*\n)?([ \t]*)(`+|~+)[ \t]*$/.exec(source) ?? []
  if (fence === '' || !last.startsWith(fence)) return false
  return indent === before || indent.replaceAll('\t', '    ').length < before.length + 4
}

/** Allows HTML that ends at an empty line, and closed comments. */
function htmlReason(node: Html, body: string): string | null {
  const { value } = node
  if (rawHtml.test(value)) return 'raw text in HTML'
  if (value.startsWith('<!--') && !value.endsWith('-->')) return 'open comment'
  const { start, end } = rangeOf(node)
  if (/\s$/.test(body.slice(start, end))) return 'end of HTML'
  return hasOddAttribute.test(value) ? 'attribute' : null
}

/** HTML that continues across blank lines until its end marker, except comments. */
const rawHtml = /<(?:\?|!(?!--)|\/?(?:pre|script|style|textarea)(?![\w-]))/i

/** An unquoted value that contains one of these. */
const hasOddAttribute = /=[ \t\n]*[^\s"'>][^\s>]*["'=<`]/

/** True when no row may begin another block. */
function hasPlainRows(table: Table, body: string): boolean {
  const { start, end } = rangeOf(table)
  const [, ...lines] = body.slice(start, end).split('\n')
  if (lines.some((line) => /^[ \t]*[-*+][ \t]/.test(line))) return false
  return table.children.every((row) => /[|\p{L}\p{N}`[!:]/u.test(body[rangeOf(row).start] ?? ''))
}

function labelReason(node: Nodes, inContainer: boolean, body: string): string | null {
  const { start, end } = rangeOf(node)
  const source = body.slice(start, end)
  if (inContainer && source.includes('\n')) return 'label over lines'
  if (source.includes('\\\n')) return 'line break in a label'
  return node.type !== 'image' && source.includes('&') ? 'character reference in a label' : null
}

/** True for a definition on one line that is followed by another one, an empty line or nothing. */
function isPlainDefinition(node: Definition, body: string): boolean {
  const { start, end } = rangeOf(node)
  if (/^\[\s|\s\]:/.test(body.slice(start, end))) return false
  const next = body.slice(end, end + 200)
  return (
    !body.slice(start, end).includes('\n') &&
    /^[ \t]*(?:\n[ \t]*(?:\n|$|\[[^\]\s][^\]\n]*\]:)|$)/.test(next)
  )
}

function itemReason({ children, checked }: ListItem): string | null {
  if (children.length === 0) return 'empty list item'
  return typeof checked === 'boolean' ? 'task' : null
}
