// Rule: Markdown files, split below their front matter. Adjacent files share a value, so that a large site has a few
// hundred values.
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

/** A Markdown file that the scan could read. */
export interface MarkdownFile extends Pick<ScannedFile, 'path' | 'role'> {
  /** SHA-256 of its bytes, hexadecimal. */
  readonly content: string
}

/** The folder of the files. */
export interface ContentFolder {
  /** Absolute, without links. */
  readonly root: string
  readonly mounts: readonly MountPath[]
}

/** A split file, without its text. */
export interface SplitFile {
  /** Identifies the front matter; null when the file could not be split. */
  readonly head: string | null
  /** See `bodyHashOf`. */
  readonly bodyHash: string
  /** The first line of the body in the file, from 1. */
  readonly bodyLine: number
  /** The first heading of a post without another title; null for none. */
  readonly heading: string | null
  /** The body of a category, a tag or an author. */
  readonly body?: string
  /** Diagnostics without a file. */
  readonly diagnostics: readonly Diagnostic[]
}

/** Files with adjacent paths. */
export interface FileChunk {
  readonly files: readonly MarkdownFile[]
  /** Determine the keys of a title. */
  readonly mappings: Mappings
}

/** The files of a chunk, by their content: files in other locations are split alike. */
export const splitFiles: StoredRule<FileChunk, readonly SplitFile[]> = {
  name: 'split files',
  keyOf: ({ files, mappings }) =>
    [JSON.stringify(mappings), ...files.map((file) => `${kindOf(file)} ${file.content}`)].join(
      '\n',
    ),
  valueOf: (record) => JSON.parse(record.text('files')),
}

/** Encodes the value of a chunk. */
export function splitFilesParts(files: readonly SplitFile[]): Parts {
  return { files: Buffer.from(JSON.stringify(files)) }
}

/** Reads and splits a file. @returns no value when its bytes have changed since the scan */
export function readSplit(
  folder: ContentFolder,
  file: Pick<MarkdownFile, 'path' | 'content'>,
): Read<SplitDocument> & { readonly isStale: boolean } {
  const { value, diagnostics, isStale } = readScannedText(folder, file)
  const split = value === undefined ? { diagnostics } : splitDocument(file.path, value)
  return { ...split, isStale }
}

/**
 * Removes the text of a split file. @param needsHeading true for a post without a title in its front matter. @default
 * false
 */
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

/** Identifies the front matter and the source text of its positions. */
export function headOf(split: SplitDocument): string {
  return hash('sha256', `${split.head === '' ? 'none' : 'some'} ${sourceOf(split)}`)
}

/** Everything besides the content that the split of a file depends on. */
function kindOf(file: MarkdownFile): string {
  return `${isPost(file) ? 'post' : 'term'} ${file.path.endsWith('.mdx') ? 'mdx' : 'md'}`
}
