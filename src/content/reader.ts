// Reads a content folder whole: what an earlier reading worked out of a file is taken from the cache, by the
// file's content. Knows nothing of what front matter means.
import { hash } from 'node:crypto'
import type { Cache } from '../cache/cache.ts'
import { BuildError, type Diagnostic } from '../diagnostics.ts'
import { assembleWorkspaces, type ReadFile } from './assemble.ts'
import { decodeDocument, documentSchema, encodeDocument } from './document-record.ts'
import { readDocument } from './front-matter.ts'
import { readKeysText } from './keys-file.ts'
import type { PlannedFile } from './layout.ts'
import { readImage } from './media.ts'
import type { RawContent, RawDocument, Read } from './raw.ts'
import { decodeText, readFileBytes, unread, unreadable } from './read-file.ts'
import type { Scan, ScannedFile } from './scan.ts'
import { readYaml } from './yaml-file.ts'

/** A post that has just been read. */
export interface PostReading {
  readonly document: RawDocument
  /** An earlier build has read it, and so those that follow. */
  readonly isKnown: boolean
  /** Its body, read from the disk where it is not at hand; what is wrong when it has changed since. */
  body(): Read<string>
}

/** Reads one folder, again and again; files that did not change are read once. */
export class ContentReader {
  readonly #root: string
  readonly #cache: Cache
  readonly #version: string
  readonly #isRepeated: boolean
  #latest = new Map<string, LatestFile>()

  /**
   * @param root absolute, free of links
   * @param version changes when the same file is read in another way
   * @param isRepeated what was read is kept in memory for the next reading
   */
  constructor(root: string, cache: Cache, version: string, isRepeated = false) {
    this.#isRepeated = isRepeated
    this.#root = root
    this.#cache = cache
    this.#version = version
  }

