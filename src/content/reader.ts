// Reads a content folder whole: what an earlier reading worked out of a file is taken from the cache, by the
// file's content. Knows nothing of what front matter means.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import type { CacheRecord } from '../cache/cache-record.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { assembleWorkspaces, type ReadFile } from './assemble.ts'
import {
  decodeDocument,
  documentKey,
  encodeDocument,
  type KeptBeside,
  PlacesDecoder,
} from './document-record.ts'
import { readDocument } from './front-matter.ts'
import { readKeysText } from './keys-file.ts'
import { isPost, type PlannedFile } from './layout.ts'
import type { RawContent, RawDocument, Read } from './raw.ts'
import { decodeText, readFileBytes, unread, unreadable } from './read-file.ts'
import type { MountPath } from './relative-path.ts'
import type { Scan, ScannedFile } from './scan.ts'
import { readYaml } from './yaml-file.ts'

/** A post that has just been read. */
export interface PostReading {
  readonly document: RawDocument
  readonly workspace: string
  /** An earlier build has read it, and so those that follow. */
  readonly isKnown: boolean
  /** Its body, read from the disk where it is not at hand; what is wrong when it has changed since. */
  body(): Read<string>
}

/** How a folder is read. */
export interface ReaderOptions {
  /** What was read is kept in memory for the next reading. @default false */
  readonly isRepeated?: boolean | undefined
  /** What is kept with a post, made when it is first read: its `summary`. */
  readonly summarise?: ((document: RawDocument) => unknown) | undefined
}

/** Reads one folder, again and again; files that did not change are read once. */
export class ContentReader {
  readonly #root: string
  readonly #cache: Cache
  readonly #version: string
  readonly #options: ReaderOptions
  readonly #decoder = new PlacesDecoder()
  #latest = new Map<string, LatestFile>()
  #mounts: readonly MountPath[] = []

  /**
   * @param root absolute, free of links
   * @param version changes when the same file is read or summarised in another way
   */
  constructor(root: string, cache: Cache, version: string, options: ReaderOptions = {}) {
    this.#root = root
    this.#cache = cache
    this.#version = version
    this.#options = options
  }

  /** How many kept documents were decoded with all places. */
  get decoded(): number {
    return this.#decoder.decoded
  }

