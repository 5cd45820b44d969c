// Screens links without markup: those that only satteri finds, or that have no known position.
import type { Link } from 'mdast'
import { rangeOf } from './node-range.ts'

/** Accepts a link without markup only if remark-parse finds it in its first pass. */
export function linkReason(node: Link, inTable: boolean, body: string): string | null {
  if (!isLiteral(node, body)) return null
  const { start, end } = rangeOf(node)
  const source = body.slice(start, end)
  const isPlain =
    !/\\|&[#a-z\d]+;/i.test(source) &&
    !domainWithUnderscore.test(body.slice(start, end + 100)) &&
    !(inTable && /\|/.test(body.slice(start, end + 1))) &&
    literalKinds.some(
      ({ text, before, after }) =>
        text.test(source) && before.test(body[start - 1] ?? '') && after.test(body[end] ?? ''),
    )
  return isPlain ? null : 'literal link'
}

/** True for a link that is a bare address. */
export function isLiteral(node: Link, body: string): boolean {
  const first = body[rangeOf(node).start]
  return first !== '[' && first !== '<'
}

const domainWithUnderscore = /^(?:https?:\/\/|www\.)[^\s/?#:<]*_/i

const literalKinds = [
  { text: /^https?:\/\/[a-z\d]/i, before: /^[^a-z[/]?$/i, after: /^/ },
  { text: /^www\.[a-z\d]/i, before: /^[ \t\n(*_~]?$/, after: /^/ },
  {
    text: /^[\w.+-]+@[a-z\d]+(?:[.-][a-z\d]+)*$/i,
    before: /^[ \t\n(*~,;:]?$/,
    after: /^[ \t\n.,;:!?)'"]?$/,
  },
]
