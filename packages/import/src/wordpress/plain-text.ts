// Converts fields that WordPress stores as HTML to text: titles, names, excerpts.

import type { Nodes } from 'hast'
import { fromParse5 } from 'hast-util-from-parse5'
import { parseFragment } from 'parse5'

/** The visible text, with white space collapsed to single spaces. */
export function plainText(html: string): string {
  if (!/[<&]/.test(html)) return html.replace(/\s+/g, ' ').trim()
  return textOf(fromParse5(parseFragment(html)))
    .replace(/\s+/g, ' ')
    .trim()
}

function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type === 'element' && /^(?:script|style)$/.test(node.tagName)) return ''
  return 'children' in node ? node.children.map(textOf).join('') : ''
}
