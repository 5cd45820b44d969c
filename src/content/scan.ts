// Looks at a whole content folder: which files there are to read, and the hash of each.
// Knows nothing of what is in them.
import { hash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '../diagnostics.ts'
import { type Entry, type ListFolder, listEntries } from './entries.ts'
import { type PlannedFile, planReading } from './layout.ts'
import { readFileBytes } from './read-file.ts'
import { diagnoseAt, FILE_START, type Problem } from './source.ts'

/** A file that is to be read. */
export interface ScannedFile extends PlannedFile {
  /** SHA-256 of its bytes, hexadecimal; or why it cannot be read. */
  readonly content: string | Problem
}

/** A content folder at one look. */
export interface Scan {
  /** Ids, in code unit order. */
  readonly workspaces: readonly string[]
  /** By path in code unit order. */
  readonly files: readonly ScannedFile[]
  readonly diagnostics: readonly Diagnostic[]
  /** SHA-256 over every name, all content, and what could not be read. */
  readonly fingerprint: string
  /** Everything could be read. */
  readonly isWhole: boolean
}

/** How a folder is scanned. */
export interface ScanOptions {
  /** How folders are listed, default Node's file system. */
  readonly listFolder?: ListFolder | undefined
  readonly isRepeated?: boolean | undefined
}

/**
 * Scans one folder, once or again and again.
 *
 * A file is read and hashed each time, unless this same object has hashed it and the system says that it was not
 * touched since: as git does, by times, size and number of its entry, and only when its times are clearly older
 * than the hash, as two changes may share one time.
 */
export class Scanner {
  readonly #root: string
  readonly #listFolder: ListFolder | undefined
  readonly #isRepeated: boolean
  readonly #known = new Map<string, KnownFile>()

  /**
   * @param root absolute, free of links
   * @param isRepeated false for one scan alone: nothing is remembered for the next @default false
   */
  constructor(root: string, { listFolder, isRepeated = false }: ScanOptions = {}) {
    this.#root = root
    this.#listFolder = listFolder
    this.#isRepeated = isRepeated
  }

  scan(): Scan {
    const { entries, diagnostics } = listEntries(this.#root, this.#listFolder)
    const layout = planReading(entries)
    const files = layout.files.map((file) => ({ ...file, content: this.#contentOf(file.path) }))
    const isEmpty = layout.workspaces.length === 0 && diagnostics.length === 0
    return {
      workspaces: layout.workspaces,
      files,
      diagnostics: [...diagnostics, ...layout.diagnostics, ...(isEmpty ? [noWorkspace()] : [])],
      fingerprint: fingerprintOf(entries, files, diagnostics),
      isWhole:
        diagnostics.length === 0 && files.every(({ content }) => typeof content === 'string'),
    }
  }

  #contentOf(path: string): string | Problem {
    if (!this.#isRepeated) return readAndHash(this.#root, path)
    const known = this.#known.get(path)
    const mark = markOf(join(this.#root, path))
    if (known !== undefined && mark !== null && isUntouched(known, mark)) return known.hash
    const now = Date.now()
    const content = readAndHash(this.#root, path)
    if (typeof content !== 'string' || mark === null) return content
    // Looked at before it was read: what is changed in between looks changed the next time.
    const { mtimeMs, ctimeMs, size, ino } = mark
    this.#known.set(path, { mtimeMs, ctimeMs, size, ino, hash: content, hashedAt: now })
    return content
  }
}

function readAndHash(root: string, path: string): string | Problem {
  const bytes = readFileBytes(root, path)
  return Buffer.isBuffer(bytes) ? hash('sha256', bytes) : bytes
}

/** What a folder says of a file, in milliseconds, bytes and a number. */
interface FileMark {
  readonly mtimeMs: number
  readonly ctimeMs: number
  readonly size: number
  readonly ino: number
}

interface KnownFile extends FileMark {
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly hashedAt: number
}

/** Some file systems keep times in steps of two seconds. */
const stepMilliseconds = 2500

function markOf(path: string): FileMark | null {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined ? null : stats
}

function isUntouched(known: KnownFile, { mtimeMs, ctimeMs, size, ino }: FileMark): boolean {
  const isSame =
    known.mtimeMs === mtimeMs &&
    known.ctimeMs === ctimeMs &&
    known.size === size &&
    known.ino === ino
  return isSame && Math.max(mtimeMs, ctimeMs) < known.hashedAt - stepMilliseconds
}

function fingerprintOf(
  entries: readonly Entry[],
  files: readonly ScannedFile[],
  diagnostics: readonly Diagnostic[],
): string {
  const lines = entries.map(({ path, kind }) => `${kind} ${path}`)
  for (const { path, content } of files) {
    lines.push(`${typeof content === 'string' ? content : content.message} ${path}`)
  }
  for (const { file, message } of diagnostics) lines.push(`${message} ${file}`)
  // A name may hold a line break, but no NUL.
  return hash('sha256', lines.join('\0'))
}

function noWorkspace(): Diagnostic {
  return diagnoseAt('.', FILE_START, {
    code: 'no-workspace',
    message: 'The content folder holds no workspace.',
    hint: 'Make a folder for one, with posts in it: "my-blog/posts/hello.md".',
  })
}
