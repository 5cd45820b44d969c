// Reads MDX as Markdown: HTML elements and the children of components stay; statements and expressions go, and are
// reported. Never evaluates JavaScript.

import type { Nodes, Paragraph, Parent, PhrasingContent, Root, RootContent } from 'mdast'
import type { MdxFlowExpression, MdxTextExpression } from 'mdast-util-mdx-expression'
import { find, html as htmlAttributes } from 'property-information'
import { type Position, quote } from '../diagnostics.ts'
import { isComments } from './authored-html.ts'
import { markIn } from './excerpt.ts'
import { escapeAttribute } from './html.ts'
import type { Jsx } from './mdx-syntax.ts'
import { bodyStart, type Problem, placeOf } from './problem.ts'
import { parseMarkdown, parseMdx } from './processor.ts'
import { schema } from './schema.ts'

/** A body as Markdown. */
export interface ReadMdx {
  readonly tree: Root
  /** The HTML elements in JSX. */
  readonly elements: readonly Jsx[]
  readonly problems: readonly Problem[]
  /** The offset of the mark that ends the excerpt; null for none. */
  readonly mark: number | null
}

/**
 * Reads an MDX body; one with invalid JSX is read as Markdown with HTML.
 *
 * @param keepsHtml keeps HTML elements; otherwise only their content
 */
export function readMdx(body: string, keepsHtml: boolean): ReadMdx {
  const markdown = parseMarkdown(body)
  const { text, statements } = maskMdx(body, markdown)
  const mark = markIn(markdown, body)
  try {
    const tree = parseMdx(text)
    const reader = new JsxReader(statements, keepsHtml)
    reader.read(tree)
    return { tree, elements: reader.elements, problems: reader.problems(), mark }
  } catch (error) {
    if (!isSyntaxError(error)) throw error
    return { tree: parseMarkdown(unmasked(text)), elements: [], problems: [invalid(error)], mark }
  }
}

/** An error of the parser (a VFileMessage) about a tag or an expression. */
interface MdxSyntaxError extends Error {
  readonly reason: string
  readonly line?: number
  readonly column?: number
}

function isSyntaxError(error: unknown): error is MdxSyntaxError {
  return error instanceof Error && 'reason' in error && typeof error.reason === 'string'
}

