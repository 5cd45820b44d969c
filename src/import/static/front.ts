// The front matter and the body of a source file, with plain values.
import { readDocument } from '../../content/front-matter.ts'
import type { YamlMap, YamlValue } from '../../content/raw.ts'
import type { ImportReport } from '../report.ts'
import type { FieldValue } from '../site.ts'
import type { SourceTree } from './source-tree.ts'

/** A map of front matter or of a data file; every scalar is text, as it was typed. */
export type Values = { readonly [key: string]: FieldValue }

/** A source file taken apart. */
export interface SourceDocument {
  readonly values: Values
  readonly body: string
  /** Line of the file on which the body begins, from 1. */
  readonly bodyLine: number
}

/** Reads a file; undefined, and a failure in the report, when its front matter cannot be read. */
export function readSource(
  tree: SourceTree,
  path: string,
  report: ImportReport,
): SourceDocument | undefined {
  const text = tree.text(path)
  if (text === undefined) return undefined
  // Hugo reads front matter after blank lines.
  const [blanks = ''] = /^(?:[ \t]*\n)+(?=---|\+\+\+|\{)/.exec(text) ?? []
  const skipped = blanks.split('\n').length - 1
  const { value, diagnostics } = readDocument(path, text.slice(blanks.length))
  for (const { line, column, message } of diagnostics) {
    const section = value === undefined ? 'failed' : 'changed'
    report.add(section, `front matter: ${message}`, `${path}:${line + skipped}:${column}`)
  }
  if (value === undefined) return undefined
  const { frontMatter, body, bodyLine } = value
  return { values: plainMap(frontMatter), body, bodyLine: bodyLine + skipped }
}

/** A value of YAML, TOML or JSON without its places; blanks are null. */
export function plainValue(value: YamlValue): FieldValue {
  if (value.kind === 'map') return plainMap(value)
  if (value.kind === 'list') return value.items.map(plainValue)
  return value.isPlain && /^(?:~|null|)$/i.test(value.value) ? null : value.value
}

function plainMap(map: YamlMap): Values {
  return Object.fromEntries([...map.entries].map(([key, { value }]) => [key, plainValue(value)]))
}

/** A value at a path such as `params.author`, whatever the case of its keys. */
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

/** The text at the first of several paths that has one. */
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

/** A list: a single value is a list of one, nothing is an empty list. */
export function asList(value: FieldValue): readonly FieldValue[] {
  if (value === null || value === undefined || value === '') return []
  return Array.isArray(value) ? value : [value]
}
