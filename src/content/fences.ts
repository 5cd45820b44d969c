// Finds front matter fences and their language, and reports lines that only look like a fence.
import type { Finding, Problem } from './source.ts'
import { quoteExcerpt } from './source.ts'

/** Languages of front matter, by fence: `---`, `+++`, and an object in braces. */
export type FrontMatterLanguage = 'yaml' | 'toml' | 'json'

/** The location of front matter in a text; offsets in UTF-16 code units. */
export type Fences =
  | { readonly kind: 'none' }
  | { readonly kind: 'broken'; readonly finding: Finding }
  | FencePlaces

/** Location of front matter. */
export interface FencePlaces {
  readonly kind: 'found'
  readonly language: FrontMatterLanguage
  /** Start of the block: after the opening fence, or at the opening brace. */
  readonly start: number
  /** End of the block: at the closing fence, or after the closing brace. */
  readonly end: number
  /** Start of the line after the front matter. */
  readonly body: number
}

/**
 * Finds front matter. An opening fence is a first line of `---`, `---yaml` or `+++`; the closing fence is the next line
 * of `---` or `+++`. Spaces and tabs may follow either. A text that begins with a brace and a quoted key has JSON front
 * matter. A line that other front matter parsers would accept as a fence is an error.
 *
 * @param text without a byte order mark; LF ends lines
 */
export function findFences(text: string): Fences {
  const opening = lineAt(text, 0)
  if (/^---(?:yaml)?[ \t]*$/.test(opening)) return findClosing(text, '---')
  if (/^\+\+\+[ \t]*$/.test(opening)) return findClosing(text, '+++')
  if (/^\{\s*"/.test(text)) return findBraces(text)
  const problem = checkOpening(opening)
  if (problem !== undefined) return broken(0, problem)
  return isMisplaced(text) ? broken(text.search(/\S/u), MISPLACED) : { kind: 'none' }
}

type Fence = keyof typeof languages

const languages = { '---': 'yaml', '+++': 'toml' } as const

const NO_FENCE = 'write "***" for a thematic break.'

const MISPLACED: Problem = {
  code: 'front-matter-fence',
  message: 'Front matter must begin on the first line, without spaces before it.',
  hint: `Move this line to the beginning of the file; ${NO_FENCE}`,
}

function findClosing(text: string, fence: Fence): Fences {
  const lineBreak = text.indexOf(`\n${fence}`)
  if (lineBreak === -1) {
    const hint = `Close it with a line of exactly "${fence}"`
    return broken(0, unclosed(fence === '---' ? `${hint}; ${NO_FENCE}` : `${hint}.`))
  }
  const end = lineBreak + 1
  const closing = lineAt(text, end)
  if (closing.trimEnd() !== fence || /[^ \t+-]/.test(closing)) {
    return broken(end, notExact(closing, 'closes', fence))
  }
  const body = Math.min(end + closing.length + 1, text.length)
  const language = languages[fence]
  return { kind: 'found', language, start: text.indexOf('\n') + 1, end, body }
}

function findBraces(text: string): Fences {
  const end = endOfObject(text)
  if (end === undefined) return broken(0, unclosed('Close the object with "}".'))
  const rest = lineAt(text, end)
  if (rest.trim() !== '') return broken(end, BEHIND_BRACE)
  const body = Math.min(end + rest.length + 1, text.length)
  return { kind: 'found', language: 'json', start: 0, end, body }
}

const BEHIND_BRACE: Problem = {
  code: 'front-matter-fence',
  message: 'Text follows the brace that closes the front matter.',
  hint: 'Begin the text on the next line.',
}

/** Returns the offset after the brace that closes the first one. Cost: O(length). */
function endOfObject(text: string): number | undefined {
  let depth = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (isText && sign === '\\') at += 1
    else if (sign === '"') isText = !isText
    else if (!isText && sign === '{') depth += 1
    else if (!isText && sign === '}') depth -= 1
    if (depth === 0) return at + 1
  }
  return undefined
}

function checkOpening(line: string): Problem | undefined {
  if (/^\+{3}\s*$/u.test(line)) return notExact(line, 'opens', '+++')
  if (!line.startsWith('---') || line.startsWith('----')) return undefined
  const language = /^---[ \t]*(\w+)[ \t]*$/u.exec(line)?.[1]
  return language === undefined || language === 'yaml'
    ? notExact(line, 'opens', '---')
    : wrongLanguage(language)
}

function wrongLanguage(language: string): Problem {
  return {
    code: 'front-matter-language',
    message: `Front matter in ${quoteExcerpt(language)} is not supported.`,
    hint: 'Write YAML between two lines of "---", TOML between two lines of "+++", or a JSON object.',
  }
}

function unclosed(hint: string): Problem {
  const message = 'The front matter that begins here is never closed.'
  return { code: 'front-matter-unclosed', message, hint }
}

function notExact(line: string, does: string, fence: Fence): Problem {
  const hint = `Make it exactly "${fence}", with nothing after it`
  return {
    code: 'front-matter-fence',
    message: `This line ${does} the front matter, but it is ${quoteExcerpt(line)}.`,
    hint: fence === '---' ? `${hint}; ${NO_FENCE}` : `${hint}.`,
  }
}

// Detects a fence after empty lines, or an indented one, with a line that would close it.
function isMisplaced(text: string): boolean {
  const trimmed = text.trimStart()
  if (trimmed.length === text.length) return false
  const fence = /^(---(?:yaml)?|\+\+\+)$/.exec(lineAt(trimmed, 0).trimEnd())?.[1]
  return fence !== undefined && trimmed.includes(`\n${fence.slice(0, 3)}`)
}

function broken(offset: number, problem: Problem): Fences {
  return { kind: 'broken', finding: { ...problem, offset } }
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf('\n', start)
  return end === -1 ? text.slice(start) : text.slice(start, end)
}
