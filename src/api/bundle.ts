// Contents of a function's index files, which a build writes and a runtime reads: a root, and one file per workspace.
import type { IndexedField } from './field-parameters.ts'
import type { KeyRecord } from './key-record.ts'
import type { TermKind } from './resources.ts'
import type { Channel, PostPart } from './snapshot.ts'

/** Folder of the function's files, below the output folder. */
export const bundleFolder = 'function'

/** File name of the root, below the function's folder. */
export const indexName = 'index.bin'

/** Parts of a post's record in storage order, in which an HTML post is one contiguous range. */
export const recordParts: readonly PostPart[] = ['head', 'html', 'tail', 'markdown', 'item']

/** Table of contents of the root. `Table` locates sections. */
export interface BundleContents<Table> {
  /** Id of the build that wrote the files. */
  readonly build: string
  /** The OpenAPI document, as JSON. */
  readonly openapi: Table
  /** False if `limit=all` is disabled. */
  readonly limitAll: boolean
  readonly workspaces: readonly BundledWorkspace[]
  /** File name of the changes of earlier builds; absent if there are none. */
  readonly steps?: string
}

/** A workspace in the root. */
export interface BundledWorkspace {
  readonly id: string
  readonly isV1Private: boolean
  readonly keys: readonly KeyRecord[]
  /** Number of posts that were scheduled when the files were written. */
  readonly scheduled: number
  /** Custom fields that posts can be filtered by; absent if there are none. */
  readonly fields?: readonly IndexedField[]
  /** File name of its index. */
  readonly index: string
  /** File name of its index with drafts; absent if there are none. */
  readonly draftIndex?: string
}

/** Table of contents of a workspace's index. */
export interface WorkspaceContents<Table> {
  /** Times, identifiers and posting lists. */
  readonly index: Table
  /** Locations of the posts' records. */
  readonly records: Table
  /** File names of the record blocks, by number. */
  readonly blocks: readonly string[]
  readonly search: BundledSearch<Table>
  /** `Assets` as JSON. */
  readonly assets: Table
  /** `Alias`es as JSON; absent if there are none. */
  readonly aliases?: Table
  /** The site that shows the posts; absent if their URLs are not absolute. */
  readonly channel?: Channel
  /** JSON of the terms. */
  readonly terms: Readonly<Record<TermKind, Table>>
}

/** The search index of a workspace. */
export interface BundledSearch<Table> {
  /** Version of tokenization and normalization: `termsVersion`. */
  readonly terms: string
  /** Ranges of posts in publication order, latest first, each with its own index. */
  readonly segments: readonly BundledSegment<Table>[]
}

/** The index of a contiguous range of posts: file names, in order. */
export interface BundledSegment<Table> {
  /** Number of posts. */
  readonly posts: number
  /** False for posts that were scheduled when the files were written: they have texts but no terms. */
  readonly isIndexed: boolean
  /** The term dictionary. */
  readonly vocabulary: BundledSections<Table>
  /** Data of each term and each text. */
  readonly tables: BundledSections<Table>
  /** Files of the posting lists: one byte sequence, split between lists. */
  readonly lists: readonly string[]
  /** Offsets in that sequence: the start of each file, and the end of the last one. */
  readonly listStarts: readonly number[]
  /** Files of blocks of normalized texts, by number. */
  readonly texts: readonly string[]
}

/** Sections of a buffer that is split into files. */
export interface BundledSections<Table> {
  readonly files: readonly string[]
  readonly sections: Table
}

/** Returns the names of the files of an index, those that a search needs first in front. */
export function filesOfIndex<Table>({
  search,
  blocks,
}: Pick<WorkspaceContents<Table>, 'search' | 'blocks'>): readonly string[] {
  const { segments } = search
  return [
    ...segments.flatMap(({ vocabulary, tables }) => [...vocabulary.files, ...tables.files]),
    ...segments.flatMap(({ lists }) => lists),
    // Texts before records, as not all files can be held open: a phrase reads every text, a page of posts few records.
    ...segments.flatMap(({ texts }) => texts),
    ...blocks,
  ]
}
