// Scans a content folder: the files to read, and the hash of each.
import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Diagnostic } from '../diagnostics.ts'
import type { Entry, ListFolder, Listing } from './entries.ts'
import type { HashCache } from './hash-cache.ts'
import { type PlannedFile, planReading } from './layout.ts'
import type { ListingCache } from './listing-cache.ts'
import { hashImage } from './media.ts'
import type { Mount } from './mounts.ts'
import { statsOf } from './path-stats.ts'
import { readFileBytes } from './read-file.ts'
import { diagnoseAt, FILE_START, type Problem } from './source.ts'

/** A file to read. */
export interface ScannedFile extends PlannedFile {
  /** SHA-256 of its bytes, hexadecimal, or its read error. */
  readonly content: string | Problem
}

/** The state of a content folder. */
export interface Scan {
  /** Ids, in code unit order. */
  readonly workspaces: readonly string[]
  /** By path in code unit order. */
  readonly files: readonly ScannedFile[]
  readonly diagnostics: readonly Diagnostic[]
  /** SHA-256 over all names, all content, and all read errors. */
  readonly fingerprint: string
  /** True if everything except perhaps images could be read. */
  readonly isWhole: boolean
  /** Parts of workspaces outside the content folder. */
  readonly mounts: readonly Mount[]
}

/** Options of a scan. */
export interface ScanOptions {
  /** Lists a folder. @default Node's file system */
  readonly listFolder?: ListFolder | undefined
  /** Avoids listing folders; unused with `listFolder`. @default every folder is listed */
  readonly listings?: ListingCache | undefined
  /** Avoids reading files. @default every file is read */
  readonly hashes?: HashCache | undefined
  /** Parts of workspaces outside the folder. @default none */
  readonly mounts?: readonly Mount[] | undefined
}

/**
 * Scans one folder, any number of times. Lists folders, and reads and hashes files, unless a cache has the result and
 * the metadata is unchanged.
 */
export class Scanner {
  readonly #root: string
  readonly #listFolder: ListFolder | undefined
  readonly #listings: ListingCache | undefined
  readonly #hashes: HashCache | undefined
  readonly #mounts: readonly Mount[]

  /** @param root absolute, with links resolved */
  constructor(root: string, { listFolder, listings, hashes, mounts = [] }: ScanOptions = {}) {
    this.#root = root
    this.#listFolder = listFolder
    this.#listings = listFolder === undefined ? listings : undefined
    this.#hashes = hashes
    this.#mounts = mounts
  }

  async scan(): Promise<Scan> {
    const { entries, diagnostics } = this.#listings?.find() ?? (await this.#list())
    const mounts = this.#mounts
    const layout = planReading(entries, mounts)
    const files = layout.files.map((file) => ({ ...file, content: this.#contentOf(file) }))
    const isEmpty = layout.workspaces.length === 0 && diagnostics.length === 0
    return {
      workspaces: layout.workspaces,
      files,
      diagnostics: [...diagnostics, ...layout.diagnostics, ...(isEmpty ? [noWorkspace()] : [])],
      fingerprint: fingerprintOf(entries, files, diagnostics, mounts),
      mounts,
      isWhole:
        diagnostics.length === 0 &&
        files.every(({ content, role }) => typeof content === 'string' || role.kind === 'image'),
    }
  }

  async #list(): Promise<Listing> {
    // Imported on demand: its package is as large as most other code of an unchanged build.
    const { listEntries, listWithMounts } = await import('./entries.ts')
    const listedAt = Date.now()
    const listing =
      this.#mounts.length === 0
        ? listEntries(this.#root, this.#listFolder)
        : listWithMounts(this.#root, this.#mounts, this.#listFolder)
    this.#listings?.record(listing, listedAt)
    return listing
  }

  #contentOf({ path, role }: PlannedFile): string | Problem {
    const readAndHash = role.kind === 'image' ? hashImage : hashFile
    const hashes = this.#hashes
    if (hashes === undefined) return readAndHash(this.#root, path, this.#mounts)
    const stats = statsOf(join(this.#root, path))
    const cachedHash = stats === undefined ? undefined : hashes.find(path, stats)
    if (cachedHash !== undefined) return cachedHash
    const hashedAt = Date.now()
    const content = readAndHash(this.#root, path, this.#mounts)
    if (typeof content === 'string' && stats !== undefined) {
      hashes.record(path, stats, content, hashedAt)
    }
    return content
  }
}

function hashFile(root: string, path: string, mounts: readonly Mount[]): string | Problem {
  const bytes = readFileBytes(root, path, { mounts })
  return Buffer.isBuffer(bytes) ? hash('sha256', bytes) : bytes
}

function fingerprintOf(
  entries: readonly Entry[],
  files: readonly ScannedFile[],
  diagnostics: readonly Diagnostic[],
  mounts: readonly Mount[],
): string {
  const lines = entries.map(({ path, kind }) => `${kind} ${path}`)
  for (const { path, content } of files) {
    lines.push(`${typeof content === 'string' ? content : content.message} ${path}`)
  }
  for (const { file, message } of diagnostics) lines.push(`${message} ${file}`)
  if (mounts.length > 0) lines.push(JSON.stringify(mounts))
  // A name may contain a line break, but not NUL.
  return hash('sha256', lines.join('\0'))
}

function noWorkspace(): Diagnostic {
  return diagnoseAt('.', FILE_START, {
    code: 'no-workspace',
    message: 'The content folder has no workspace.',
    hint: 'Create a folder for one, with posts in it: "my-blog/posts/hello.md".',
  })
}
