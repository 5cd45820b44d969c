// A manifest's files as text, one a line: written and read a piece at a time, as there may be half a million.
// Knows nothing of what stands around them.
import { type FileEntries, type FileEntry, stages } from './file-entries.ts'

/** The files of a manifest, as JSON members, a line each; without the line break at the end. */
export function* fileLines(files: FileEntries): Generator<string> {
  let text = ''
  let end = ''
  for (const [path, { stage, bytes, sha256, etag }] of files) {
    // A stage and a hash need no escapes.
    const tag = etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`
    const entry = `{"stage":"${stage}","bytes":${bytes},"sha256":"${sha256}"${tag}}`
    text += `${end}    ${JSON.stringify(path)}:${entry}`
    end = lineEnd
    if (text.length < pieceLength) continue
    yield text
    text = ''
  }
  yield text
}

const lineEnd = ',\n'

/** In UTF-16 code units, or in bytes. */
const pieceLength = 64 * 1024

/**
 * Reads what `fileLines` wrote: an object of half a million members would take several times as long as many small
 * ones.
 *
 * @returns null where a piece is no JSON, or says something else of a file
 */
export function readFileLines(lines: Buffer): FileEntries | null {
  const reader = new EntryReader()
  for (let start = 0; start < lines.length; ) {
    const found = lines.indexOf(lineEnd, start + pieceLength)
    const end = found === -1 ? lines.length : found
    if (!reader.read(parseJson(`{${lines.toString('utf8', start, end)}}`))) return null
    start = end + lineEnd.length
  }
  return reader.files
}

/** Reads entries of parsed JSON; those that say the same are one object. */
export class EntryReader {
  readonly files: Map<string, FileEntry> = new Map()
  /** By hash. */
  readonly #known = new Map<string, FileEntry>()

  /** @param members entries by path @returns false when they are something else */
  read(members: unknown): boolean {
    if (!isRecord(members)) return false
    for (const path in members) {
      const entry = this.#entryOf(members[path])
      if (entry === null) return false
      this.files.set(path, entry)
    }
    return true
  }

  #entryOf(value: unknown): FileEntry | null {
    if (!isRecord(value)) return null
    const { bytes, sha256, etag } = value
    if (typeof bytes !== 'number' || typeof sha256 !== 'string') return null
    // An older manifest says nothing of stages.
    const stage = stages.find((name) => name === value['stage']) ?? 'list'
    const known = this.#known.get(sha256)
    if (known?.stage === stage && known.bytes === bytes && known.etag === etag) return known
    const entry = { stage, bytes, sha256, ...(typeof etag === 'string' ? { etag } : {}) }
    this.#known.set(sha256, entry)
    return entry
  }
}

/** @returns undefined for what is none */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
