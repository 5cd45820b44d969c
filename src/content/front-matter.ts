// Takes a Markdown file apart into front matter and body. The only place that calls gray-matter, and only on
// text whose fences were found good before. Knows nothing of what the fields mean.
import matter from 'gray-matter'
import type { Diagnostic } from '../diagnostics.ts'
import { bodyHashOf } from './body-hash.ts'
import { type FoundFences, type FrontMatterLanguage, findFences } from './fences.ts'
import { parseJson } from './json.ts'
import type { RawDocument, Read, YamlMap, YamlValue } from './raw.ts'
import type { Finding, Problem } from './source.ts'
import { createSource, diagnose, diagnoseAt, plainText } from './source.ts'
import { parseToml } from './toml.ts'
import { parseYaml, type YamlPlace } from './yaml.ts'

/**
 * A Markdown file as front matter and body.
 *
 * A file without front matter has an empty map and is all body. There is no value when the fences, or what is
 * between them, cannot be read. A NUL character in the body is a warning.
 *
 * @param file path below the content folder, with `/`
 * @param text may begin with a byte order mark; CRLF and CR are read as LF
 */
export function readDocument(file: string, text: string): Read<RawDocument> {
  const plain = plainText(text)
  const fences = findFences(plain)
  if (fences.kind === 'none') return readBare(file, plain)
  if (fences.kind === 'broken') return broken(file, plain, fences.finding)
  const fault = checkBlock(plain.slice(fences.start, fences.end), fences.start)
  return fault === undefined ? readFenced(file, plain, fences) : broken(file, plain, fault)
}

const MAX_BLOCK_BYTES = 64 * 1024

// gray-matter looks for comments with /^\s*#[^\n]+/gm, which is quadratic over each run of white space.
const MAX_BLANK_RUN = 1000

function broken(file: string, text: string, finding: Finding): Read<never> {
  return { diagnostics: [diagnose(createSource(file, text), finding)] }
}

function readBare(file: string, text: string): Read<RawDocument> {
  const frontMatter: YamlMap = { kind: 'map', entries: new Map(), at: { line: 1, column: 1 } }
  const [firstLine = ''] = text.split('\n', 1)
  const bodyHash = bodyHashOf(file, text)
  const document = { file, source: firstLine, frontMatter, body: text, bodyHash, bodyLine: 1 }
  return { value: document, diagnostics: checkBody(document) }
}

function checkBlock(block: string, start: number): Finding | undefined {
  const bytes = Buffer.byteLength(block)
  if (bytes > MAX_BLOCK_BYTES) return { ...tooLarge(bytes), offset: 0 }
  const run = findBlankRun(block)
  return run === undefined ? undefined : { ...BLANK_RUN, offset: start + run }
}

function tooLarge(bytes: number): Problem {
  return {
    code: 'front-matter-too-large',
    message: `The front matter is ${bytes} bytes long; at most ${MAX_BLOCK_BYTES} are read.`,
    hint: 'Move text into the body.',
  }
}

const BLANK_RUN: Problem = {
  code: 'front-matter-blank-run',
  message: `More than ${MAX_BLANK_RUN} blanks and line breaks follow one another here.`,
  hint: 'Remove them.',
}

function findBlankRun(block: string): number | undefined {
  if (block.length <= MAX_BLANK_RUN) return undefined
  for (const run of block.matchAll(/\s+/gu)) {
    if (run[0].length > MAX_BLANK_RUN) return run.index
  }
  return undefined
}

const parsers: Readonly<
  Record<FrontMatterLanguage, (text: string, place: YamlPlace) => Read<YamlValue>>
> = { yaml: parseYaml, toml: parseToml, json: parseJson }

// gray-matter's block begins with the line break of the opening fence, and lacks that before the closing one.
function readFenced(file: string, text: string, fences: FoundFences): Read<RawDocument> {
  const { language, end, body: bodyStart } = fences
  const fence = language === 'toml' ? '+++' : '---'
  const split = matter(withExactFences(text, fence, fences), {
    language: 'yaml',
    delimiters: fence,
    engines: ENGINES,
  })
  const firstLine = language === 'json' ? 0 : 1
  const { value, diagnostics } = parsers[language](`${split.matter}\n`, { file, firstLine })
  if (value === undefined) return { diagnostics }
  if (value.kind !== 'map') return { diagnostics: [...diagnostics, notMap(file, value)] }
  const body = split.content
  const bodyHash = bodyHashOf(file, body)
  const source = text.slice(0, bodyStart)
  const bodyLine = text.slice(0, end).split('\n').length + 1
  const document = { file, source, frontMatter: value, body, bodyHash, bodyLine }
  return { value: document, diagnostics: [...diagnostics, ...checkBody(document)] }
}

// Most texts have them already.
function withExactFences(
  text: string,
  fence: string,
  { language, start, end, body }: FoundFences,
): string {
  const isExact = language !== 'json' && start === fence.length + 1
  if (isExact && body <= end + fence.length + 1) return text
  const block = language === 'json' ? `${text.slice(start, end)}\n` : text.slice(start, end)
  return `${fence}\n${block}${fence}\n${text.slice(body)}`
}

// gray-matter only splits: its `data` would lack all places, and turn keys into properties. Its other engines are
// out of reach, as the fences were checked; they are taken away nevertheless.
const ENGINES = {
  yaml: (): object => ({}),
  json: refuseEngine,
  javascript: refuseEngine,
}

function refuseEngine(): never {
  throw new Error('Front matter is read here; no other engine may be called.')
}

function notMap(file: string, { at }: YamlValue): Diagnostic {
  return diagnoseAt(file, at, {
    code: 'front-matter-not-map',
    message: 'Front matter must be lines of "key: value".',
    hint: 'Write a blank after the colon; put text into the body, below the closing "---".',
  })
}

// HTML shows U+FFFD where Markdown keeps the NUL: the two formats would differ.
function checkBody({ file, body, bodyLine }: RawDocument): readonly Diagnostic[] {
  const offset = body.indexOf('\0')
  if (offset === -1) return []
  return [diagnose(createSource(file, body, bodyLine), { ...NUL_CHARACTER, offset })]
}

const NUL_CHARACTER: Problem = {
  code: 'nul-character',
  severity: 'warning',
  message: 'The text holds a NUL character (U+0000); HTML shows U+FFFD in its place.',
  hint: 'Remove it.',
}
