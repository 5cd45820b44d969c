// Splits the Markdown files of a scan, parses their front matter and assembles the content. Reuses the results of
// earlier builds for equal bytes.
import { assembleWorkspaces, type ReadFile } from '../content/assemble.ts'
import { PlacesDecoder, StoredDocument } from '../content/front-matter-record.ts'
import { isPost } from '../content/layout.ts'
import type { RawContent, RawDocument, Read } from '../content/raw.ts'
import { fileChanged, unread } from '../content/read-file.ts'
import type { Scan, ScannedFile } from '../content/scan.ts'
import type { SplitDocument } from '../content/split-document.ts'
import type { Diagnostic } from '../diagnostics.ts'
import { type ChunkSizes, cutChunks } from '../emit/blocks.ts'
import type { Memo } from '../memo/memo.ts'
import type { Mappings } from '../model/front-matter-mapping.ts'
import type { MarkdownBody } from '../model/markdown-body.ts'
import {
  type FrontMatterInput,
  type FrontMatterValue,
  frontMatter,
  outlineOf,
  storedFrontMatter,
} from './rules/front-matter.ts'
import {
  type ContentFolder,
  type FileChunk,
  headOf,
  type MarkdownFile,
  readSplit,
  type SplitFile,
  splitFileOf,
  splitFiles,
  splitFilesParts,
} from './rules/split-files.ts'
import { Yielder } from './yielder.ts'

/** A post that was just read: its body may be new. */
export interface NewPost {
  readonly document: MarkdownBody
  body(): Read<string>
}

/** The documents of a scan. */
export class Documents {
  readonly #memo: Memo
  readonly #folder: ContentFolder
  readonly #scan: Scan
  readonly #mappings: Mappings
  readonly #decoder = new PlacesDecoder()
  readonly #files: ReadonlyMap<string, MarkdownFile>
  /** By path. */
  readonly #split = new Map<string, SplitFile>()
  /** Chunks that no build has split. */
  readonly #newChunks: readonly (readonly MarkdownFile[])[]

  /**
   * @param root the content folder: absolute, without links
   */
  constructor(root: string, scan: Scan, mappings: Mappings, memo: Memo) {
    this.#memo = memo
    this.#folder = { root, mounts: scan.mounts }
    this.#scan = scan
    this.#mappings = mappings
    this.#files = new Map(scan.files.filter(isMarkdown).map((file) => [file.path, file]))
    this.#newChunks = this.#chunks().filter((chunk) => !this.#takeStored(chunk))
  }

  /** The number of stored documents decoded with all positions. */
  get decoded(): number {
    return this.#decoder.decoded
  }

