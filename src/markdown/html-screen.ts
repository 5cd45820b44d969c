// HTML that satteri is known to begin or to end elsewhere than remark-parse.
import type { Html } from 'mdast'
import { isBeforeBlanks, rangeOf } from './node-range.ts'

/** The part of a node's surroundings that counts for HTML. */
interface HtmlContext {
  readonly inQuote: boolean
  readonly inContainer: boolean
  readonly indent: number
  readonly isPhrasing: boolean
}

/** A value without quotes holds one. */
const hasOddAttribute = /=[ \t\n]*[^\s"'>][^\s>]*["'=<`]/

/** HTML that goes on until its end is found, blank lines or not. */
const rawHtml = /^<(?:[?!]|(?:pre|script|style|textarea)(?![\w-]))/i

export function htmlReason(node: Html, context: HtmlContext, body: string): string | null {
  const { value } = node
  const isRaw = rawHtml.test(value)
  if (context.inQuote && !context.isPhrasing) return 'HTML in a quote'
  const { start, end } = rangeOf(node)
  if (/\s$/.test(body.slice(start, end))) return 'end of HTML'
  if (hasOddAttribute.test(value)) return 'attribute'
  if (isRaw && !isClosed(value)) return 'open HTML'
  if (!context.inContainer) return null
  if (value.includes('\n') && (context.isPhrasing || !isRaw)) return 'lines of HTML in a container'
  return isPlainInItem(node, context, body) ? null : 'indented HTML in a container'
}

/** Not indented, or just as its list item is, and with nothing blank at its end. */
function isPlainInItem(node: Html, { inQuote, indent }: HtmlContext, body: string): boolean {
  const { start, end } = rangeOf(node)
  if (isBeforeBlanks(end, body)) return false
  const before = body.slice(body.lastIndexOf('\n', start - 1) + 1, start)
  if (!/^\s+$/.test(before)) return true
  return !inQuote && !before.includes('\t') && before.length === indent
}

function isClosed(html: string): boolean {
  const [, name] = /^<(pre|script|style|textarea)(?:\s[^<>]*)?>/i.exec(html) ?? []
  if (name === undefined) return /^<[?!]/.test(html) && html.endsWith('>')
  const ends = [...html.matchAll(/<\/(pre|script|style|textarea)>/gi)]
  return ends.length === 1 && ends[0]?.[1]?.toLowerCase() === name.toLowerCase()
}
