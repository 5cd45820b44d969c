// Screens text that satteri is known to parse differently from remark-parse, by the delimiters that remain in it as
// text.
import type { Nodes, Parents, Text } from 'mdast'
import { isLiteral } from './link-screen.ts'
import { rangeOf } from './node-range.ts'

/**
 * The reason why the text of a node may be parsed differently; null when it is not.
 *
 * @param node a paragraph, a heading or a cell @param inContainer true inside a quote or a list item
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

/** A line that would turn the previous one into a table head, or begin a list. */
const otherBlock =
  /^(?:[-+*]|\d+[.)])(?:\s|$)|(?:^|\n)[ \t>]*(?![ \t>])(?=[-: \t]*\||[-| \t]*:)(?=[:| \t]*-)[-:| \t]+(?:\n|$)/

/** remark-parse finds no literal links inside an open bracket. */
function hasLiteralLink(node: Nodes, body: string): boolean {
  if (node.type === 'link' && isLiteral(node, body)) return true
  return 'children' in node && node.children.some((child) => hasLiteralLink(child, body))
}

/** Runs of different delimiters inside a word or after an escaped delimiter, and runs in which `_` follows `*`. */
const mixedRun =
  /[^\s\p{P}\p{S}](?=[*_~]*(?:\*[_~]|_[*~]|~[*_]))(?:[*_~]+[^\s*_~]|\*+_)|[^\s*_~](?=[*_~]*(?:\*[_~]|_[*~]|~[*_]))[*_~]+[^\s\p{P}\p{S}]|\\[*_~][*_~]+[^\s\p{P}\p{S}]/u

/** True when a text contains unescaped `*` or `~`, or ends with `_`. */
export function hasDelimiter(text: Text, body: string): boolean {
  if (text.value.endsWith('_')) return true
  return /[*~]/.test(text.value) && /[*~]/.test(unescaped(sourceOf(text, body)))
}

function unescaped(source: string): string {
  return source.replace(/\\[!-/:-@[-`{-~]/g, '.')
}

/**
 * The source of all text in a node, including the alternative text of images. Escapes, node ends and code become `.`.
 */
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

/** True when a run that may open emphasis precedes one that may close it. */
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

/** The second expression tests the middle one of three characters. */
const runs = {
  '*': { opening: /\*(?=[^\s*])/, closing: /^[^\s*]\*/ },
  _: { opening: /(?<![\p{L}\p{N}_])_(?=_*[^\s_])/u, closing: /^[^\s]_(?![\p{L}\p{N}_])/u },
}

/** True when a line ends inside markup that may continue on the next line. */
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
