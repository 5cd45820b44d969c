// The front matter and the body of a source file, with plain values.

import type { YamlMap, YamlValue } from 'quarry/authoring'
import { readDocument } from 'quarry/authoring'
import type { ImportReport } from '../report.ts'
import type { FieldValue } from '../site.ts'
import { plainMetadata } from './plain-metadata.ts'
import type { SourceTree } from './source-tree.ts'

/** A map of front matter or of a data file; every scalar is its source text. */
export type Values = { readonly [key: string]: FieldValue }

/** A parsed source file. */
export interface SourceDocument {
  readonly values: Values
  readonly body: string
  /** The first line of the body in the file, from 1. */
  readonly bodyLine: number
}

/** Reads a file; returns undefined and reports a failure when its front matter is unreadable. */
export function readSource(
  tree: SourceTree,
  path: string,
  report: ImportReport,
): SourceDocument | undefined {
  const text = tree.text(path)
  if (text === undefined) return undefined
  // Hugo accepts blank lines before front matter.
  const [blanks = ''] = /^(?:[ \t]*\n)+(?=---|\+\+\+|\{)/.exec(text) ?? []
  // In Hexo, front matter may lack its first fence.
  const [head = ''] = /^(?:[^\n]+\n)+/.exec(text.slice(0, 10_000)) ?? []
  const opening =
    /^(?:title|date)[ \t]*:/im.test(head) &&
    /^[a-z]+:[^\n]*\n(?:(?!---)[^\n]+\n)*---[ \t]*\n/i.test(head)
      ? '---\n'
      : ''
  const skipped = blanks.split('\n').length - 1 - opening.length / 4
  const { value, diagnostics } = readDocument(path, opening + text.slice(blanks.length))
  for (const { line, column, message } of diagnostics) {
    const section = value === undefined ? 'failed' : 'changed'
    report.add(section, `front matter: ${message}`, `${path}:${line + skipped}:${column}`)
  }
  if (value === undefined) return undefined
  const { frontMatter, body, bodyLine } = value
  const meta = path.replace(/\.\w+$/, '.meta')
  const sidecar = tree.has(meta) ? plainMetadata(tree.text(meta) ?? '')?.values : undefined
  const plain = frontMatter.entries.size === 0 ? plainMetadata(body) : undefined
  const values = { ...sidecar, ...plain?.values, ...plainMap(frontMatter) }
  const lines = plain?.lines ?? 0
  const rest = lines === 0 ? body : body.split('\n').slice(lines).join('\n')
  return { values, body: rest, bodyLine: bodyLine + skipped + lines }
}

/** Converts a value of YAML, TOML or JSON to a plain value; blanks become null. */
export function plainValue(value: YamlValue): FieldValue {
  if (value.kind === 'map') return plainMap(value)
  if (value.kind === 'list') return value.items.map(plainValue)
  return value.isPlain && /^(?:~|null|)$/i.test(value.value) ? null : value.value
}

function plainMap(map: YamlMap): Values {
  return Object.fromEntries([...map.entries].map(([key, { value }]) => [key, plainValue(value)]))
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
