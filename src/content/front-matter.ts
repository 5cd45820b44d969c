// Parses the front matter of a Markdown file. The only caller of gray-matter, and only for text with validated fences.
import matter from 'gray-matter'
import { diagnosticAt, fileStart } from '../diagnostics.ts'
import { findFences, splitDocument } from './document.ts'
import type { RawDocument, Read, YamlMap } from './raw.ts'
import { parseToml } from './toml.ts'
import { parseYaml } from './yaml.ts'

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
