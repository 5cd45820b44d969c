// Rule: Markdown files, split below their front matter. Neighbours are one value, so that a large site is a few
// hundred of them.
import { hash } from 'node:crypto'
import { isPost } from '../../content/layout.ts'
import type { Read } from '../../content/raw.ts'
import { readScannedText } from '../../content/read-file.ts'
import type { MountPath } from '../../content/relative-path.ts'
import type { ScannedFile } from '../../content/scan.ts'
import { type SplitDocument, sourceOf, splitDocument } from '../../content/split-document.ts'
import type { Diagnostic } from '../../diagnostics.ts'
import type { Parts, StoredRule } from '../../memo/memo.ts'
import type { Mappings } from '../../model/front-matter-mapping.ts'
import { firstHeading } from '../../model/post-title.ts'

/** A Markdown file that could be read when it was scanned. */
export interface MarkdownFile extends Pick<ScannedFile, 'path' | 'role'> {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly content: string
}

/** The folder that files are in. */
export interface ContentFolder {
  /** Absolute, free of links. */
  readonly root: string
  readonly mounts: readonly MountPath[]
}

/** A file after the split, without its text. */
export interface SplitFile {
  /** Represents the front matter; null where the file could not be split. */
  readonly head: string | null
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** Line of the file on which the body begins, from 1. */
  readonly bodyLine: number
  /** The first heading of a post that has no other title; null for none. */
  readonly heading: string | null
  /** The body of a category, a tag or an author. */
  readonly body?: string
  /** Diagnostics without a file. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Neighbours by their paths. */
export interface FileChunk {
  readonly files: readonly MarkdownFile[]
  /** Say where a title may be. */
  readonly mappings: Mappings
}

/** Files of a chunk, by their content: wherever they are, they are split alike. */
export const splitFiles: StoredRule<FileChunk, readonly SplitFile[]> = {
  name: 'split files',
  keyOf: ({ files, mappings }) =>
    [JSON.stringify(mappings), ...files.map((file) => `${kindOf(file)} ${file.content}`)].join(
      '\n',
    ),
  valueOf: (record) => JSON.parse(record.text('files')),
}

/** The value of a chunk. */
export function splitFilesParts(files: readonly SplitFile[]): Parts {
  return { files: Buffer.from(JSON.stringify(files)) }
}

/** Reads a file, and splits it. @returns no value where its bytes are not those that were scanned */
export function readSplit(
  folder: ContentFolder,
  file: Pick<MarkdownFile, 'path' | 'content'>,
): Read<SplitDocument> & { readonly isStale: boolean } {
  const { value, diagnostics, isStale } = readScannedText(folder, file)
  const split = value === undefined ? { diagnostics } : splitDocument(file.path, value)
  return { ...split, isStale }
}

/** A file without its text. @param needsHeading a post whose front matter has no title. @default false */
export function splitFileOf(
  file: MarkdownFile,
  { value, diagnostics }: Read<SplitDocument>,
  needsHeading = false,
): SplitFile {
  const unplaced = diagnostics.map((diagnostic) => ({ ...diagnostic, file: '' }))
  if (value === undefined) return { ...noFile, diagnostics: unplaced }
  const { body, bodyHash, bodyLine } = value
  const heading = needsHeading ? (firstHeading(body) ?? null) : null
  const own = isPost(file) ? {} : { body }
  return { head: headOf(value), bodyHash, bodyLine, heading, ...own, diagnostics: unplaced }
}

const noFile = { head: null, bodyHash: '', bodyLine: 1, heading: null }

/** Represents the front matter and the text of its places. */
export function headOf(split: SplitDocument): string {
  return hash('sha256', `${split.head === '' ? 'none' : 'some'} ${sourceOf(split)}`)
}

/** All but the content that a split depends on. */
function kindOf(file: MarkdownFile): string {
  return `${isPost(file) ? 'post' : 'term'} ${file.path.endsWith('.mdx') ? 'mdx' : 'md'}`
}
