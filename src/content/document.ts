// Reads a Markdown file: splits it after its front matter, and refuses lines that only look like a fence.
import { hash } from 'node:crypto'
import matter from 'gray-matter'
import { diagnosticAt, fileStart, type Problem } from '../diagnostics.ts'
import type { RawDocument, ReadResult, YamlMap } from './raw.ts'
import { diagnose, type Finding, normalizeText } from './source.ts'
import { parseToml } from './toml.ts'
import { findConflicts, parseYaml } from './yaml.ts'

/**
 * Reads a Markdown file; CRLF and CR are read as LF. A file without front matter has an empty map.
 *
 * @returns no value for wrong fences, for front matter that is too long or invalid, or for a merge conflict
 */
export function readDocument(
  file: string,
  text: string,
  frontMatterMax: number = frontMatterBytesDefault,
): ReadResult<RawDocument> {
  const plain = normalizeText(text)
  const found = findFences(plain)
  const fences = found !== undefined && 'body' in found ? found : undefined
  const problems = problemsOf(plain, found, frontMatterMax)
  if (problems.length > 0) return { diagnostics: diagnose(file, plain, problems) }
  const head = plain.slice(0, fences?.body ?? 0)
  const body = plain.slice(head.length)
  // MDX renders differently from the same text as Markdown.
  const bodyHash = hash('sha256', `${file.endsWith('.mdx') ? 'mdx' : 'md'}\0${body}`)
  const { value, diagnostics } = fences ? readFrontMatter(file, head, fences) : noFrontMatter
  if (value === undefined) return { diagnostics }
  const lines = head.split('\n').length
  // Without a line break after the closing fence, the body is empty and begins on the next line.
  const bodyLine = head === '' || head.endsWith('\n') ? lines : lines + 1
  const source = head === '' ? body.split('\n', 1).join('') : head
  return { value: { file, frontMatter: value, body, bodyHash, bodyLine, source }, diagnostics }
}

/** Front matter, the problem of lines that only look like front matter, or neither. */
type Found = Fences | Finding | undefined

function problemsOf(text: string, found: Found, frontMatterMax: number): readonly Finding[] {
  if (text.trim() === '') return [{ ...emptyFile, offset: 0 }]
  const conflicts = findConflicts(text, found && 'body' in found ? found.body : 0)
  if (conflicts.length > 0 || found === undefined) return conflicts
  if ('code' in found) return [found]
  const bytes = Buffer.byteLength(text.slice(found.start, found.end))
  return bytes > frontMatterMax ? [{ ...tooLarge(bytes, frontMatterMax), offset: 0 }] : []
}

/** gray-matter looks for comments with an expression that is quadratic in a run of line breaks. */
const frontMatterBytesDefault = 64 * 1024

/** Location of front matter in a text, in UTF-16 code units. */
interface Fences {
  /** Language by fence: `---`, `+++`, or an object in braces, in this order. */
  readonly language: 'yaml' | 'toml' | 'json'
  /** Start of the front matter: after the opening fence, or at the opening brace. */
  readonly start: number
  /** End of the front matter: at the closing fence, or after the closing brace. */
  readonly end: number
  /** Start of the line after the front matter. */
  readonly body: number
}

/**
 * Finds front matter. It opens with a first line of `---`, `---yaml` or `+++`, and closes at the next `---` or `+++`; blanks
 * may follow. A text that begins with a brace and a quoted key has JSON front matter. A line that other parsers accept as
 * a fence is an error.
 */