  /**
   * Makes out every file of a scan, and gives each post as soon as it has been read; those first that no build has
   * read before, as there is more to do for them.
   *
   * @returns all workspaces, and every problem found on the way
   */
  *read(scan: Scan): Generator<PostReading, RawContent, undefined> {
    this.#mounts = scan.mounts
    const files = new Map<string, ReadFile>()
    const latest = new Map<string, LatestFile>()
    const { fresh, old } = this.#byAge(scan.files)
    for (const [at, found] of [...fresh, ...old].entries()) {
      const { scanned } = found
      const { file, text } = this.#make(found)
      files.set(scanned.path, file)
      if (this.#options.isRepeated === true && typeof scanned.content === 'string') {
        latest.set(scanned.path, { content: scanned.content, file })
      }
      const { document } = file
      if (document !== undefined && isPost(scanned)) {
        const isKnown = at >= fresh.length
        yield {
          document,
          workspace: scanned.workspace,
          isKnown,
          body: () => this.#bodyOf(document, text),
        }
      }
    }
    this.#latest = latest
    return this.#assemble(
      scan,
      scan.files.flatMap(({ path }) => files.get(path) ?? []),
    )
  }

  /** How many posts of a scan no build has read before; they come first. */
  newPosts(scan: Scan): number {
    return scan.files.filter((file) => isPost(file) && this.#find(file) === undefined).length
  }

  /** The body of a post that was read before. */
  bodyOf(document: Pick<RawDocument, 'file' | 'bodyHash'>): Read<string> {
    return this.#bodyOf(document, undefined)
  }

  #assemble(scan: Scan, files: readonly ReadFile[]): RawContent {
    const diagnostics: Diagnostic[] = [...scan.diagnostics]
    for (const file of files) diagnostics.push(...file.diagnostics)
    return { workspaces: assembleWorkspaces(scan.workspaces, files, scan.mounts), diagnostics }
  }

  #byAge(files: readonly ScannedFile[]): Record<'fresh' | 'old', readonly FoundFile[]> {
    const fresh: FoundFile[] = []
    const old: FoundFile[] = []
    for (const scanned of files) {
      const found = this.#find(scanned)
      if (found === undefined) fresh.push({ scanned })
      else old.push(found)
    }
    return { fresh, old }
  }

  /** @returns undefined for a document that no build has read */
  #find(scanned: ScannedFile): FoundFile | undefined {
    const { path, content, role } = scanned
    const latest = this.#latest.get(path)
    if (latest !== undefined && latest.content === content) return { scanned, file: latest.file }
    if (typeof content !== 'string' || role.kind !== 'document') return { scanned }
    const record = this.#cache.find(this.#keyOf(role, content))
    return record && { scanned, record }
  }

  /** @returns with the body's text, where it was read */
  #make({ scanned, file, record }: FoundFile): MadeFile {
    const { path, content, role } = scanned
    if (file !== undefined) return { file }
    if (record !== undefined) return { file: this.#decode(scanned, record, record.text('outline')) }
    // Read when it is published; what is wrong with it matters to those who show it.
    if (role.kind === 'image') return { file: { ...scanned, diagnostics: [] } }
    if (typeof content !== 'string') return { file: { ...scanned, ...unread(path, content) } }
    if (role.kind === 'document') return this.#makeDocument(scanned, content)
    const text = this.#textOf(path, content)
    if (text.value === undefined) return { file: { ...scanned, diagnostics: text.diagnostics } }
    const parse = role.kind === 'keys' ? readKeysText : readYaml
    const { value, diagnostics } = parse(path, text.value)
    return { file: { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics } }
  }

  #makeDocument(scanned: ScannedFile, content: string): MadeFile {
    const text = this.#textOf(scanned.path, content)
    if (text.value === undefined)
      return { file: fileOf(scanned, { diagnostics: text.diagnostics }) }
    const read = readDocument(scanned.path, text.value)
    const parts = encodeDocument(read, this.#keptBeside(scanned, read.value))
    if (parts === undefined) return { file: fileOf(scanned, read) }
    const record = this.#cache.add(this.#keyOf(scanned.role, content), {
      outline: Buffer.from(parts.outline),
      places: Buffer.from(parts.places),
    })
    // Read back, as the next build will: the parts of a text that were cut out of it keep all of it in memory.
    return { file: this.#decode(scanned, record, parts.outline), text: read.value?.body }
  }

  /** Of a post, whose body is handed on, what others made of it. */
  #keptBeside(scanned: ScannedFile, document: RawDocument | undefined): KeptBeside {
    if (document === undefined) return {}
    if (!isPost(scanned)) return { body: document.body }
    const { summarise } = this.#options
    return summarise === undefined ? {} : { summary: summarise(document) }
  }

  #decode(scanned: ScannedFile, record: CacheRecord, outline: string): ReadFile {
    return fileOf(scanned, decodeDocument({ outline, record }, scanned.path, this.#decoder))
  }

  #keyOf(role: PlannedFile['role'], content: string): string {
    return documentKey(this.#version, isPost({ role }) ? 'post' : 'term', content)
  }

  #bodyOf(
    document: Pick<RawDocument, 'file' | 'bodyHash'>,
    text: string | undefined,
  ): Read<string> {
    if (text !== undefined) return { value: text, diagnostics: [] }
    const { file, bodyHash } = document
    const bytes = readFileBytes(this.#root, file, { mounts: this.#mounts })
    const read = Buffer.isBuffer(bytes) ? decodeText(file, bytes) : unread(file, bytes)
    const found = read.value === undefined ? undefined : readDocument(file, read.value).value
    return found?.bodyHash === bodyHash
      ? { value: found.body, diagnostics: [] }
      : unread(file, CHANGED)
  }

  /** The text whose hash was found, and no other. */
  #textOf(file: string, content: string): Read<string> {
    const bytes = readFileBytes(this.#root, file, { mounts: this.#mounts })
    if (!Buffer.isBuffer(bytes)) return unread(file, bytes)
    return hash('sha256', bytes) === content ? decodeText(file, bytes) : unread(file, CHANGED)
  }
}

/** A file, and what is known of it: as it was made out before, or what was kept of it. */
interface FoundFile {
  readonly scanned: ScannedFile
  readonly file?: ReadFile
  readonly record?: CacheRecord
}

interface MadeFile {
  readonly file: ReadFile
  /** Of the body, where it was read. */
  readonly text?: string | undefined
}

/** A file as it was made out, and the hash of what it was made out from. */
interface LatestFile {
  readonly content: string
  readonly file: ReadFile
}

const CHANGED = unreadable('it changed while it was read')

function fileOf(scanned: ScannedFile, { value, diagnostics }: Read<RawDocument>): ReadFile {
  return { ...scanned, ...(value === undefined ? {} : { document: value }), diagnostics }
}
