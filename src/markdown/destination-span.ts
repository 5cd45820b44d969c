// Locates the destination of a link, an image or a definition in the source of its node.
import type { Definition, Image, Link } from 'mdast'
import type { Span } from './spans.ts'

/**
 * @param node one whose source begins with `[` or `![`
 * @returns undefined for an empty destination; null when the source is ambiguous
 */
export function destinationSpan(
  node: Link | Image | Definition,
  body: string,
): Span | undefined | null {
  const { position } = node
  const [start, end] = [position?.start.offset, position?.end.offset]
  if (start === undefined || end === undefined) return null
  const source = body.slice(start, end)
  const found =
    node.type === 'definition' ? definitionRange(source) : resourceRange(node, source, start)
  if (found === undefined || found === null) return found
  const before = source.slice(0, found.start)
  const lineStart = before.lastIndexOf('\n') + 1
  return {
    start: start + found.start,
    end: start + found.end,
    line: (position?.start.line ?? 1) + before.split('\n').length - 1,
    column: found.start - lineStart + (lineStart === 0 ? (position?.start.column ?? 1) : 1),
  }
}

interface Range {
  readonly start: number
  readonly end: number
}

/** A definition on one line. */
function definitionRange(source: string): Range | undefined | null {
  const label = /^\[(?:[^[\]\\]|\\.)*\]:[ \t]*/.exec(source)
  const found = label === null ? null : destinationAt(source, label[0].length)
  return found !== null && found.start < found.end ? found : null
}

/** Maximum number of candidate starts of a resource in the text of an image. */
const candidatesMax = 16

/** The only resource that ends with its node. */
function resourceRange(
  node: Link | Image,
  source: string,
  start: number,
): Range | undefined | null {
  const children = 'children' in node ? node.children : []
  const labelEnd = (children.at(-1)?.position?.end.offset ?? start + 1) - start
  const found: Range[] = []
  let tried = 0
  for (let at = source.indexOf('](', labelEnd); at !== -1; at = source.indexOf('](', at + 2)) {
    const resource = resourceAt(source, at + 2)
    if (resource !== null) found.push(resource)
    if (++tried > candidatesMax) return null
    // The text of a link ends with its last child; that of an image is not in the tree.
    if (node.type === 'link') break
  }
  const [first] = found
  if (first === undefined || found.length > 1) return null
  if (first.start < first.end) return first
  return source.endsWith('()') ? undefined : null
}

/** The destination of a resource that starts at `open` and spans the rest of the source; null when there is none. */
function resourceAt(source: string, open: number): Range | null {
  const destination = /\s/.test(source[open] ?? '') ? null : destinationAt(source, open)
  if (destination === null) return null
  const isLiteral = source[destination.end] === '>'
  const rest = source.slice(destination.end + (isLiteral ? 1 : 0))
  return resourceEnd.test(rest) ? destination : null
}

/** With an optional title. */
const resourceEnd = /^(?:\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s*\)$/s

/** CommonMark 0.31.2, "link destination". */
function destinationAt(source: string, from: number): Range | null {
  if (source[from] === '<') {
    const literal = /^(?:[^<>\\\n]|\\.)*(?=>)/.exec(source.slice(from + 1))
    return literal === null ? null : { start: from + 1, end: from + 1 + literal[0].length }
  }
  let depth = 0
  let at = from
  for (; at < source.length; at++) {
    const character = source[at] as string
    if (character === '\\' && /[!-/:-@[-`{-~]/.test(source[at + 1] ?? '')) at++
    else if (character === '(') depth++
    else if (character === ')' && depth-- === 0) break
    else if (/[\0-\x20\x7f]/.test(character)) break
  }
  return { start: from, end: at }
}
