// Finds the two lines between which front matter stands, and everything that only looks like one of them.
// Knows nothing of what stands between.
import type { Finding, Problem } from './source.ts'
import { quoteExcerpt } from './source.ts'

/** The front matter's place in a text; offsets in UTF-16 code units. */
export type Fences =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly finding: Finding }
  | {
      readonly kind: 'found'
      /** Where the line after the opening fence begins. */
      readonly start: number
      /** Where the closing fence begins. */
      readonly end: number
    }

/**
 * An opening fence is a first line of exactly `---` or `---yaml`, the closing one the next line of exactly `---`;
 * LF and CRLF end lines. What a reader of front matter elsewhere would take for a fence is an error.
 *
 * @param text without a byte order mark
 */
export function findFences(text: string): Fences {
  const opening = lineAt(text, 0)
  if (opening === '---' || opening === '---yaml') return findClosing(text)
  const problem = checkOpening(opening)
  if (problem !== undefined) return broken(0, problem)
  return isMisplaced(text) ? broken(text.indexOf('---'), MISPLACED) : { kind: 'none' }
}

const UNCLOSED: Problem = {
  code: 'front-matter-unclosed',
  message: 'The front matter that begins here has no end.',
  hint: 'Close it with a line of exactly "---"; write "***" for a thematic break.',
}

const MISPLACED: Problem = {
  code: 'front-matter-fence',
  message: 'Front matter must begin on the first line, without blanks before it.',
  hint: 'Move this line to the beginning of the file; write "***" for a thematic break.',
}

function findClosing(text: string): Fences {
  const lineBreak = text.indexOf('\n---')
  if (lineBreak === -1) return broken(0, UNCLOSED)
  const end = lineBreak + 1
  const closing = lineAt(text, end)
  if (closing !== '---') return broken(end, notExact(closing, 'closes'))
  return { kind: 'found', start: text.indexOf('\n') + 1, end }
}

function checkOpening(line: string): Problem | undefined {
  if (/^\+{3}\s*$/u.test(line)) return wrongLanguage('TOML')
  if (!line.startsWith('---') || line.startsWith('----')) return undefined
  const language = /^---[ \t]*(\w+)[ \t]*$/u.exec(line)?.[1]
  return language === undefined || language === 'yaml'
    ? notExact(line, 'opens')
    : wrongLanguage(quoteExcerpt(language))
}

function wrongLanguage(language: string): Problem {
  return {
    code: 'front-matter-language',
    message: `Front matter in ${language} is not read; only YAML is.`,
    hint: 'Write it as YAML, between two lines of exactly "---".',
  }
}

function notExact(line: string, does: string): Problem {
  return {
    code: 'front-matter-fence',
    message: `This line ${does} the front matter, but it is ${quoteExcerpt(line)}.`,
    hint: 'Make it exactly "---", with nothing after it; write "***" for a thematic break.',
  }
}

// A fence below blank lines, or indented, that another line would close.
function isMisplaced(text: string): boolean {
  const trimmed = text.trimStart()
  if (trimmed.length === text.length) return false
  const first = lineAt(trimmed, 0).trimEnd()
  return (first === '---' || first === '---yaml') && trimmed.includes('\n---')
}

function broken(offset: number, problem: Problem): Fences {
  return { kind: 'broken', finding: { ...problem, offset } }
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  if (end === -1) return text.slice(start)
  return text.slice(start, text.charAt(end - 1) === '\r' ? end - 1 : end)
}
