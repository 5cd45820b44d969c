// The front matter and the body of a source file, with plain values.
import type { YamlMap, YamlValue } from 'quarry/authoring'
import { readDocument } from 'quarry/authoring'
import type { Ledger } from '../ledger.ts'
import type { FieldValue } from '../site.ts'
import { dataOfProgram } from './program.ts'
import type { SourceTree } from './source-tree.ts'

/** A map of front matter or of a data file; every scalar is its source text. */
export type Values = { readonly [key: string]: FieldValue }

/** A parsed source file. */
export interface SourceDocument {
  readonly values: Values
  /** The same values with the types that they have in the file: quoted text is text, numbers are numbers. */
  readonly typed: Values
  readonly body: string
  /** The first line of the body in the file, from 1. */
  readonly bodyLine: number
  /** True if the front matter is unreadable; it is then a block of code in the body. */
  readonly isBroken?: boolean
}

/** Reads a file; returns undefined and reports a failure when it is no text. Unreadable front matter is reported. */
export function readSource(
  tree: SourceTree,
  path: string,
  report: Ledger,
): SourceDocument | undefined {
  const written = tree.text(path)
  if (written === undefined) return undefined
  const text = withLanguage(written, path, report)
  // Hugo accepts blank lines before front matter.
  const [blanks = ''] = /^(?:[ \t]*\n)+(?=---|\+\+\+|\{)/.exec(text) ?? []
  // In Hexo, front matter may lack its first fence.
  const [head = ''] = /^(?:[^\n]+\n)+/.exec(text.slice(0, 10_000)) ?? []
  const opening =
    /^(?:title|date)[ \t]*:/im.test(head) &&
    /^[a-z_]+:[^\n]*\n(?:(?!---)[^\n]+\n)*---[ \t]*\n/i.test(head)
      ? '---\n'
      : ''
  const moved = written.split('\n').length - text.split('\n').length
  const skipped = moved + blanks.split('\n').length - 1 - opening.length / 4
  const { value, diagnostics } = readDocument(path, opening + text.slice(blanks.length))
  for (const { line, column, message } of diagnostics) {
    const section = value === undefined ? 'failed' : 'changed'
    report.add(section, `front matter: ${message}`, `${path}:${line + skipped}:${column}`)
  }
  if (value === undefined) return unreadable(text)
  const { frontMatter, body, bodyLine } = value
  const meta = path.replace(/\.\w+$/, '.meta')
  const sidecar = tree.has(meta) ? plainMetadata(tree.text(meta) ?? '')?.values : undefined
  if (sidecar !== undefined) report.settle(meta, 'data')
  const plain = frontMatter.entries.size === 0 ? plainMetadata(body) : undefined
  const lines = plain?.lines ?? 0
  return {
    values: { ...sidecar, ...plain?.values, ...plainMap(frontMatter) },
    typed: { ...sidecar, ...plain?.values, ...plainMap(frontMatter, true) },
    body: lines === 0 ? body : body.split('\n').slice(lines).join('\n'),
    bodyLine: bodyLine + skipped + lines,
  }
}

/** Front matter whose first fence names JSON or JavaScript, as in Eleventy, in the form of JSON. */
function withLanguage(text: string, path: string, report: Ledger): string {
  const [whole = '', language, inner = ''] =
    /^---(json|js|javascript)[ \t]*\n([\s\S]*?)\n---[ \t]*\n/.exec(text) ?? []
  if (language === undefined) return text
  const rest = text.slice(whole.length)
  if (language === 'json') return `${inner.trim()}\n${rest}`
  const data = dataOfProgram(inner, true)
  for (const { key, line } of data?.computed ?? [])
    report.add('left', `\`${key}\` of front matter is computed: not read`, `${path}:${line + 1}`)
  return data === undefined ? text : `${JSON.stringify(data.values)}\n${rest}`
}

/** The whole text as the body, with the front matter in a block of code; a title and a date are read by their lines. */
function unreadable(text: string): SourceDocument {
  const [whole = '', , front = ''] =
    /^\s{0,99}(---|\+\+\+)[^\n]*\n([\s\S]*?)\n\1[ \t]*(?:\n|$)/.exec(text) ?? []
  // regex: a constant key at the start of a line
  const line = (key: string) =>
    new RegExp(`^${key}[ \\t]{0,9}[:=][ \\t]{0,9}["']?([^"'\\n]+)`, 'im').exec(front)?.[1]
  const values = { title: line('title'), date: line('date') }
  const code = whole === '' ? '' : `~~~~\n${front}\n~~~~\n\n`
  return {
    values,
    typed: values,
    body: code + text.slice(whole.length),
    bodyLine: 1,
    isBroken: true,
  }
}

/** Metadata at the start of a text. */
interface PlainMetadata {
  /** Values by lower-case name. */
  readonly values: { readonly [key: string]: string }
  /** The number of lines up to the body. */
  readonly lines: number
}

const linesMax = 100
/** `Name: value`, `.. name: value`, and the indented continuation of a value. */
const metadata = /^(?:(\.\. )?([A-Za-z][\w-]{0,40})[ \t]?:(?:[ \t](.*))?|(?: {4}|\t)\s*\S.*)$/

/** Reads metadata without fences, also in an HTML comment: lines of Pelican (`Status: draft`) and of Nikola (`.. status: draft`). */
export function plainMetadata(text: string): PlainMetadata | undefined {
  const lines = text.split('\n', linesMax)
  const first = lines.findIndex((line) => !/^\s*(?:<!--\s*)?$/.test(line))
  const count = lines.slice(first).findIndex((line) => !metadata.test(line))
  const at = count === -1 ? lines.length : first + count
  const values: Record<string, string> = {}
  let last = 'title'
  for (const line of lines.slice(Math.max(0, first), at)) {
    const [, , name, value = ''] = metadata.exec(line) ?? []
    last = name?.toLowerCase() ?? last
    values[last] = name === undefined ? `${values[last] ?? ''} ${line.trim()}` : value.trim()
  }
  const isMetadata = ['title', 'date', 'status'].some((key) => values[key] !== undefined)
  if (!isMetadata || !/^\s*(?:-->\s*)?$/.test(lines[at] ?? '')) return undefined
  // Nikola before version 8 has tags for these states.
  const states = (values['tags'] ?? '').split(',').map((tag) => tag.trim())
  const state = states.find((tag) => /^(?:draft|private)$/.test(tag))
  if (lines[first]?.startsWith('.. ') && state !== undefined) values['status'] ??= state
  return { values, lines: Math.min(at + 1, lines.length) }
}

/** Converts a value of YAML, TOML or JSON to a plain value; blanks become null. @param isTyped true for numbers and booleans */
export function plainValue(value: YamlValue, isTyped = false): FieldValue {
  if (value.kind === 'map') return plainMap(value, isTyped)
  if (value.kind === 'list') return value.items.map((item) => plainValue(item, isTyped))
  if (isTyped && value.isPlain) return typeOfText(value.value)
  return value.isPlain && /^(?:~|null|)$/i.test(value.value) ? null : value.value
}

function plainMap(map: YamlMap, isTyped = false): Values {
  const entries = [...map.entries].map(([key, { value }]) => [key, plainValue(value, isTyped)])
  return Object.fromEntries(entries)
}

/** The value of a plain scalar of YAML: a number, a boolean, null, or the text. */
function typeOfText(text: string): FieldValue {
  if (/^(?:~|null|)$/i.test(text)) return null
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,10})?$/.test(text) ? Number(text) : text
}

/** Values of a configuration, whose texts have lost their quotes, with the types that they look like. */
export function withTypes(value: FieldValue): FieldValue {
  if (typeof value === 'string') return typeOfText(value)
  if (Array.isArray(value)) return value.map(withTypes)
  if (!isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTypes(item)]))
}

/** The value at a path such as `params.author`; keys are case-insensitive. */
export function valueAt(values: Values, path: string): FieldValue {
  let value: FieldValue = values
  for (const part of path.split('.')) {
    if (!isMap(value)) return undefined
    const map: Values = value
    const key = Object.hasOwn(map, part)
      ? part
      : Object.keys(map).find((name) => name.toLowerCase() === part.toLowerCase())
    value = key === undefined ? undefined : map[key]
  }
  return value
}

/** The text at the first path that has one. */
export function textAt(values: Values, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const value = valueAt(values, path)
    if (typeof value === 'string' && value.trim() !== '') return value.trim()
  }
  return undefined
}

/** True for a map. */
export function isMap(value: FieldValue): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Converts a value to a list: a single value becomes a list of one, an empty value an empty list. */
export function asList(value: FieldValue): readonly FieldValue[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}
