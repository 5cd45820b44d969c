// A document as JSON that is short and quick to read, for the next build.
// Knows nothing of where it is kept.
import type { Diagnostic } from '../diagnostics.ts'
import type { RawDocument, Read, YamlEntry, YamlMap, YamlValue } from './raw.ts'

/** The layout's number: part of the name under which a record is kept. */
export const documentSchema = 1

/**
 * @param body true to keep the body too
 * @returns undefined for what cannot be kept: a document that could not be read
 */
export function encodeDocument(
  { value, diagnostics }: Read<RawDocument>,
  body: boolean,
): string | undefined {
  if (value === undefined) return undefined
  const record: DocumentRecord = {
    head: value.source,
    map: encodeValue(value.frontMatter),
    hash: value.bodyHash,
    line: value.bodyLine,
    ...(body ? { body: value.body } : {}),
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file: '' })),
  }
  return JSON.stringify(record)
}

/** @param file the document's path, wherever it lay when it was encoded */
export function decodeDocument(json: string, file: string): Read<RawDocument> {
  // Its checksum holds and its schema is ours: it is what `encodeDocument` wrote.
  const { head, map, hash, line, body, diagnostics }: DocumentRecord = JSON.parse(json)
  const frontMatter = decodeValue(map)
  if (frontMatter.kind !== 'map') throw new TypeError('front matter is a map')
  const document = { file, source: head, frontMatter, bodyHash: hash, bodyLine: line }
  return {
    value: { ...document, body: body ?? '' },
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file })),
  }
}

interface DocumentRecord {
  readonly head: string
  readonly map: Packed
  readonly hash: string
  readonly line: number
  readonly body?: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Line, column and kind, then what is in it: 0 and 1 text, 1 when it is plain; 2 items; 3 entries, each a key,
 * its line and column, and a value.
 */
type Packed = readonly [line: number, column: number, kind: number, ...rest: unknown[]]

function encodeValue(value: YamlValue): Packed {
  const { line, column } = value.at
  if (value.kind === 'text') return [line, column, value.isPlain ? 1 : 0, value.value]
  if (value.kind === 'list') return [line, column, 2, ...value.items.map(encodeValue)]
  const entries = Array.from(value.entries, ([key, { keyAt, value: inner }]) => [
    key,
    keyAt.line,
    keyAt.column,
    encodeValue(inner),
  ])
  return [line, column, 3, ...entries]
}

function decodeValue([line, column, kind, ...rest]: Packed): YamlValue {
  const at = { line, column }
  if (kind === 3) return decodeMap(rest as PackedEntry[], at)
  if (kind === 2) return { kind: 'list', items: (rest as Packed[]).map(decodeValue), at }
  return { kind: 'text', value: String(rest[0]), isPlain: kind === 1, at }
}

type PackedEntry = readonly [key: string, line: number, column: number, value: Packed]

function decodeMap(packed: readonly PackedEntry[], at: YamlMap['at']): YamlMap {
  const entries = new Map<string, YamlEntry>()
  for (const [key, line, column, value] of packed) {
    entries.set(key, { keyAt: { line, column }, value: decodeValue(value) })
  }
  return { kind: 'map', entries, at }
}
