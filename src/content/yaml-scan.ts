// Tokenizes YAML. Rejects features that content does not need: tags, directives, control characters and unlimited
// depth.
import type { CST } from 'yaml'
import { Lexer, Parser } from 'yaml'
import type { Finding, Problem } from './source.ts'
import { quoteExcerpt } from './source.ts'
import { maxDepth, tooDeep } from './yaml-limits.ts'

/** The findings of one pass over the text. */
export interface YamlScan {
  readonly tokens: readonly CST.Token[]
  readonly findings: readonly Finding[]
  /** Offsets of flow collections without a closing bracket; ascending. */
  readonly unclosed: readonly number[]
  /** False if scanning stopped early: the tokens are then useless. */
  readonly isWhole: boolean
}

// The lexer's mark before the text of a scalar. Text that contains this character is rejected before lexing.
const SCALAR_MARK = '\u001f'

// The lexer's mark for flow collections that are open at the end of their text.
const FLOW_END_MARK = '\u0018'

// Non-printable characters of YAML 1.2 §5.1 that UTF-8 can encode, and carriage returns that do not end a line.
const CONTROL_CHARACTER = /(?![\t\n\r\u0085])\p{Cc}|\r(?!\n)/u

/**
 * Tokenizes a YAML text.
 *
 * Tokens nest at most 20 collections deep, so that their readers may recurse. The limit is checked during tokenization,
 * before the library recurses.
 */
export function scanYaml(text: string): YamlScan {
  const control = findControlCharacter(text)
  if (control !== undefined)
    return { tokens: [], findings: [control], unclosed: [], isWhole: false }
  const parser = new Parser()
  const tokens: CST.Token[] = []
  const findings: Finding[] = []
  const unclosed: number[] = []
  let isScalar = false
  for (const lexeme of newLexer().lex(text)) {
    const offset = parser.offset
    const problem = isScalar ? undefined : CHECKS.get(lexeme.charAt(0))?.(lexeme)
    if (problem !== undefined) findings.push({ ...problem, offset })
    if (!isScalar && lexeme === FLOW_END_MARK) unclosed.push(...openBracket(parser.stack))
    isScalar = !isScalar && lexeme === SCALAR_MARK
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (isTooDeep(parser.stack)) {
      const finding = { ...tooDeep, offset }
      return { tokens: [], findings: [...findings, finding], unclosed, isWhole: false }
    }
  }
  unclosed.push(...openBracket(parser.stack))
  for (const token of parser.end()) tokens.push(token)
  return { tokens, findings, unclosed, isWhole: true }
}

/** Returns a lexer that lets quoted text continue at the first column, like libyaml, and thus Jekyll and Hugo. */
function newLexer(): Lexer {
  const lexer = new Lexer()
  const parseQuoted: () => Generator<string, unknown> = Reflect.get(lexer, 'parseQuotedScalar')
  Reflect.set(lexer, 'parseQuotedScalar', function* (this: { indentNext: number }) {
    const { indentNext } = this
    this.indentNext = 0
    const next = yield* parseQuoted.call(this)
    this.indentNext = indentNext
    return next
  })
  return lexer
}

const QUOTE_HINT = 'Put it in quotes if it is text; otherwise write the value out.'

// By the first character of a lexeme that is not a plain or block scalar.
const CHECKS: ReadonlyMap<string, (lexeme: string) => Problem | undefined> = new Map([
  // "!" alone, as Ruby writes it, makes a scalar text, which it already is.
  ['!', (it) => (it === '!' ? undefined : refusedTag(it))],
  ['%', () => DIRECTIVE],
  ['"', checkQuotes],
  ["'", checkQuotes],
])

const DIRECTIVE: Problem = {
  code: 'yaml-syntax',
  message: 'Directives are not read.',
  hint: 'Remove the line.',
}

const UNCLOSED: Problem = {
  code: 'yaml-syntax',
  message: 'The closing quote of this value is missing.',
  hint: 'Close it.',
}

function findControlCharacter(text: string): Finding | undefined {
  const offset = text.search(CONTROL_CHARACTER)
  if (offset === -1) return undefined
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0')
  const message = `The control character U+${code} is not allowed here.`
  return {
    offset,
    code: 'yaml-syntax',
    message,
    hint: 'Remove it, or write it as an escape in double quotes.',
  }
}

function refusedTag(tag: string): Problem {
  const message = `The tag ${quoteExcerpt(tag)} is not supported.`
  return { code: 'yaml-tag', message, hint: QUOTE_HINT }
}

// The library takes an escaped final quote for the closing one.
function checkQuotes(lexeme: string): Problem | undefined {
  const quote = lexeme.charAt(0)
  if (lexeme.length < 2 || !lexeme.endsWith(quote)) return UNCLOSED
  const inner = lexeme.slice(1, -1)
  const escapes = quote === '"' ? trailingBackslashes(inner) : inner.split(quote).length - 1
  return escapes % 2 === 0 ? undefined : UNCLOSED
}

function trailingBackslashes(text: string): number {
  let end = text.length
  while (text.charAt(end - 1) === '\\') end -= 1
  return text.length - end
}

// Returns the offset of the innermost open bracket.
function openBracket(stack: readonly CST.Token[]): readonly number[] {
  const open = stack.findLast((it) => it.type === 'flow-collection' && it.end.length === 0)
  return open === undefined ? [] : [open.offset]
}

function isTooDeep(stack: readonly CST.Token[]): boolean {
  if (stack.length <= maxDepth) return false
  return stack.filter((token) => 'items' in token).length > maxDepth
}
