// What a build remembers for the next one: what it read of each file, and rendered bodies by their hash.
//
// ```
// cache/files.json      a line with the key and the hash of the next line; then path → FileRecord
// cache/bodies/HASH     one rendered body: bodies.ts
// cache/terms/HASH      the terms of one part of the texts, after their own hash
// ```
import { hash } from 'node:crypto'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MediaItem } from '../api/assets.ts'
import { digestBytes } from '../api/bytes.ts'
import type { Derived } from '../api/resources.ts'
import type { Diagnostic } from '../diagnostics.ts'
import type { FileTargets } from '../markdown/destinations.ts'
import type { TermsCache } from '../snapshot/write.ts'
import { codeOf } from './disk.ts'

/** What was read of a file, as JSON. */
export interface FileRecord {
  /** Times, size and inode at the reading; empty where a later change could have the same. */
  stats: string
  /** SHA-256 of its bytes, hexadecimal. */
  readonly sha256: string
  /** A Markdown file. */
  readonly document?: DocumentRecord
  /** The body of a post. */
  body?: BodyRecord
  /** Body with the URLs of its images and links, by a hash of the URLs. */
  placed?: { readonly key: string; readonly html: PartSum; readonly markdown: PartSum }
  /** The derived values of a post, by a hash of everything that they depend on. */
  derived?: { readonly key: string; readonly values: Derived }
  /** An image whose size was needed. */
  image?: ImageFacts
}

/** A Markdown file in two parts; its problems alone where it could not be parsed. */
export interface DocumentRecord {
  readonly front?: {
    /** The text that the places refer to. */
    readonly source: string
    /** `encodeValue` of the front matter. */
    readonly map: unknown
    readonly bodyHash: string
    readonly bodyLine: number
    /** First heading of a post; null for none. */
    readonly heading: string | null
    /** Of a category, a tag or an author. */
    readonly body?: string
  }
  readonly diagnostics: readonly Diagnostic[]
}

/** A rendered body without its texts. */
export interface BodyRecord {
  /** Name of its file. */
  readonly key: string
  /** Where its HTML begins in the file. */
  readonly start: number
  readonly html: PartSum
  readonly markdown: PartSum
  readonly text: PartSum
  /** The text before the mark `<!-- more -->`; null without it. */
  readonly excerpt: string | null
  /** Destinations that may refer to files; null for none. */
  readonly files: FileTargets | null
  /** Warnings, located as if the body were a file. */
  readonly warnings: readonly Diagnostic[]
}

/** Size in bytes, and the first 16 bytes of the SHA-256, hexadecimal. */
export type PartSum = readonly [size: number, digest: string]

/** Size and dimensions of an image, as in `MediaItem`. */
export type ImageFacts = Pick<MediaItem, 'size' | 'width' | 'height'>

/** The last complete build: the same key makes the same build while the same posts are scheduled. */
export interface LastBuild {
  readonly key: string
  /** SHA-256 of its manifest, hexadecimal. */
  readonly manifest: string
  /** Warnings, sorted. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Access to a cache. */
export interface CacheAccess {
  /** Called with a sentence about a cache that is damaged or cannot be written. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** A file of the cache is damaged. The build begins again without it. */
export class CacheError extends Error {
  override readonly name = 'CacheError'
}

/** The cache of one project. */
export class BuildCache {
  /** By path below the content folder. */
  readonly files: Map<string, FileRecord>
  last: LastBuild | undefined
  readonly #folder: string
  readonly #isKept: boolean
  readonly #key: string
  readonly #options: CacheAccess
  /** Names of the files on the disk, by folder. */
  readonly #names: Readonly<Record<'bodies' | 'terms', Set<string>>>
  readonly #usedTerms = new Set<string>()
  /** The text that was loaded or saved. */
  #saved = ''