  /** Problems of the scan and of splitting. */
  get diagnostics(): readonly Diagnostic[] {
    const ofFiles = [...this.#split].flatMap(([path, { diagnostics }]) =>
      placeIn(path, diagnostics),
    )
    return [...this.#scan.diagnostics, ...ofFiles]
  }

  /** Splits all files. @returns the posts that had to be read, one by one, without drafts and broken posts */
  async *split(): AsyncGenerator<NewPost, void, undefined> {
    const turns = new Yielder()
    for (const chunk of this.#newChunks) {
      let isStale = false
      for (const file of chunk) {
        const split = readSplit(this.#folder, file)
        isStale ||= split.isStale
        const { value } = split
        const parsed = value && (await this.#parseNew(file, value))
        this.#split.set(file.path, splitFileOf(file, split, parsed?.needsHeading))
        if (value && parsed?.isSound === true && !parsed.isSoundDraft) yield newPost(file, value)
        await turns.next()
      }
      const input = this.#inputOfChunk(chunk)
      if (!isStale) this.#memo.add(splitFiles, input, splitFilesParts(this.#splitOf(chunk)))
    }
  }

  /** The number of posts that `split` will read, as far as known in advance. */
  get newPosts(): number {
    return this.#newChunks.flat().filter(isPost).length
  }

  /** Identifies all content except the bodies of posts. */
  get fingerprint(): string {
    const { workspaces, files, mounts } = this.#scan
    const lines = files.map((file) => `${this.#fingerprintOf(file)} ${file.path}`)
    // File names may contain line breaks, but no NUL.
    return [...workspaces, '', JSON.stringify(mounts), ...lines].join('\0')
  }

  /** The hash of a body: `bodyHashOf`. @throws RangeError for a file that is no document */
  bodyHashOf(path: string): string {
    const split = this.#split.get(path)
    if (split === undefined) throw new RangeError(`${path} is no document`)
    return split.bodyHash
  }

  /** Reads the body of a post again. @returns a problem when the file has changed since the scan */
  bodyOf({ file: path, bodyHash }: Pick<MarkdownBody, 'file' | 'bodyHash'>): Read<string> {
    const file = this.#files.get(path)
    const split = file && readSplit(this.#folder, file).value
    return split?.bodyHash === bodyHash
      ? { value: split.body, diagnostics: [] }
      : unread(path, fileChanged)
  }

  /** Parses all files; includes problems of parsing. */
  async content(): Promise<RawContent> {
    const { readDataFile } = await import('../content/data-file.ts')
    const { workspaces, files, mounts } = this.#scan
    const read: ReadFile[] = []
    for (const file of files) {
      read.push(
        isDocument(file) ? await this.#readDocument(file) : readDataFile(this.#folder, file),
      )
    }
    return {
      workspaces: assembleWorkspaces(workspaces, read, mounts),
      diagnostics: read.flatMap(({ diagnostics }) => diagnostics),
    }
  }

  #chunks(): readonly (readonly MarkdownFile[])[] {
    const files = [...this.#files.values()]
    return cutChunks(
      files.map(({ path }) => path),
      chunkSizes,
    ).map((places) => places.flatMap((place) => files[place] ?? []))
  }

  #takeStored(chunk: readonly MarkdownFile[]): boolean {
    const stored = this.#memo.find(splitFiles, this.#inputOfChunk(chunk))
    chunk.forEach(({ path }, at) => {
      const split = stored?.[at]
      if (split !== undefined) this.#split.set(path, split)
    })
    return stored !== undefined
  }

  #splitOf(chunk: readonly MarkdownFile[]): readonly SplitFile[] {
    return chunk.flatMap(({ path }) => this.#split.get(path) ?? [])
  }

  /** Parses the front matter of a split post. */
  async #parseNew(file: MarkdownFile, split: SplitDocument): Promise<FrontMatterValue | undefined> {
    if (!isPost(file)) return undefined
    return this.#memo.get(frontMatter, { ...this.#inputOf(file, headOf(split)), split })
  }

  #inputOf(file: Pick<ScannedFile, 'role'>, head: string): FrontMatterInput {
    return { head, isPost: isPost(file), mappings: this.#mappings }
  }

  #inputOfChunk(files: readonly MarkdownFile[]): FileChunk {
    return { files, mappings: this.#mappings }
  }

  async #readDocument(scanned: ScannedFile): Promise<ReadFile> {
    const { path, content } = scanned
    if (typeof content !== 'string') return { ...scanned, ...unread(path, content) }
    const head = this.#split.get(path)?.head ?? null
    // The rule for splitting has reported the reason.
    if (head === null) return { ...scanned, diagnostics: [] }
    const parsed = await this.#parsed(this.#inputOf(scanned, head), { path, content })
    if (parsed === undefined) return { ...scanned, ...unread(path, fileChanged) }
    const { summary, diagnostics } = outlineOf(parsed)
    const placed = placeIn(path, diagnostics)
    if (!parsed.isSound) return { ...scanned, diagnostics: placed }
    const document = this.#documentOf(path, parsed, summary)
    return { ...scanned, document, diagnostics: placed }
  }

  /** @returns undefined when it is not stored, and the file has changed since the scan */
  async #parsed(
    input: FrontMatterInput,
    file: Pick<MarkdownFile, 'path' | 'content'>,
  ): Promise<FrontMatterValue | undefined> {
    const stored = this.#memo.find(storedFrontMatter, input)
    if (stored !== undefined) return stored
    const { value: split } = readSplit(this.#folder, file)
    return split && this.#memo.get(frontMatter, { ...input, split })
  }

  #documentOf(file: string, { record }: FrontMatterValue, summary: unknown): RawDocument {
    const split = this.#split.get(file)
    if (split === undefined) throw new RangeError(`${file} is not split`)
    return new StoredDocument(file, { ...split, summary }, () => this.#decoder.decode(record))
  }

  #fingerprintOf(file: ScannedFile): string {
    const split = this.#split.get(file.path)
    if (split === undefined || split.head === null) return JSON.stringify(file.content)
    const { head, bodyHash, bodyLine, heading } = split
    // The next build may need it even if this one does not: the cache drops records without a look-up.
    this.#memo.has(storedFrontMatter, this.#inputOf(file, head))
    return isPost(file) ? JSON.stringify([head, bodyLine, heading]) : `${head} ${bodyHash}`
  }
}

/** A changed file causes all files of its chunk to be read again. */
const chunkSizes: ChunkSizes = { min: 8, mean: 16, max: 48 }

function newPost({ path }: MarkdownFile, { body, bodyHash, bodyLine }: SplitDocument): NewPost {
  const document = { file: path, bodyHash, bodyLine }
  return { document, body: () => ({ value: body, diagnostics: [] }) }
}

function isDocument({ role }: ScannedFile): boolean {
  return role.kind === 'document'
}

function isMarkdown(file: ScannedFile): file is ScannedFile & MarkdownFile {
  return isDocument(file) && typeof file.content === 'string'
}

function placeIn(file: string, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, file }))
}