function invalid({ reason, line, column }: MdxSyntaxError): Problem {
  // The position of an unclosed tag appears only in the message.
  const [, textLine, textColumn] = /\((\d+):(\d+)-/.exec(reason) ?? []
  const shown = reason.replace(/ \(\d+:\d+-\d+:\d+\)/g, '').slice(0, 200)
  return {
    line: line ?? Number(textLine ?? bodyStart.line),
    column: column ?? Number(textColumn ?? bodyStart.column),
    code: 'mdx-syntax',
    severity: 'warning',
    message: `This is not valid MDX, so the body is read as Markdown with HTML: ${shown}.`,
    hint: 'Close every element and brace; write "\\{" and "&lt;" for characters of the text.',
  }
}

/** Converts the JSX and the expressions of a tree to Markdown and HTML. */
class JsxReader {
  readonly elements: Jsx[] = []
  readonly #keepsHtml: boolean
  /** Removed names and their number. */
  readonly #left = new Map<string, number>()
  #first: Position | undefined

  /** @param statements positions of removed statements */
  constructor(statements: readonly Position[], keepsHtml: boolean) {
    this.#keepsHtml = keepsHtml
    for (const place of statements) this.#leave('import and export statements', place)
  }

  /** Converts a tree in place. Without recursion: a tree may be deeper than the stack. */
  read(tree: Root): void {
    const waiting: Parent[] = [tree]
    for (let parent = waiting.pop(); parent !== undefined; parent = waiting.pop()) {
      for (let at = 0; at < parent.children.length; ) {
        const node = parent.children[at] as Nodes
        const replaced = this.#replacement(node, parent, at === parent.children.length - 1)
        if (replaced !== undefined) {
          parent.children.splice(at, 1, ...(replaced as typeof parent.children))
          continue
        }
        if ('children' in node) waiting.push(node)
        at++
      }
    }
  }

  /** One warning for all removals. */
  problems(): readonly Problem[] {
    if (this.#first === undefined) return []
    const names = [...this.#left].map(([name, count]) =>
      count === 1 ? name : `${name} (${count})`,
    )
    const shown = names.slice(0, shownMax).join(', ')
    const more = names.length > shownMax ? ` and ${names.length - shownMax} more` : ''
    return [
      {
        ...this.#first,
        code: 'mdx-left-out',
        severity: 'warning',
        message: `MDX is read as Markdown. Left out: ${shown}${more}.`,
        hint: 'The children of components are kept; write what is missing in Markdown or HTML.',
      },
    ]
  }

  /** @returns the replacement of a node; undefined when it stays */
  #replacement(node: Nodes, parent: Parent, isLast: boolean): readonly Nodes[] | undefined {
    if (node.type === 'mdxFlowExpression' || node.type === 'mdxTextExpression') {
      return this.#expression(node, parent, isLast)
    }
    if (node.type === 'paragraph') return this.#keepsHtml ? blocksIn(node) : undefined
    if (!isJsx(node) || node.data?.startTag !== undefined) return undefined
    const { name } = node
    if (name !== null && this.#keepsHtml && isHtml(name)) {
      this.#keep(node, name)
      return undefined
    }
    if (name !== null) this.#leave(`<${name.slice(0, 40)}>`, placeOf(node))
    return node.children
  }

  /** The text of a literal, an id at the end of a heading, or nothing. */
  #expression(
    node: MdxFlowExpression | MdxTextExpression,
    parent: Parent,
    isLast: boolean,
  ): readonly Nodes[] {
    const value = unmasked(node.value)
    const id = /^(?:#|\/\*\s*)([\p{L}\p{N}_.:-]+)(?:\s*\*\/)?$/u.exec(value.trim())?.[1]
    if (id !== undefined && isLast && parent.type === 'heading') {
      const before = parent.children.at(-2)
      if (before?.type === 'text') before.value = before.value.trimEnd()
      return [textOf(` {#${id}}`)]
    }
    if (isComments(value, '/*', '*/')) return []
    const literal = literalOf(value)
    if (literal === undefined) {
      this.#leave(quote(`{${value}}`), placeOf(node))
      return []
    }
    const text = textOf(literal)
    return node.type === 'mdxFlowExpression' ? [{ type: 'paragraph', children: [text] }] : [text]
  }

  /** Keeps an element as HTML. */
  #keep(node: Jsx, name: string): void {
    let startTag = `<${name}`
    for (const attribute of node.attributes) {
      const isNamed = attribute.type === 'mdxJsxAttribute'
      const written = isNamed ? attribute.name : '{…}'
      const value = isNamed ? attributeValue(attribute.value) : undefined
      const { property, attribute: html } = find(htmlAttributes, written)
      const kept = value === undefined ? undefined : keptValue(name, property, value)
      if (kept !== undefined) startTag += ` ${html}="${escapeAttribute(kept)}"`
      // `key` matters only to React.
      else if (written !== 'key')
        this.#leave(`the attribute ${written.slice(0, 40)}`, placeOf(node))
    }
    if (phrasingParents.test(name)) {
      node.children = node.children.flatMap((child) =>
        child.type === 'paragraph' ? child.children : [child],
      ) as typeof node.children
    }
    const endTag = voidElements.test(name) ? '' : `</${name}>`
    node.data = { ...node.data, startTag: `${startTag}>`, endTag }
    this.elements.push(node)
  }

  #leave(what: string, { line, column }: Position): void {
    this.#left.set(what, (this.#left.get(what) ?? 0) + 1)
    this.#first ??= { line, column }
  }
}

const shownMax = 12

/** Elements that cannot contain a paragraph. */
const phrasingParents = /^(?:p|h[1-6]|summary)$/
const voidElements = /^(?:br|hr|img|input|source)$/
const blocks =
  /^(?:blockquote|details|div|dl|dt|dd|figcaption|figure|h[1-6]|hr|li|ol|p|picture|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)$/