  /**
   * Makes out every file of a scan, and gives each post as soon as it has been read; those first that no build has
   * read before, as there is more to do for them.
   *
   * @returns all workspaces, and every problem found on the way
   */
  *read(scan: Scan): Generator<PostReading, RawContent, undefined> {
    const files = new Map<string, ReadFile>()
    const latest = new Map<string, LatestFile>()
    const { fresh, old } = this.#byAge(scan.files)
    for (const [at, scanned] of [...fresh, ...old].entries()) {
      const known = this.#latest.get(scanned.path)
      const isSame = known !== undefined && known.content === scanned.content
      const { file, text } = isSame ? { file: known.file, text: undefined } : this.#make(scanned)
      files.set(scanned.path, file)
      if (this.#isRepeated && typeof scanned.content === 'string') {
        latest.set(scanned.path, { content: scanned.content, file })
      }
      const { document } = file
      if (document !== undefined && isPost(scanned)) {
        const isKnown = at >= fresh.length
        yield { document, isKnown, body: () => this.#bodyOf(document, text) }
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
    return scan.files.filter((file) => isPost(file) && !this.#isKnown(file)).length
  }

  /** The body of a post that was read before. */
  bodyOf(document: Pick<RawDocument, 'file' | 'bodyHash'>): Read<string> {
    return this.#bodyOf(document, undefined)
  }

  /** The bytes of an image that was scanned. @throws BuildError when they are others by now */
  imageOf(path: string, sha256: string): Buffer {
    const { value, diagnostics } = readImage(this.#root, path, sha256)
    if (value === undefined) throw new BuildError(diagnostics)
    return value
  }

  #assemble(scan: Scan, files: readonly ReadFile[]): RawContent {
    const diagnostics: Diagnostic[] = [...scan.diagnostics]
    for (const file of files) diagnostics.push(...file.diagnostics)
    return { workspaces: assembleWorkspaces(scan.workspaces, files), diagnostics }
  }

  #byAge(files: readonly ScannedFile[]): Record<'fresh' | 'old', readonly ScannedFile[]> {
    const known = files.map((file) => this.#isKnown(file))
    return {
      fresh: files.filter((_, at) => !known[at]),
      old: files.filter((_, at) => known[at]),
    }
  }

  #isKnown({ path, content, role }: ScannedFile): boolean {
    if (typeof content !== 'string' || this.#latest.get(path)?.content === content) return true
    return role.kind !== 'document' || this.#cache.find(this.#keyOf(role, content)) !== undefined
  }

  /** @returns with the body's text, where it was read */
  #make(scanned: ScannedFile): { readonly file: ReadFile; readonly text?: string | undefined } {
    const { path, content } = scanned
    // Read when it is published; what is wrong with it matters to those who show it.
    if (scanned.role.kind === 'image') return { file: { ...scanned, diagnostics: [] } }
    if (typeof content !== 'string') return { file: { ...scanned, ...unread(path, content) } }
    const { role } = scanned
    if (role.kind === 'document') return this.#makeDocument(scanned, content)
    const text = this.#textOf(path, content)
    if (text.value === undefined) return { file: { ...scanned, diagnostics: text.diagnostics } }
    const parse = role.kind === 'keys' ? readKeysText : readYaml
    const { value, diagnostics } = parse(path, text.value)
    return { file: { ...scanned, ...(value === undefined ? {} : { yaml: value }), diagnostics } }
  }

  #makeDocument(
    scanned: ScannedFile,
    content: string,
  ): { readonly file: ReadFile; readonly text?: string | undefined } {
    const key = this.#keyOf(scanned.role, content)
    const kept = this.#cache.find(key)
    if (kept !== undefined) {
      const json = Buffer.from(kept.read('json')).toString()
      return { file: fileOf(scanned, decodeDocument(json, scanned.path)) }
    }
    const text = this.#textOf(scanned.path, content)
    if (text.value === undefined)
      return { file: fileOf(scanned, { diagnostics: text.diagnostics }) }
    const read = readDocument(scanned.path, text.value)
    const json = encodeDocument(read, !isPost(scanned))
    if (json === undefined) return { file: fileOf(scanned, read) }
    this.#cache.add(key, { json: Buffer.from(json) })
    // Read back, as the next build will: the parts of a text that were cut out of it keep all of it in memory.
    return { file: fileOf(scanned, decodeDocument(json, scanned.path)), text: read.value?.body }
  }

  #keyOf(role: PlannedFile['role'], content: string): string {
    const kind = isPost({ role }) ? 'post' : 'term'
    return hash('sha256', `document ${documentSchema} ${this.#version} ${kind} ${content}`)
  }

  #bodyOf(
    document: Pick<RawDocument, 'file' | 'bodyHash'>,
    text: string | undefined,
  ): Read<string> {
    if (text !== undefined) return { value: text, diagnostics: [] }
    const { file, bodyHash } = document
    const bytes = readFileBytes(this.#root, file)
    const read = Buffer.isBuffer(bytes) ? decodeText(file, bytes) : unread(file, bytes)
    const found = read.value === undefined ? undefined : readDocument(file, read.value).value
    return found?.bodyHash === bodyHash
      ? { value: found.body, diagnostics: [] }
      : unread(file, CHANGED)
  }

  /** The text whose hash was found, and no other. */
  #textOf(file: string, content: string): Read<string> {
    const bytes = readFileBytes(this.#root, file)
    if (!Buffer.isBuffer(bytes)) return unread(file, bytes)
    return hash('sha256', bytes) === content ? decodeText(file, bytes) : unread(file, CHANGED)
  }
}

/** A file as it was made out, and the hash of what it was made out from. */
interface LatestFile {
  readonly content: string
  readonly file: ReadFile
}

const CHANGED = unreadable('it changed while it was read')

function isPost({ role }: Pick<PlannedFile, 'role'>): boolean {
  return role.kind === 'document' && role.of === 'posts'
}

function fileOf(scanned: ScannedFile, { value, diagnostics }: Read<RawDocument>): ReadFile {
  return { ...scanned, ...(value === undefined ? {} : { document: value }), diagnostics }
}
