// Front matter as JSON with all positions, decoded on first use.
import type { CacheRecord } from '../cache/cache-record.ts'
import type { RawDocument, YamlEntry, YamlMap, YamlValue } from './raw.ts'

/** Front matter, and the text that its positions refer to. */
export type FrontMatter = Pick<RawDocument, 'source' | 'frontMatter'>

/** Encodes front matter as JSON. */
export function encodeFrontMatter({ source, frontMatter }: FrontMatter): string {
  const places: Places = { head: source, map: encodeValue(frontMatter) }
  return JSON.stringify(places)
}

/** The inverse of `encodeFrontMatter`. */
function decodeFrontMatter(json: string): FrontMatter {
  // Unvalidated: its checksum proves that `encodeFrontMatter` wrote it.
  const { head, map }: Places = JSON.parse(json)
  const frontMatter = decodeValue(map)
  if (frontMatter.kind !== 'map') throw new TypeError('front matter is a map')
  return { source: head, frontMatter }
}

interface Places {
  readonly head: string
  readonly map: PackedValue
}

/** Decodes the `places` of records. Caches the latest, as a reader mostly needs several positions of one document. */
export class PlacesDecoder {
  #decoded = 0
  #latest: { readonly record: CacheRecord; readonly found: FrontMatter } | undefined

  /** Number of decoded records. */
  get decoded(): number {
    return this.#decoded
  }

  /** @throws CacheDamageError if the record is damaged */
  decode(record: CacheRecord): FrontMatter {
    if (this.#latest?.record !== record) {
      this.#latest = { record, found: decodeFrontMatter(record.text('places')) }
      this.#decoded += 1
    }
    return this.#latest.found
  }
}

/** A document whose front matter is decoded on first use. */
export class StoredDocument implements RawDocument {
  readonly file: string
  readonly body: string
  readonly bodyHash: string
  readonly bodyLine: number
  readonly heading: string | null
  readonly summary: unknown
  readonly #decode: () => FrontMatter

  constructor(
    file: string,
    { body = '', bodyHash, bodyLine, heading, summary }: StoredFields,
    decode: () => FrontMatter,
  ) {
    this.file = file
    this.body = body
    this.bodyHash = bodyHash
    this.bodyLine = bodyLine
    this.heading = heading
    this.summary = summary
    this.#decode = decode
  }

  get source(): string {
    return this.#decode().source
  }

  get frontMatter(): YamlMap {
    return this.#decode().frontMatter
  }
}

interface StoredFields extends Pick<RawDocument, 'bodyHash' | 'bodyLine' | 'summary'> {
  readonly body?: string
  readonly heading: string | null
}

/**
 * A value as compact JSON: line, column and kind, followed by its content. Kinds 0 and 1 are text, 1 if plain; 2 is a
 * list of items; 3 is a map of entries, each a key, its line and column, and a value.
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

/** @param packed output of `encodeValue` */
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