function isJsx(node: Nodes): node is Jsx {
  return node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement'
}

/** The elements of a paragraph of block elements only, which needs no paragraph around them. */
function blocksIn({ children }: Paragraph): readonly Nodes[] | undefined {
  const elements = children.filter((child) => child.type !== 'text' || child.value.trim() !== '')
  const areBlocks = elements.every((child) => isJsx(child) && blocks.test(child.name ?? ''))
  return areBlocks && elements.length > 0 ? elements : undefined
}

function textOf(value: string): PhrasingContent {
  return { type: 'text', value }
}

/** True for an allowed HTML element; component names begin with a capital or contain a dot or a hyphen. */
function isHtml(name: string): boolean {
  return /^[a-z][a-z0-9]*$/.test(name) && schema.tagNames?.includes(name) === true
}

/** @returns undefined for a value that only JavaScript can compute */
function attributeValue(
  value: string | null | undefined | { readonly value: string },
): string | undefined {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? unmasked(value) : literalOf(unmasked(value.value))
}

/** @returns undefined for an attribute without meaning in a page without scripts and styles */
function keptValue(tagName: string, property: string, value: string): string | undefined {
  if (property === 'className') {
    return tagName === 'code' ? /(?<!\S)language-\S+/.exec(value)?.[0] : undefined
  }
  const allowed = [schema.attributes?.[tagName] ?? [], schema.attributes?.['*'] ?? []].flat()
  const isAllowed = allowed.some(
    (entry) => (typeof entry === 'string' ? entry : entry[0]) === property,
  )
  return isAllowed ? value : undefined
}

/** A text of the same length, and the positions of the statements. */
export interface MaskedMdx {
  readonly text: string
  readonly statements: readonly Position[]
}

/**
 * Replaces `import` and `export` statements, HTML comments and the brackets of autolinks by spaces, and the braces in
 * `{'{'}` by other characters: see `unmasked`.
 *
 * @param tree of the body as Markdown
 *
 * Cost: O(length).
 */
