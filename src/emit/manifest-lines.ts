// The files of a manifest as text, one per line. Written and parsed in parts, as there may be half a million.
import { type FileEntries, type FileEntry, stages } from './file-entries.ts'

/** Yields the files of a manifest as JSON members, one per line, without a final line break. */
export function* fileLines(files: FileEntries): Generator<string> {
  let text = ''
  let end = ''
  for (const [path, { stage, bytes, sha256, etag }] of files) {
    // A stage and a hash need no escapes.
    const tag = etag === undefined ? '' : `,"etag":${JSON.stringify(etag)}`
    const entry = `{"stage":"${stage}","bytes":${bytes},"sha256":"${sha256}"${tag}}`
    text += `${end}    ${JSON.stringify(path)}:${entry}`
    end = lineEnd
    if (text.length < partLength) continue
    yield text
    text = ''
  }
  yield text
}

const lineEnd = ',\n'

/** UTF-16 code units, or bytes. */
const partLength = 64 * 1024

/**
 * Parses the output of `fileLines`, in parts: one object with half a million members would take several times as long.
 * Equal entries share one object.
 *
 * @returns null if a part is not JSON, an entry is invalid, or a path is not one that builds write
 */
export function readFileLines(lines: Buffer): FileEntries | null {
  const reader = new EntryReader()
  for (const text of partsOf(lines)) {
    if (!reader.read(parseJson(`{${text}}`))) return null
  }
  return reader.files
}

/**
 * Parses the output of `fileLines` without validation.
 *
 * Cost: half of `readFileLines`.
 */
export function readTrustedLines(lines: Buffer): FileEntries {
  const files = new Map<string, FileEntry>()
  const entryByHash = new Map<string, EntryByText>()
  for (const text of partsOf(lines)) {
    for (let at = 0; at < text.length; ) {
      const { path, start, end } = lineAt(text, at)
      files.set(path, entryOf(text.slice(start, end), entryByHash))
      at = end + lineEnd.length
    }
  }
  return files
}

interface EntryByText {
  readonly said: string
  readonly entry: FileEntry
}

/** Parses the entry of a file. @param known by hash: equal entries share one object */
function entryOf(said: string, known: Map<string, EntryByText>): FileEntry {
  const hashStart = said.indexOf(beforeHash) + beforeHash.length
  const sha256 = said.slice(hashStart, hashStart + hashLetters)
  const same = known.get(sha256)
  if (same?.said === said) return same.entry
  const entry: FileEntry = JSON.parse(said)
  known.set(sha256, { said, entry })
  return entry
}

/**
 * Yields path and size of every file, from the output of `fileLines`, without validation and without creating entries.
 */
export function* readFileSizes(lines: Buffer): Generator<readonly [path: string, bytes: number]> {
  for (const text of partsOf(lines)) {
    for (let at = 0; at < text.length; ) {
      const { path, start, end } = lineAt(text, at)
      const bytesStart = text.indexOf(beforeBytes, start) + beforeBytes.length
      yield [path, Number(text.slice(bytesStart, text.indexOf(',', bytesStart)))]
      at = end + lineEnd.length
    }
  }
}

/** Yields lines in parts, without the line break between two parts. */
function* partsOf(lines: Buffer): Generator<string> {
  for (let start = 0; start < lines.length; ) {
    const found = lines.indexOf(lineEnd, start + partLength)
    const end = found === -1 ? lines.length : found
    yield lines.toString('utf8', start, end)
    start = end + lineEnd.length
  }
}

/** Parses the line at an offset: its path, and the range of the entry's JSON. */
function lineAt(text: string, at: number) {
  // The path is quoted JSON, so it contains no such quotes.
  const pathEnd = text.indexOf(beforeStage, at)
  const found = text.indexOf(lineEnd, pathEnd)
  const end = found === -1 ? text.length : found
  const path = text.slice(at + lineStart.length, pathEnd)
  return {
    path: path.includes('\\') ? String(JSON.parse(`"${path}"`)) : path,
    start: pathEnd + '":'.length,
    end,
  }
}

const lineStart = '    "'
const beforeStage = '":{"stage":"'
const beforeBytes = '","bytes":'
const beforeHash = ',"sha256":"'

/** Number of hexadecimal digits of a SHA-256. */
const hashLetters = 64

class EntryReader {
  readonly files: Map<string, FileEntry> = new Map()
  /** By hash. */
  readonly #entryByHash = new Map<string, FileEntry>()

  /** @param members entries by path @returns false if they are invalid */
  read(members: unknown): boolean {
    if (!isRecord(members)) return false
    for (const path in members) {
      const entry = isFilePath(path) ? this.#entryOf(members[path]) : null
      if (entry === null) return false
      this.files.set(path, entry)
    }
    return true
  }

  #entryOf(value: unknown): FileEntry | null {
    if (!isRecord(value)) return null
    const { bytes, sha256, etag } = value
    const stage = stages.find((name) => name === value['stage'])
    if (stage === undefined || !Number.isSafeInteger(bytes) || typeof sha256 !== 'string')
      return null
    if (etag !== undefined && typeof etag !== 'string') return null
    const cached = this.#entryByHash.get(sha256)
    if (cached?.stage === stage && cached.bytes === bytes && cached.etag === etag) return cached
    const entry = { stage, bytes: Number(bytes), sha256, ...(etag === undefined ? {} : { etag }) }
    this.#entryByHash.set(sha256, entry)
    return entry
  }
}

/** Reports whether a path is below the folders that builds write, and a valid file path. */
function isFilePath(path: string): boolean {
  return /^(?:public|private|function)(?:\/(?!\.\.?(?:\/|$))[^/\\\p{Cc}]{1,255})+$/u.test(path)
}

/** @returns undefined for invalid JSON */
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
