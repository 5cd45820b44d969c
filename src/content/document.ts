// Splits a Markdown file after its front matter, without parsing: fences, their language, and lines that only look like
// a fence. Loads no parser.
import { hash } from 'node:crypto'
import matter from 'gray-matter'
import { diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { RawDocument, Read, YamlMap } from './raw.ts'
import { diagnose, type Finding, plainText, quoteExcerpt } from './source.ts'
import { parseToml } from './toml.ts'
import { findConflicts, parseYaml } from './yaml.ts'

/** A Markdown file in two parts. */
export interface SplitDocument {
  /** Everything before the body, with fences; empty without front matter. */
  readonly head: string
  /** Everything after the closing fence's line break, byte for byte. */
  readonly body: string
  /** SHA-256 of the body and its language, hexadecimal: MDX renders differently from the same text as Markdown. */
  readonly bodyHash: string
  /** Line of the file on which `body` begins, from 1. */
  readonly bodyLine: number
  /** The source lines of front matter problems: the front matter, or the first line of a file without any. */
  readonly source: string
}

/** Splits a Markdown file; no value for wrong fences, long front matter or a conflict. CRLF and CR are read as LF. */
export function splitDocument(
  file: string,
  text: string,
  frontMatterMax: number = frontMatterUsual,
): Read<SplitDocument> {
  const plain = plainText(text)
  const fences = findFences(plain)
  const problems = problemsOf(plain, fences, frontMatterMax)
  if (problems.length > 0) return { diagnostics: problems.map((it) => diagnose(file, plain, it)) }
  const end = fences !== undefined && 'body' in fences ? fences.body : 0
  const head = plain.slice(0, end)
  const body = plain.slice(end)
  const lines = head.split('\n').length
  // Without a line break after the closing fence, the body is empty and begins on the line that would follow.
  const bodyLine = head === '' || head.endsWith('\n') ? lines : lines + 1
  const bodyHash = hash('sha256', `${file.endsWith('.mdx') ? 'mdx' : 'md'}\0${body}`)
  const source = head === '' ? body.split('\n', 1).join('') : head
  return { value: { head, body, bodyHash, bodyLine, source }, diagnostics: [] }
}

function problemsOf(text: string, fences: Fences, frontMatterMax: number): readonly Finding[] {
  if (text.trim() === '') return [{ ...emptyFile, offset: 0 }]
  const isFound = fences !== undefined && 'body' in fences
  const conflicts = findConflicts(text, isFound ? fences.body : 0)
  if (conflicts.length > 0 || fences === undefined) return conflicts
  if (!isFound) return [fences]
  const bytes = Buffer.byteLength(text.slice(fences.start, fences.end))
  return bytes > frontMatterMax ? [{ ...tooLarge(bytes, frontMatterMax), offset: 0 }] : []
}

/** gray-matter looks for comments with an expression that is quadratic in a run of line breaks. */
const frontMatterUsual = 64 * 1024

/** Location of front matter in a text, in UTF-16 code units. */
export interface FencePlaces {
  /** By fence: `---`, `+++`, and an object in braces. */
  readonly language: 'yaml' | 'toml' | 'json'
  /** Start of the front matter: after the opening fence, or at the opening brace. */
  readonly start: number
  /** End of the front matter: at the closing fence, or after the closing brace. */
  readonly end: number
  /** Start of the line after the front matter. */
  readonly body: number
}

/** Undefined without front matter; a finding for a fence that is not one. */
type Fences = FencePlaces | Finding | undefined

/**
 * An opening fence is a first line of `---`, `---yaml` or `+++`, the closing one the next line of `---` or `+++`; blanks
 * may follow. A text that begins with a brace and a quoted key has JSON front matter. A line that other parsers accept as
 * a fence is an error.
 */
function findFences(text: string): Fences {
  if (/^\{\s*"/.test(text)) return findBraces(text)
  const opening = lineAt(text, 0)
  const fence = opening.slice(0, 3)
  if (/^(?:---(?:yaml)?|\+\+\+)[ \t]*$/.test(opening)) return findClosing(text, fence)
  const [, language = 'yaml'] = /^---[ \t]*(\w+)[ \t]*$/.exec(opening) ?? []
  if (language !== 'yaml') return otherLanguage(language)
  if (/^(?:---(?!-)|\+\+\+\s*$)/u.test(opening)) return notExact(opening, 'opens', fence, 0)
  const [keys = ''] = /^(?:[\w-]+:.*\n|[ \t].*\n|- .*\n)+---[ \t]*(?:\n|$)/.exec(text) ?? []
  if (/^title:/m.test(keys)) return { ...unopened, offset: 0 }
  // A fence after empty lines, or an indented one, with a line that would close it.
  const trimmed = text.trimStart()
  const [, mark] = /^(---|\+\+\+)(?:yaml)?[ \t]*\n/.exec(trimmed) ?? []
  const offset = text.length - trimmed.length
  return mark && offset > 0 && trimmed.includes(`\n${mark}`) ? { ...misplaced, offset } : undefined
}

function findClosing(text: string, fence: string): Fences {
  const end = text.indexOf(`\n${fence}`) + 1
  if (end === 0) return unclosed(orBreak(`Close it with a line of exactly "${fence}"`, fence))
  const closing = lineAt(text, end)
  if (closing.trimEnd() !== fence || /[^ \t+-]/.test(closing))
    return notExact(closing, 'closes', fence, end)
  const body = Math.min(end + closing.length + 1, text.length)
  const language = fence === '---' ? 'yaml' : 'toml'
  return { language, start: text.indexOf('\n') + 1, end, body }
}

function findBraces(text: string): Fences {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (sign === '{') depth++
    if (sign !== '}' || --depth > 0) continue
    const end = index + 1
    const rest = lineAt(text, end)
    if (rest.trim() !== '') return { ...behindBrace, offset: end }
    return { language: 'json', start: 0, end, body: Math.min(end + rest.length + 1, text.length) }
  }
  return unclosed('Close the object with "}".')
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.slice(start) : text.slice(start, end)
}

const unopened: Problem = {
  code: 'front-matter-fence',
  message: 'The front matter has no line of "---" above it.',
  hint: 'Write one on the first line of the file.',
}

const misplaced: Problem = {
  code: 'front-matter-fence',
  message: 'Front matter must begin on the first line, without spaces before it.',
  hint: orBreak('Move this line to the beginning of the file'),
}

const behindBrace: Problem = {
  code: 'front-matter-fence',
  message: 'Text follows the brace that closes the front matter.',
  hint: 'Begin the text on the next line.',
}

function otherLanguage(language: string): Finding {
  const message = `Front matter in ${quoteExcerpt(language)} is not supported.`
  const hint =
    'Write YAML between two lines of "---", TOML between two lines of "+++", or a JSON object.'
  return { code: 'front-matter-language', message, hint, offset: 0 }
}

function orBreak(hint: string, fence = '---'): string {
  return fence === '---' ? `${hint}; write "***" for a thematic break.` : `${hint}.`
}

function unclosed(hint: string): Finding {
  const message = 'The front matter that begins here is never closed.'
  return { code: 'front-matter-unclosed', message, hint, offset: 0 }
}

function notExact(line: string, does: string, fence: string, offset: number): Finding {
  return {
    code: 'front-matter-fence',
    message: `This line ${does} the front matter, but it is ${quoteExcerpt(line)}.`,
    hint: orBreak(`Make it exactly "${fence}", with nothing after it`, fence),
    offset,
  }
}

const emptyFile: Problem = {
  code: 'empty-content',
  message: 'The file is empty.',
  hint: 'Write front matter and text, or remove it.',
}

function tooLarge(bytes: number, frontMatterMax: number): Problem {
  return {
    code: 'front-matter-too-large',
    message: `The front matter is ${bytes} bytes long; at most ${frontMatterMax} are read.`,
    hint: 'Move text into the body, or set `frontMatterBytes` in the configuration.',
  }
}

/** A file without front matter has an empty map. There is no value if it is invalid. */
export function readDocument(file: string, text: string): Read<RawDocument> {
  const { value: split, diagnostics } = splitDocument(file, text)
  if (split === undefined) return { diagnostics }
  const { head, ...rest } = split
  const front = readFrontMatter(file, head)
  const all = [...front.diagnostics, ...diagnostics]
  if (front.value === undefined) return { diagnostics: all }
  return { value: { file, frontMatter: front.value, ...rest }, diagnostics: all }
}

/** Parses front matter. @param head everything before the body, as in `splitDocument`; empty for an empty map */
export function readFrontMatter(file: string, head: string): Read<YamlMap> {
  const fences = findFences(head)
  if (fences === undefined || !('body' in fences)) return { value: noFrontMatter, diagnostics: [] }
  const { language, start, end } = fences
  const fence = language === 'toml' ? '+++' : '---'
  const exact = `${fence}\n${head.slice(start, end)}\n${fence}\n`
  // gray-matter only splits: its `data` would lack positions, and turn keys into properties.
  const split = matter(exact, {
    language: 'yaml',
    delimiters: fence,
    engines: { yaml: () => ({}) },
  })
  // The text begins with the line break of the opening fence.
  const firstLine = language === 'json' ? 0 : 1
  const parse = language === 'toml' ? parseToml : parseYaml
  const place = { file, firstLine, isJson: language === 'json' }
  const { value, diagnostics } = parse(`${split.matter}\n`, place)
  if (value === undefined || value.kind === 'map') return { diagnostics, ...(value && { value }) }
  const problem = {
    code: 'front-matter-not-map',
    message: 'Front matter must be lines of "key: value".',
    hint: 'Write a space after each colon. Put text into the body, below the closing "---".',
  } as const
  return { diagnostics: [...diagnostics, diagnosticAt(file, value.at, problem)] }
}

const noFrontMatter: YamlMap = { kind: 'map', entries: new Map(), at: fileStart }