export function maskMdx(body: string, tree: Root): MaskedMdx {
  const blanks: Range[] = []
  const statements = statementsIn(body, tree, blanks)
  const code: Range[] = []
  const waiting: RootContent[] = tree.children.toReversed()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { start, end } = rangeOf(node)
    if (node.type === 'code' || node.type === 'inlineCode') code.push({ start, end })
    if (node.type === 'html') blanks.push(...commentsIn(body.slice(start, end), start))
    if (node.type === 'link' && body[start] === '<') {
      blanks.push({ start, end: start + 1 }, { start: end - 1, end })
    }
    if ('children' in node) waiting.push(...node.children.toReversed())
  }
  let next = 0
  const text = blanked(body, blanks).replace(stringExpression, (expression, at: number) => {
    while ((code[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    const isCode = (code[next]?.start ?? Number.POSITIVE_INFINITY) <= at
    return isCode ? expression : `{${expression.slice(1, -1).replace(/[{}]/g, maskBrace)}}`
  })
  return { text, statements }
}

interface Range {
  readonly start: number
  readonly end: number
}

function rangeOf({ position }: RootContent): Range {
  return { start: position?.start.offset ?? 0, end: position?.end.offset ?? 0 }
}

/** Replaces ranges of a text by spaces; line ends stay. */
function blanked(body: string, ranges: readonly Range[]): string {
  let text = ''
  let from = 0
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue
    const at = Math.max(start, from)
    text += body.slice(from, at) + body.slice(at, end).replace(/[^\r\n]/g, ' ')
    from = end
  }
  return text + body.slice(from)
}

/** The closed comments of a text. @param from its offset in the body */
function commentsIn(text: string, from: number): readonly Range[] {
  // A comment that does not close takes the rest.
  return Array.from(text.matchAll(/<!--[\s\S]*?(-->|$)/g), ({ 0: comment, 1: close, index }) => {
    return { start: from + index, end: from + index + (close === '' ? 0 : comment.length) }
  })
}

/** The positions of all statements. @param ranges gets theirs */
function statementsIn(body: string, tree: Root, ranges: Range[]): readonly Position[] {
  const places: Position[] = []
  let last = 0
  for (const node of tree.children) {
    if (node.type !== 'paragraph') continue
    const { start, end } = rangeOf(node)
    // Consecutive statements, each on a new line.
    let line = node.position?.start.line ?? 1
    for (let at = start; at >= last && at < end && isStatement(body, at); at = last + 1) {
      places.push({ line, column: 1 })
      last = statementEnd(body, at)
      ranges.push({ start: at, end: last })
      line += body.slice(at, last + 1).split('\n').length - 1
    }
  }
  return places
}

const statement =
  /(?:import\s*(?:[\w*{$'"])|export\s+(?:const|let|var|function|default|async|class|type|interface)\b|export\s*[{*])/y

/** Tells statements from sentences that begin with their keyword. An import has its source before a blank line. */
function isStatement(body: string, start: number): boolean {
  statement.lastIndex = start
  if (!statement.test(body)) return false
  if (body.startsWith('export', start)) return true
  const blank = body.indexOf('\n\n', start)
  return /^import\s*['"]|\sfrom\s*['"]/.test(body.slice(start, blank === -1 ? undefined : blank))
}

/** The end of a statement: the first line end at which all brackets and strings are closed, or the end of the body. */
function statementEnd(body: string, start: number): number {
  let depth = 0
  for (const { 0: token, index } of body.slice(start).matchAll(tokens)) {
    if ('([{'.includes(token)) depth++
    else if (')]}'.includes(token)) depth--
    else if (token === '\n' && depth <= 0 && !continues(body, start + index)) return start + index
  }
  return body.length
}

/** Brackets, line ends and strings; one in single or double quotes ends with its line. */
const tokens =
  /[()[\]{}\n]|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`(?:[^`\\]|\\[\s\S])*`?/g

/** True when the next line continues the statement; Markdown ends it at a blank line. */
function continues(body: string, lineEnd: number): boolean {
  const next = body.slice(lineEnd + 1, lineEnd + 200)
  return (
    /^[ \t]*(?:[.?:,)\]}&|+=]|from\b)/.test(next) ||
    /[=,(+&|?:{]\s*$/.test(body.slice(Math.max(0, lineEnd - 50), lineEnd))
  )
}

const stringExpression =
  /\{\s*(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`)\s*\}/g

/** Private-use characters in place of braces. */
const braces = { '{': '\u{F8F3}', '}': '\u{F8F4}' } as const

function maskBrace(brace: string): string {
  return brace === '{' ? braces['{'] : braces['}']
}

/** Restores the braces of strings. */
export function unmasked(text: string): string {
  return text.replaceAll(braces['{'], '{').replaceAll(braces['}'], '}')
}

/**
 * The text of a JavaScript literal: a string, a template without expressions, a number, or `true` (as ''); undefined for
 * everything else.
 */
export function literalOf(expression: string): string | undefined {
  const source = expression.trim()
  if (/^-?\d+(?:\.\d+)?$/.test(source)) return source
  if (source === 'true') return ''
  const [, quote = '', text = ''] = /^(["'`])([\s\S]*)\1$/.exec(source) ?? []
  const isLiteral = {
    '"': /^(?:[^"\\\n]|\\[\s\S])*$/,
    "'": /^(?:[^'\\\n]|\\[\s\S])*$/,
    '`': /^(?:[^`\\$]|\$(?!\{)|\\[\s\S])*$/,
  }[quote]
  if (isLiteral?.test(text) !== true) return undefined
  let isValid = true
  const literal = text.replace(escapes, (all, long, short, byte, character: string | undefined) => {
    if (character !== undefined) return singles[character] ?? character
    const code = Number.parseInt(long ?? short ?? byte ?? 'x', 16)
    isValid &&= code <= 0x10_ffff
    return isValid ? String.fromCodePoint(code) : all
  })
  return isValid ? literal : undefined
}

/** An escape; one that JavaScript does not have matches no group. */
const escapes = /\\(?:u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2})|([^ux0-9])|[\s\S])/gi

const singles: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '\n': '' },
}
