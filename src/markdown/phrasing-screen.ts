// Lines of text that satteri is known to read differently from remark-parse, by what is left in them of markup that
// was no markup in the end.
import type { Nodes, Parents, Text } from 'mdast'
import { isLiteral } from './link-screen.ts'
import { rangeOf } from './node-range.ts'

/**
 * Why the text of a node may be read differently; null where it is not.
 *
 * @param node a paragraph, a heading or a cell @param inContainer it is in a quote or a list item
 *
 * Cost: O(source of the node).
 */
export function phrasingReason(node: Parents, inContainer: boolean, body: string): string | null {
  const source = sourceOf(node, body)
  if (node.type !== 'tableCell' && otherBlock.test(source)) return 'text like another block'
  if (!/[`<[*_\\]/.test(source)) return null
  if (mixedRun.test(source)) return 'delimiters'
  const text = literalTextOf(node, body)
  if (text.includes('[') && hasLiteralLink(node, body)) return 'literal link'
  if (/\\(?:\n|$)/.test(text)) return 'backslash'
  if (/[`]|<[a-z/!?]/i.test(text)) return 'text like code or a tag'
  if (mayPair(text, '*') || mayPair(text, '_')) return 'delimiters'
  return inContainer && text.includes('\n') && hasOpenLine(text)
    ? 'open markup in a container'
    : null
}

/** A line that would make the one before it the head of a table, or begin a list. */
const otherBlock =
  /^(?:[-+*]|\d+[.)])(?:\s|$)|(?:^|\n)[ \t>]*(?![ \t>])(?=[-: \t]*\||[-| \t]*:)(?=[:| \t]*-)[-:| \t]+(?:\n|$)/

/** remark-parse looks for no link where a bracket is open. */
function hasLiteralLink(node: Nodes, body: string): boolean {
  if (node.type === 'link' && isLiteral(node, body)) return true
  return 'children' in node && node.children.some((child) => hasLiteralLink(child, body))
}

/** Runs of more than one delimiter inside a word, behind one that is escaped, or of which `_` comes after `*`. */
const mixedRun =
  /[^\s\p{P}\p{S}](?=[*_~]*(?:\*[_~]|_[*~]|~[*_]))(?:[*_~]+[^\s*_~]|\*+_)|[^\s*_~](?=[*_~]*(?:\*[_~]|_[*~]|~[*_]))[*_~]+[^\s\p{P}\p{S}]|\\[*_~][*_~]+[^\s\p{P}\p{S}]/u

/** Whether a text has `*` or `~` that are not escaped, or ends with `_`. */
export function hasDelimiter(text: Text, body: string): boolean {
  if (text.value.endsWith('_')) return true
  return /[*~]/.test(text.value) && /[*~]/.test(unescaped(sourceOf(text, body)))
}

function unescaped(source: string): string {
  return source.replace(/\\[!-/:-@[-`{-~]/g, '.')
}

/** The source of all text in a node, and what images have for text; `.` for what is escaped, at ends of nodes, and for code. */
function literalTextOf(root: Parents, body: string): string {
  const parts: string[] = []
  const stack: (Nodes | string)[] = root.children.toReversed()
  for (let step = stack.pop(); step !== undefined; step = stack.pop()) {
    if (typeof step === 'string') {
      parts.push(step)
    } else if ('children' in step) {
      stack.push('.')
      for (const child of step.children.toReversed()) stack.push(child)
      parts.push('.')
    } else {
      parts.push(leafText(step, body))
    }
  }
  return parts.join('')
}

function leafText(node: Exclude<Nodes, Parents>, body: string): string {
  if (node.type === 'text') return unescaped(sourceOf(node, body))
  if (node.type === 'break') return '\n'
  return 'alt' in node ? `.${node.alt ?? ''}.` : '.'
}

function sourceOf(node: Nodes, body: string): string {
  const { start, end } = rangeOf(node)
  return body.slice(start, end)
}

/** Whether a run that may open emphasis is left before one that may close it. */
function mayPair(text: string, delimiter: '*' | '_'): boolean {
  if (!text.includes(delimiter)) return false
  const { opening, closing } = runs[delimiter]
  const first = text.search(opening)
  if (first === -1) return false
  for (let at = text.lastIndexOf(delimiter); at > first; at = text.lastIndexOf(delimiter, at - 1)) {
    if (closing.test(text.slice(at - 1, at + 2))) return true
  }
  return false
}

/** The middle one of the three characters in the second expression counts. */
const runs = {
  '*': { opening: /\*(?=[^\s*])/, closing: /^[^\s*]\*/ },
  _: { opening: /(?<![\p{L}\p{N}_])_(?=_*[^\s_])/u, closing: /^[^\s]_(?![\p{L}\p{N}_])/u },
}

/** Whether markup that may go on in the next line is open at the end of one. */
function hasOpenLine(text: string): boolean {
  return text
    .split('\n')
    .slice(0, -1)
    .some((line) => line.includes('](') || bracketsOpen(line) > 0)
}

function bracketsOpen(text: string): number {
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]]/g))
    open = bracket === '[' ? open + 1 : Math.max(0, open - 1)
  return open
}