function findFences(text: string): Found {
  if (/^\{\s*"/.test(text)) return findBraces(text)
  const opening = lineAt(text, 0)
  const fence = opening.slice(0, 3)
  if (/^(?:---(?:yaml)?|\+\+\+)[ \t]*$/.test(opening)) return findClosingFence(text, fence)
  if (/^(?:---(?!-)|\+\+\+\s*$)/u.test(opening)) return { ...inexact, offset: 0 }
  const [before = ''] = /^(?:[\s\p{Cf}]+|<!--.*?-->)*/su.exec(text) ?? []
  const [offset, rest] = [before.length, text.slice(before.length)]
  // An opening fence that is indented, or after blanks or comments, with a line that would close it.
  const [, mark] = /^(---|\+\+\+)(?:yaml)?[ \t]*\n/.exec(rest) ?? []
  if (mark && offset > 0 && rest.includes(`\n${mark}`)) return { ...inexact, offset }
  // Keys between two lines of marks look like front matter; so does a title with only one of the lines.
  const { first, keys = '', last } = nearFrontMatter.exec(rest)?.groups ?? {}
  const isNear = [first, last, /^title *[:=]/m.exec(keys)].filter(Boolean).length > 1
  return isNear ? { ...inexact, offset } : undefined
}

const marks = String.raw`[\p{Pd}\u2212*+_=][^\p{L}\p{N}\n]*`
const key = String.raw`\w[\w-]*(?::(?!//)| *=).*\n`
const keys = String.raw`(?<keys>${key}(?:${key}|[ \t].*\n|- .*\n|#.*\n|\n)*)`
// regex: each alternative of a line begins with another character
const nearFrontMatter = new RegExp(`^(?<first>${marks}\n)?${keys}(?<last>${marks}(?:\n|$))?`, 'u')

function findClosingFence(text: string, fence: string): Fences | Finding {
  const end = text.indexOf(`\n${fence}`) + 1
  if (end === 0) return { ...unclosed, offset: 0 }
  const closing = lineAt(text, end)
  if (closing.trimEnd() !== fence || /[^ \t+-]/.test(closing)) return { ...inexact, offset: end }
  const body = Math.min(end + closing.length + 1, text.length)
  const language = fence === '---' ? 'yaml' : 'toml'
  return { language, start: text.indexOf('\n') + 1, end, body }
}

function findBraces(text: string): Fences | Finding {
  let depth = 0
  for (const { 0: sign, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (sign === '{') depth++
    if (sign !== '}' || --depth > 0) continue
    const end = index + 1
    const rest = lineAt(text, end)
    if (rest.trim() !== '') return { ...inexact, offset: end }
    return { language: 'json', start: 0, end, body: Math.min(end + rest.length + 1, text.length) }
  }
  return { ...unclosed, offset: 0 }
}

function lineAt(text: string, start: number): string {
  return text.slice(start).split('\n', 1).join('')
}

const inexact: Problem = {
  code: 'front-matter-fence',
  message: 'This looks like front matter, but its fence is not exact.',
  hint: 'Begin the file with YAML between lines of exactly "---", TOML between "+++", or a JSON object; write "***" and an empty line for a thematic break.',
}

const unclosed: Problem = {
  code: 'front-matter-unclosed',
  message: 'The front matter that begins here is never closed.',
  hint: 'Close it with a line of exactly "---" or "+++", or with "}"; write "***" for a thematic break.',
}

const emptyFile: Problem = {
  code: 'empty-content',
  message: 'The file is empty.',
  hint: 'Write front matter and text, or remove the file.',
}

function tooLarge(bytes: number, frontMatterMax: number): Problem {
  return {
    code: 'front-matter-too-large',
    message: `The front matter is ${bytes} bytes long; at most ${frontMatterMax} are read.`,
    hint: 'Move text into the body, or set `frontMatterBytes` in the configuration.',
  }
}

function readFrontMatter(
  file: string,
  head: string,
  { language, start, end }: Fences,
): ReadResult<YamlMap> {
  const fence = language === 'toml' ? '+++' : '---'
  const exact = `${fence}\n${head.slice(start, end)}\n${fence}\n`
  // gray-matter only splits: its `data` would lack positions, and turn keys into properties.
  const engines = { yaml: () => ({}) }
  const split = matter(exact, { language: 'yaml', delimiters: fence, engines })
  // The text begins with the line break of a fence, which JSON does not have.
  const isJson = language === 'json'
  const parse = language === 'toml' ? parseToml : parseYaml
  const { value, diagnostics } = parse(`${split.matter.slice(isJson ? 1 : 0)}\n`, { file, isJson })
  if (value === undefined || value.kind === 'map') return { diagnostics, ...(value && { value }) }
  const problem = {
    code: 'front-matter-not-map',
    message: 'Front matter must be lines of "key: value".',
    hint: 'Write a space after each colon. Put text into the body, below the closing "---".',
  } as const
  return { diagnostics: [...diagnostics, diagnosticAt(file, value.at, problem)] }
}

const noFrontMatter: ReadResult<YamlMap> = {
  value: { kind: 'map', entries: new Map(), at: fileStart },
  diagnostics: [],
}
