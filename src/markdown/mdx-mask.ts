// Masks MDX statements and Markdown-only markup without moving other text.
import type { Root, RootContent } from 'mdast'
import type { Position } from '../diagnostics.ts'

/** A text of the same length, and the positions of the statements. */
export interface MaskedMdx {
  readonly text: string
  readonly statements: readonly Position[]
}

/**
 * Replaces `import` and `export` statements, HTML comments and the brackets of autolinks by spaces: MDX has no syntax
 * for them.
 *
 * @param tree of the body as Markdown
 *
 * Cost: O(length).
 */
export function maskMdx(body: string, tree: Root): MaskedMdx {
  const shift = shiftOf(body)
  const statements: Position[] = []
  const mask = new Mask(body)
  const isStatement = statementTest(body)
  for (const node of tree.children) {
    const { start, end } = rangeOf(node, shift)
    if (node.type !== 'paragraph') continue
    // Consecutive statements, each on a new line.
    let line = node.position?.start.line ?? 1
    for (let at = start; at >= mask.end && at < end && isStatement(at); at = mask.end + 1) {
      statements.push({ line, column: 1 })
      mask.blank(at, statementEnd(body, at))
      line += body.slice(at, mask.end + 1).split('\n').length - 1
    }
  }
  maskMarkup(mask, body, tree)
  return { text: mask.text(), statements }
}

/** Masks HTML comments and the brackets of autolinks. */
function maskMarkup(mask: Mask, body: string, tree: Root): void {
  const shift = shiftOf(body)
  const waiting: RootContent[] = [...tree.children]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { start, end } = rangeOf(node, shift)
    if (node.type === 'html') maskComments(mask, body, start, end)
    if (node.type === 'link' && body[start] === '<') {
      mask.blank(start, start + 1)
      mask.blank(end - 1, end)
    }
    if ('children' in node) waiting.push(...node.children)
  }
}

/** The parser drops a byte order mark. */
function shiftOf(body: string): number {
  return body.startsWith('\uFEFF') ? 1 : 0
}

function rangeOf({ position }: RootContent, shift: number): { start: number; end: number } {
  return {
    start: (position?.start.offset ?? 0) + shift,
    end: (position?.end.offset ?? 0) + shift,
  }
}

/** Replaces ranges of a text by spaces; line ends stay. */
class Mask {
  readonly #body: string
  readonly #ranges: { readonly start: number; readonly end: number }[] = []
  /** The end of the last range. */
  end = 0

  constructor(body: string) {
    this.#body = body
  }

  blank(start: number, end: number): void {
    this.#ranges.push({ start, end })
    this.end = end
  }

  text(): string {
    let text = ''
    let from = 0
    for (const { start, end } of this.#ranges.sort((a, b) => a.start - b.start)) {
      if (end <= from) continue
      const at = Math.max(start, from)
      text += this.#body.slice(from, at) + this.#body.slice(at, end).replace(/[^\r\n]/g, ' ')
      from = end
    }
    return text + this.#body.slice(from)
  }
}

const statement =
  /(?:import\s*(?:[\w*{$'"])|export\s+(?:const|let|var|function|default|async|class|type|interface)\b|export\s*[{*])/y

/**
 * Tells statements from sentences that begin with their keyword. An import has its source before a blank line.
 *
 * Cost: O(length) for all calls, which have ascending starts.
 */
function statementTest(body: string): (start: number) => boolean {
  const nextBlank = finder(body, /\n\n/g)
  const nextSource = finder(body, /\sfrom(?:[^\S\n]|\n(?!\n))*['"]/g)
  const bareImport = /import(?:[^\S\n]|\n(?!\n))*['"]/y
  return (start) => {
    statement.lastIndex = start
    if (!statement.test(body)) return false
    bareImport.lastIndex = start
    if (body.startsWith('export', start) || bareImport.test(body)) return true
    return nextSource(start) < nextBlank(start)
  }
}

/** The index of the next match at or after a start; infinite when there is none. Starts ascend. */
function finder(body: string, pattern: RegExp): (start: number) => number {
  let found = -1
  return (start) => {
    if (found < start) {
      pattern.lastIndex = start
      found = pattern.exec(body)?.index ?? Number.POSITIVE_INFINITY
    }
    return found
  }
}

/**
 * The end of a statement: the first line end at which all brackets and strings are closed, or the end of the body.
 */
function statementEnd(body: string, start: number): number {
  let depth = 0
  let at = start
  while (at < body.length) {
    const character = body[at] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if ('"\'`'.includes(character)) at = textEnd(body, at)
    else if (character === '\n' && depth <= 0 && !continues(body, at)) return at
    at++
  }
  return body.length
}

/** True when the next line continues the statement; Markdown ends it at a blank line. */
function continues(body: string, lineEnd: number): boolean {
  const next = body.slice(lineEnd + 1, lineEnd + 200)
  return (
    /^[ \t]*(?:[.?:,)\]}&|+=]|from\b)/.test(next) ||
    /[=,(+&|?:{]\s*$/.test(body.slice(Math.max(0, lineEnd - 50), lineEnd))
  )
}

/** Index of the closing quote of a string; strings in single or double quotes end with their line. */
function textEnd(body: string, start: number): number {
  const quote = body[start]
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === '\\') at++
    else if (body[at] === quote) return at
    else if (body[at] === '\n' && quote !== '`') return at - 1
  }
  return body.length
}

function maskComments(mask: Mask, body: string, start: number, end: number): void {
  const html = body.slice(start, end)
  for (let from = html.indexOf('<!--'); from !== -1; from = html.indexOf('<!--', from)) {
    const close = html.indexOf('-->', from + 4)
    if (close === -1) return
    mask.blank(start + from, start + close + 3)
    from = close + 3
  }
}