  /**
   * Never fails: what cannot be read is missing.
   *
   * @param folder made when it is saved; null for a cache that ends with the process
   * @param key the files of another key are not used
   * @param isUnread begins with an empty cache
   */
  constructor(
    folder: string | null,
    key: string,
    {
      isUnread = false,
      ...options
    }: CacheAccess & { readonly isUnread?: boolean | undefined } = {},
  ) {
    this.#isKept = folder !== null
    this.#folder = folder ?? mkdtempSync(join(tmpdir(), 'quarry-'))
    this.#key = key
    this.#options = options
    const loaded = isUnread ? undefined : this.#load()
    this.files = new Map(Object.entries(loaded?.files ?? {}))
    this.last = loaded?.last
    const namesOf = (kind: string) => new Set(isUnread ? [] : namesIn(join(this.#folder, kind)))
    this.#names = { bodies: namesOf('bodies'), terms: namesOf('terms') }
  }

  hasBody(key: string): boolean {
    return this.#names.bodies.has(key)
  }

  /** @throws CacheError if it cannot be read */
  readBody(key: string): Uint8Array {
    const bytes = this.#read('bodies', key)
    if (bytes === undefined) throw this.damaged(key)
    return bytes
  }

  /** A body that cannot be written is rendered again by the next build. @returns false then */
  addBody(key: string, bytes: Uint8Array): boolean {
    return this.#add('bodies', key, bytes)
  }

  /** Terms of the texts, for the snapshot. */
  readonly terms: TermsCache = {
    get: (key) => {
      const name = this.#termsName(key)
      this.#usedTerms.add(name)
      if (!this.#names.terms.has(name)) return undefined
      const bytes = this.#read('terms', name)
      const rest = bytes?.subarray(digestBytes)
      const isWhole = rest && digestOf(rest).equals(bytes?.subarray(0, digestBytes) ?? rest)
      return isWhole === true ? rest : undefined
    },
    set: (key, bytes) =>
      void this.#add('terms', this.#termsName(key), Buffer.concat([digestOf(bytes), bytes])),
  }

  /** Another version of quarry may cut other terms. */
  #termsName(key: string): string {
    return hash('sha256', `${this.#key} ${key}`)
  }

  /** Removes a damaged body. @returns the error to throw */
  damaged(key: string): CacheError {
    this.#names.bodies.delete(key)
    rmSync(join(this.#folder, 'bodies', key), { force: true })
    this.#options.onWarning?.(damagedText)
    return new CacheError(`${key} is damaged.`)
  }

  /**
   * Writes what changed, for the next process. A cache that cannot be written stays as it is.
   *
   * @param used names of the bodies of a complete build: others go once they are the larger part
   */
  save(used?: ReadonlySet<string>): void {
    if (!this.#isKept) return
    const text = JSON.stringify({ last: this.last, files: Object.fromEntries(this.files) })
    if (text === this.#saved) return
    try {
      mkdirSync(this.#folder, { recursive: true })
      const file = join(this.#folder, 'files.json')
      const head = JSON.stringify({ key: this.#key, sha256: hash('sha256', text) })
      writeFileSync(`${file}.${process.pid}`, `${head}\n${text}`)
      renameSync(`${file}.${process.pid}`, file)
      this.#saved = text
      if (used !== undefined) {
        this.#removeUnused('bodies', used)
        this.#removeUnused('terms', this.#usedTerms)
      }
    } catch (error) {
      if (codeOf(error) === undefined) throw error
    }
  }

  /** Removes a cache that ends with the process. */
  close(): void {
    if (!this.#isKept) rmSync(this.#folder, { recursive: true, force: true })
  }

  #load(): { readonly last?: LastBuild; readonly files: Record<string, FileRecord> } | undefined {
    try {
      const bytes = readFileSync(join(this.#folder, 'files.json'), 'utf8')
      const end = bytes.indexOf('\n')
      const { key, sha256 } = JSON.parse(bytes.slice(0, end))
      if (key !== this.#key) return undefined
      this.#saved = bytes.slice(end + 1)
      if (hash('sha256', this.#saved) !== sha256) throw new SyntaxError('damaged')
      return JSON.parse(this.#saved)
    } catch (error) {
      if (error instanceof SyntaxError) {
        this.#options.onWarning?.(damagedText)
      } else if (codeOf(error) === undefined) throw error
      return undefined
    }
  }

  #read(kind: 'bodies' | 'terms', name: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#folder, kind, name))
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return undefined
    }
  }

  #add(kind: 'bodies' | 'terms', name: string, bytes: Uint8Array): boolean {
    const names = this.#names[kind]
    try {
      if (names.size === 0) mkdirSync(join(this.#folder, kind), { recursive: true })
      writeFileSync(join(this.#folder, kind, name), bytes)
      names.add(name)
      return true
    } catch (error) {
      if (codeOf(error) === undefined) throw error
      return false
    }
  }

  #removeUnused(kind: 'bodies' | 'terms', used: ReadonlySet<string>): void {
    const names = this.#names[kind]
    if (names.size <= 2 * used.size + 100) return
    for (const name of names) {
      if (used.has(name)) continue
      rmSync(join(this.#folder, kind, name), { force: true })
      names.delete(name)
    }
  }
}

const damagedText =
  'A file of the cache is damaged and discarded. The build makes again what it held.'

function digestOf(bytes: Uint8Array): Buffer {
  return hash('sha256', bytes, 'buffer').subarray(0, digestBytes)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
