// Parses the front matter of a Markdown file. The only caller of gray-matter, and only for text with validated fences.
import matter from 'gray-matter'
import type { Diagnostic } from '../diagnostics.ts'
import { type FencePlaces, type FrontMatterLanguage, findFences } from './fences.ts'
import type { RawDocument, Read, YamlMap, YamlValue } from './raw.ts'
import { diagnoseAt } from './source.ts'
import { sourceOf, splitDocument } from './split-document.ts'
import { parseToml } from './toml.ts'
import { parseJson, parseYaml, type YamlPlace } from './yaml.ts'

/**
 * Parses a Markdown file into front matter and body.
 *
 * A file without front matter has an empty map, and is all body. There is no value if the fences or the text between
 * them are invalid. A NUL character in the body is a warning.
 *
 * @param file path below the content folder, with `/`
 * @param text may begin with a byte order mark; CRLF and CR are read as LF
 */
export function readDocument(file: string, text: string): Read<RawDocument> {
  const { value: split, diagnostics } = splitDocument(file, text)
  if (split === undefined) return { diagnostics }
  const { head, body, bodyHash, bodyLine } = split
  const read = readFrontMatter(file, head)
  const all = [...read.diagnostics, ...diagnostics]
  if (read.value === undefined) return { diagnostics: all }
  const source = sourceOf(split)
  const document = { file, source, frontMatter: read.value, body, bodyHash, bodyLine }
  return { value: document, diagnostics: all }
}

/** Parses front matter. @param head everything before the body, as in `splitDocument`; empty for an empty map */
export function readFrontMatter(file: string, head: string): Read<YamlMap> {
  const fences = head === '' ? undefined : findFences(head)
  if (fences?.kind !== 'found') return { value: noFrontMatter, diagnostics: [] }
  const { language } = fences
  const fence = language === 'toml' ? '+++' : '---'
  const split = matter(withExactFences(head, fence, fences), {
    language: 'yaml',
    delimiters: fence,
    engines: ENGINES,
  })
  const firstLine = language === 'json' ? 0 : 1
  const { value, diagnostics } = parsers[language](`${split.matter}\n`, { file, firstLine })
  if (value === undefined) return { diagnostics }
  if (value.kind !== 'map') return { diagnostics: [...diagnostics, notMap(file, value)] }
  return { value, diagnostics }
}

const noFrontMatter: YamlMap = { kind: 'map', entries: new Map(), at: { line: 1, column: 1 } }

const parsers: Readonly<
  Record<FrontMatterLanguage, (text: string, place: YamlPlace) => Read<YamlValue>>
> = { yaml: parseYaml, toml: parseToml, json: parseJson }

// Most texts have exact fences already. gray-matter's block begins with the line break of the opening fence, and lacks
// the one before the closing fence.
function withExactFences(
  head: string,
  fence: string,
  { language, start, end, body }: FencePlaces,
): string {
  const isExact = language !== 'json' && start === fence.length + 1
  if (isExact && body <= end + fence.length + 1) return head
  const block = language === 'json' ? `${head.slice(start, end)}\n` : head.slice(start, end)
  return `${fence}\n${block}${fence}\n`
}

// gray-matter only splits: its `data` would lack positions, and turn keys into properties. The fences are validated, so
// its other engines are unreachable; they are disabled all the same.
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
    hint: 'Write a space after each colon. Put text into the body, below the closing "---".',
  })
}
