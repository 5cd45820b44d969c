// A document as it is kept for the next build: an outline that is read at once, and its front matter with all places,
// which is read when one of them is asked for.
// Knows nothing of where it is kept, nor of what an outline's summary says.
import { hash } from 'node:crypto'
import type { CacheRecord } from '../cache/cache-record.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { RawDocument, Read, YamlEntry, YamlMap, YamlValue } from './raw.ts'

/** The layout's number. */
const documentSchema = 3

/**
 * The key under which a document is kept.
 *
 * @param version changes when the same file is read or summarised in another way
 * @param content SHA-256 of the file, hexadecimal
 */
export function documentKey(version: string, kind: 'post' | 'term', content: string): string {
  return hash('sha256', `document ${documentSchema} ${version} ${kind} ${content}`)
}

/** The parts of a record, as JSON. */
export interface DocumentParts {
  readonly outline: string
  readonly places: string
}

/** What of a document is kept beside its front matter. */
export interface KeptBeside {
  readonly body?: string
  readonly summary?: unknown
}

/** @returns undefined for what cannot be kept: a document that could not be read */
export function encodeDocument(
  { value, diagnostics }: Read<RawDocument>,
  beside: KeptBeside,
): DocumentParts | undefined {
  if (value === undefined) return undefined
  const outline: Outline = {
    hash: value.bodyHash,
    line: value.bodyLine,
    ...beside,
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file: '' })),
  }
  const places: Places = { head: value.source, map: encodeValue(value.frontMatter) }
  return { outline: JSON.stringify(outline), places: JSON.stringify(places) }
}

/**
 * A document that is kept: what it needs of its front matter is decoded when it is asked for.
 *
 * @param outline of the record @param file the document's path, wherever it lay when it was encoded
 */
export function decodeDocument(
  { outline, record }: { readonly outline: string; readonly record: CacheRecord },
  file: string,
  decoder: PlacesDecoder,
): Read<RawDocument> {
  // Its checksum holds and its schema is ours: it is what `encodeDocument` wrote.
  const { diagnostics, ...kept }: Outline = JSON.parse(outline)
  return {
    value: new KeptDocument(file, kept, { record, decoder }),
    diagnostics: diagnostics.map((diagnostic) => ({ ...diagnostic, file })),
  }
}

/**
 * All that stands before the body of a kept document that has front matter, and nothing wrong with it; else null.
 * Whatever stands below the same head has the same front matter.
 *
 * @throws CacheDamageError when the record is not what was kept
 */
export function soundHead(record: CacheRecord): string | null {
  const { diagnostics, summary }: Outline = JSON.parse(record.text('outline'))
  // Its summary would be another with another body.
  if (typeof summary === 'object' && summary !== null && Reflect.get(summary, 'usesBody') === true)
    return null
  const { head }: Places = JSON.parse(record.text('places'))
  // Without the line break the next character would be part of the closing fence; a text without front matter has none.
  return diagnostics.length === 0 && head.endsWith('\n') ? head : null
}

/** Front matter out of records; the latest is at hand, as what is asked of one document is asked in a row. */
export class PlacesDecoder {
  #decoded = 0
  #latest: { readonly record: CacheRecord; readonly found: Front } | undefined

  /** How many were decoded. */
  get decoded(): number {
    return this.#decoded
  }

  /** @throws CacheDamageError when the record is not what was kept */
  decode(record: CacheRecord): Front {
    if (this.#latest?.record !== record) {
      this.#latest = { record, found: decodeFront(record.text('places')) }
      this.#decoded += 1
    }
    return this.#latest.found
  }
}

type Front = Pick<RawDocument, 'source' | 'frontMatter'>

class KeptDocument implements RawDocument {
  readonly file: string
  readonly body: string
  readonly bodyHash: string
  readonly bodyLine: number
  readonly summary: unknown
  readonly #record: CacheRecord
  readonly #decoder: PlacesDecoder

  constructor(
    file: string,
    { hash, line, body = '', summary }: Omit<Outline, 'diagnostics'>,
    { record, decoder }: { readonly record: CacheRecord; readonly decoder: PlacesDecoder },
  ) {
    this.file = file
    this.body = body
    this.bodyHash = hash
    this.bodyLine = line
    this.summary = summary
    this.#record = record
    this.#decoder = decoder
  }

  get source(): string {
    return this.#decoder.decode(this.#record).source
  }

  get frontMatter(): YamlMap {
    return this.#decoder.decode(this.#record).frontMatter
  }
}

interface Outline extends KeptBeside {
  readonly hash: string
  readonly line: number
  readonly diagnostics: readonly Diagnostic[]
}

interface Places {
  readonly head: string
  readonly map: PackedValue
}

function decodeFront(places: string): Front {
  const { head, map }: Places = JSON.parse(places)
  const frontMatter = decodeValue(map)
  if (frontMatter.kind !== 'map') throw new TypeError('front matter is a map')
  return { source: head, frontMatter }
}

/**
 * A value as short JSON. Line, column and kind, then what is in it: 0 and 1 text, 1 when it is plain; 2 items;
 * 3 entries, each a key, its line and column, and a value.
 */
export type PackedValue = readonly [line: number, column: number, kind: number, ...rest: unknown[]]

/** The inverse of `decodeValue`. */
export function encodeValue(value: YamlValue): PackedValue {
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

/** @param packed what `encodeValue` gave */
export function decodeValue([line, column, kind, ...rest]: PackedValue): YamlValue {
  const at = { line, column }
  if (kind === 3) return decodeMap(rest as PackedEntry[], at)
  if (kind === 2) return { kind: 'list', items: (rest as PackedValue[]).map(decodeValue), at }
  return { kind: 'text', value: String(rest[0]), isPlain: kind === 1, at }
}

type PackedEntry = readonly [key: string, line: number, column: number, value: PackedValue]

function decodeMap(packed: readonly PackedEntry[], at: YamlMap['at']): YamlMap {
  const entries = new Map<string, YamlEntry>()
  for (const [key, line, column, value] of packed) {
    entries.set(key, { keyAt: { line, column }, value: decodeValue(value) })
  }
  return { kind: 'map', entries, at }
}
