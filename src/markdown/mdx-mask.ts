// Masks what the parser of MDX cannot read, without moving other text: statements, Markdown's own markup, and the braces
// of strings. Reads the strings.
import type { Root, RootContent } from 'mdast'
import type { Position } from '../diagnostics.ts'

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
    if (node.type === 'html') blanks.push(...commentsIn(body, start, end))
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

function* commentsIn(body: string, start: number, end: number): Generator<Range> {
  const html = body.slice(start, end)
  for (let from = html.indexOf('<!--'); from !== -1; from = html.indexOf('<!--', from)) {
    const close = html.indexOf('-->', from + 4)
    if (close === -1) return
    yield { start: start + from, end: start + close + 3 }
    from = close + 3
  }
}

/** The positions of all statements. @param ranges gets theirs */
function statementsIn(body: string, tree: Root, ranges: Range[]): readonly Position[] {
  const places: Position[] = []
  const isStatement = statementTest(body)
  let last = 0
  for (const node of tree.children) {
    if (node.type !== 'paragraph') continue
    const { start, end } = rangeOf(node)
    // Consecutive statements, each on a new line.
    let line = node.position?.start.line ?? 1
    for (let at = start; at >= last && at < end && isStatement(at); at = last + 1) {
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

/** The end of a statement: the first line end at which all brackets and strings are closed, or the end of the body. */
function statementEnd(body: string, start: number): number {
  let depth = 0
  for (let at = start; at < body.length; at++) {
    const character = body[at] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character)) depth--
    else if ('"\'`'.includes(character)) at = stringEnd(body, at)
    else if (character === '\n' && depth <= 0 && !continues(body, at)) return at
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
function stringEnd(body: string, start: number): number {
  const quote = body[start]
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === '\\') at++
    else if (body[at] === quote) return at
    else if (body[at] === '\n' && quote !== '`') return at - 1
  }
  return body.length
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
