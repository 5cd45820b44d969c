// Maps positions in raw HTML back to the body. The HTML parser sees only the text of each fragment, without the
// markers of quotes and lists at the start of its lines.
import type { Html } from 'mdast'
import type { Position } from '../diagnostics.ts'
import type { Span } from './spans.ts'

/** A tag in the source: its fragment, and the index of its `<` in the fragment's text. */
interface TagPlace {
  readonly node: Html
  readonly index: number
}

/** Locates tags and attributes in the raw HTML of a body. */
export class HtmlSource {
  readonly #body: string
  readonly #shift: number
  /** In document order. */
  readonly #nodes: readonly Html[]
  #bodyLines: readonly Line[] | undefined
  readonly #textLines = new Map<Html, readonly Line[]>()
  /** The value found last, as all candidates of a `srcset` ask for the same. */
  #last:
    | { readonly offset: number; readonly name: string; readonly value: Value | undefined }
    | undefined

  /** @param nodes every fragment of raw HTML of the body */
  constructor(nodes: readonly Html[], body: string) {
    this.#body = body
    // The parser drops a byte order mark.
    this.#shift = body.startsWith('\uFEFF') ? 1 : 0
    this.#nodes = nodes.toSorted((a, b) => startOf(a) - startOf(b))
  }

  /** The position of a tag. @param offset as counted by the HTML parser */
  placeOf(offset: number): Position | undefined {
    const tag = this.#tagAt(offset)
    return tag === undefined ? undefined : this.#span(tag.node, tag.index, 0)
  }

  /**
   * The source range of an attribute's value, or of a part of it.
   *
   * @param offset of its tag, as counted by the HTML parser
   * @param part of the value; `at` is its index in the value
   * @returns undefined for a value with character references, or one that spans lines
   */
  valueSpan(offset: number, name: string, part: { text: string; at: number }): Span | undefined {
    if (this.#last?.offset !== offset || this.#last.name !== name) {
      const tag = this.#tagAt(offset)
      this.#last = { offset, name, value: tag && attributeValue(tag, name) }
    }
    const { value } = this.#last
    if (value?.text.startsWith(part.text, part.at) !== true) return undefined
    return this.#span(value.node, value.index + part.at, part.text.length)
  }

  /** Cost: O(log fragments). */
  #tagAt(offset: number): TagPlace | undefined {
    const node = this.#nodes[firstAbove(this.#nodes, (one) => startOf(one) > offset) - 1]
    if (node === undefined) return undefined
    const index = offset - startOf(node)
    return node.value[index] === '<' ? { node, index } : undefined
  }

  /**
   * The range in the body of a part of one line of a fragment; undefined when the texts differ.
   *
   * The fragment's text may lack characters at the start of a line, never at its end. Positions are therefore counted
   * from the end.
   */
  #span(node: Html, index: number, length: number): Span | undefined {
    const lines = this.#linesOf(node)
    const inText = lineAt(lines, index)
    const line = (node.position?.start.line ?? 1) - 1 + inText
    this.#bodyLines ??= linesIn(this.#body)
    const [textLine, bodyLine] = [lines[inText], this.#bodyLines[line]]
    if (textLine === undefined || bodyLine === undefined) return undefined
    const end = Math.min(bodyLine.end, (node.position?.end.offset ?? 0) + this.#shift)
    const start = end - (textLine.end - index)
    const text = node.value.slice(index, index + Math.max(1, length))
    if (!this.#body.startsWith(text, start)) return undefined
    const from = start - this.#shift
    const column = start - bodyLine.start + 1 - (line === 0 ? this.#shift : 0)
    return { start: from, end: from + length, line: line + 1, column }
  }

  #linesOf(node: Html): readonly Line[] {
    const lines = this.#textLines.get(node) ?? linesIn(node.value)
    this.#textLines.set(node, lines)
    return lines
  }
}

/** A line without its line end. */
interface Line {
  readonly start: number
  readonly end: number
}

function linesIn(text: string): readonly Line[] {
  let start = 0
  const lines: Line[] = []
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index })
    start = match.index + match[0].length
  }
  return [...lines, { start, end: text.length }]
}

/** Cost: O(log lines). */
function lineAt(lines: readonly Line[], index: number): number {
  return firstAbove(lines, ({ start }) => start > index) - 1
}

/** Index of the first item for which the predicate holds; it must hold for all items after it. */
function firstAbove<T>(items: readonly T[], isAbove: (item: T) => boolean): number {
  let [from, to] = [0, items.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (isAbove(items[middle] as T)) to = middle
    else from = middle + 1
  }
  return from
}

function startOf({ position }: Html): number {
  return position?.start.offset ?? 0
}

/** The raw value of an attribute, and its index in the text of its fragment. */
interface Value {
  readonly node: Html
  readonly text: string
  readonly index: number
}

/**
 * The first attribute of a name.
 *
 * @returns undefined for a value with character references, or one that spans lines
 */
function attributeValue({ node, index }: TagPlace, name: string): Value | undefined {
  const tag = /<[a-z][^\s/>]*/iy
  tag.lastIndex = index
  if (!tag.test(node.value)) return undefined
  const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?/y
  attribute.lastIndex = tag.lastIndex
  for (let match = attribute.exec(node.value); match !== null; match = attribute.exec(node.value)) {
    if (match[1]?.toLowerCase() !== name) continue
    const text = match[3] ?? match[4] ?? match[5]
    const quote = match[5] === undefined ? 1 : 0
    return text === undefined || /[&\r\n]/.test(text)
      ? undefined
      : { node, text, index: attribute.lastIndex - quote - text.length }
  }
  return undefined
}
