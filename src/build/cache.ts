// The cache of builds: values by a hash of their inputs and the version of quarry.
//
// ```
// cache/values/HASH     the digest of the rest, then a value: the state of all files, derived values and facts of images
//                       as JSON; a body (see bodies.ts); the terms of one part of the texts; a smaller copy of an image
// ```
import { hash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { digestBytes, parseJson, utf8 } from '../api/bytes.ts'
import type { RawDocument } from '../content/raw.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { TermsCache } from '../snapshot/write.ts'
import type { SiteBody } from './bodies.ts'
import { codeOf, replaceFile, succeeds } from './disk.ts'
import type { GitRecord } from './git-dates.ts'

/** The parsed state of a file, as JSON. */
export interface FileRecord {
  /** Times, size and inode when the file was read; empty if a later change could leave them equal. */
  readonly stats: string
  /** SHA-256 of its bytes, hexadecimal. */
  readonly sha256: string
  /** A parsed Markdown file, whose front matter is JSON with maps as lists of entries. The body of a post is empty. */
  readonly document?: Omit<RawDocument, 'file' | 'frontMatter'> & { readonly frontMatter: string }
  /** Problems of a Markdown file. */
  readonly diagnostics?: readonly Diagnostic[]
}

/** The last complete build. A build with the same key and the same scheduled posts is equal. */
export interface LastBuild {
  readonly key: string
  /** SHA-256 of its manifest, hexadecimal. */
  readonly manifest: string
  readonly notes: BuildNotes
}

/** What a build reports about its content. */
export interface BuildNotes {
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
  /** Workspaces whose `links.post` is still that of a template. */
  readonly unlinked: readonly string[]
  /** Number of drafts that were left out, by workspace. */
  readonly drafts: Readonly<Record<string, number>>
}

/** The state after a build. */
interface CacheState extends Partial<Pick<BuildCache, 'last' | 'git'>> {
  readonly files: Record<string, FileRecord>
}

/** A file of the cache is damaged. The build begins again without it. */
export class CacheError extends Error {
  override readonly name = 'CacheError'
}

/**
 * The cache of one project: values by all that they depend on, except the version of quarry, which it adds. A value that
 * cannot be written stays in memory until the process ends.
 */
export class BuildCache implements TermsCache {
  /** Records by path below the content folder. */
  readonly files: Map<string, FileRecord>
  last: LastBuild | undefined
  /** The Git history that dates posts; undefined without one. */
  git: GitRecord | undefined
  /** The bodies that were read or rendered, by their inputs. Builds of the same process share them. */
  readonly bodies: Map<string, SiteBody> = new Map()
  readonly #folder: string
  readonly #version: string
  readonly #names: Set<string>
  readonly #used = new Set<string>()
  readonly #unwritten = new Map<string, Uint8Array>()
  readonly #layout: string
  /** The state that was read. */
  readonly #state: Uint8Array | undefined

  /**
   * Never fails: the cache lacks the files that cannot be read.
   *
   * @param folder created with the first value
   * @param version that of quarry
   * @param layout the state of another layout of the content is not used
   * @param isUnread begins with an empty cache
   */
  constructor(folder: string, version: string, layout: string, isUnread = false) {
    this.#folder = join(folder, 'values')
    this.#version = version
    this.#layout = `state ${layout}`
    this.#names = new Set(isUnread ? [] : listNames(this.#folder))
    this.#state = this.get(this.#layout)
    const { files, last, git }: CacheState = this.#state ? parseJson(this.#state) : { files: {} }
    this.files = new Map(Object.entries(files))
    this.last = last
    this.git = git
  }

  /** Reports whether a file of the value exists, and keeps it. */
  has(inputs: string): boolean {
    const name = this.#nameOf(inputs)
    this.#used.add(name)
    return this.#names.has(name)
  }

  /** @returns undefined for a value that is missing or damaged */
  get(inputs: string): Uint8Array | undefined {
    if (!this.has(inputs)) return undefined
    const name = this.#nameOf(inputs)
    const known = this.#unwritten.get(name)
    if (known !== undefined) return known
    try {
      const bytes = readFileSync(join(this.#folder, name))
      const rest = bytes.subarray(digestBytes)
      if (digestOf(rest).equals(bytes.subarray(0, digestBytes))) return rest
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
    this.#remove(name)
    return undefined
  }

  set(inputs: string, bytes: Uint8Array): void {
    const name = this.#nameOf(inputs)
    this.#used.add(name)
    const file = Buffer.concat([digestOf(bytes), bytes])
    const isWritten = succeeds(() => replaceFile(join(this.#folder, name), file))
    if (!isWritten) this.#unwritten.set(name, bytes)
    this.#names.add(name)
  }

  /** Returns a value that JSON can express. */
  json<T extends object>(inputs: string, make: () => T): T {
    const known = this.get(inputs)
    if (known !== undefined) return parseJson(known)
    const value = make()
    this.set(inputs, utf8(JSON.stringify(value)))
    return value
  }

  /**
   * Writes the state for the next process.
   *
   * @param isComplete true after a complete build: unused values are removed once they are the majority
   */
  save(isComplete = false): void {
    const { last, git } = this
    const state: CacheState = { last, git, files: Object.fromEntries(this.files) }
    const bytes = utf8(JSON.stringify(state))
    if (this.#state === undefined || Buffer.compare(bytes, this.#state) !== 0)
      this.set(this.#layout, bytes)
    if (!isComplete || this.#names.size <= 2 * this.#used.size + 100) return
    for (const name of this.#names) if (!this.#used.has(name)) this.#remove(name)
  }

  #nameOf(inputs: string): string {
    return hash('sha256', `${this.#version} ${inputs}`)
  }

  #remove(name: string): void {
    succeeds(() => rmSync(join(this.#folder, name), { force: true }))
    this.#names.delete(name)
  }
}

/** Returns the first 16 bytes of the SHA-256. */
export function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, digestBytes)
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
