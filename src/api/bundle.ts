// The contents of a function's index files, as data that a build writes and a runtime reads: a root, and a file for
// each workspace.
import type { IndexedField } from './field-parameters.ts'
import type { KeyRecord } from './key-record.ts'
import type { TermKind } from './resources.ts'
import type { Channel, PostPart } from './snapshot.ts'

/** Where the function's files lie below the output folder. */
export const bundleFolder = 'function'

/** The root, below the function's folder. */
export const indexName = 'index.bin'

/** Parts of a post's record, in the order in which they are in it: an HTML post is one run of bytes. */
export const recordParts: readonly PostPart[] = ['head', 'html', 'tail', 'markdown', 'item']

/** The table of contents of the root. `Table` finds sections. */
export interface BundleContents<Table> {
  /** The build that the files belong to. */
  readonly build: string
  /** The interface's own description, as JSON. */
  readonly openapi: Table
  /** False where `limit=all` is switched off. */
  readonly limitAll: boolean
  readonly workspaces: readonly BundledWorkspace[]
  /** Name of the file with the changes of earlier builds; absent where there is none. */
  readonly steps?: string
}

/** A workspace in the root. */
export interface BundledWorkspace {
  readonly id: string
  readonly isV1Private: boolean
  readonly keys: readonly KeyRecord[]
  /** Posts that were scheduled when the files were written. */
  readonly scheduled: number
  /** Custom fields that posts can be filtered by; absent where there are none. */
  readonly fields?: readonly IndexedField[]
  /** Name of the file with its index. */
  readonly index: string
  /** The same for the index with drafts; absent where there are none. */
  readonly draftIndex?: string
}

/** The table of contents of a workspace's index. */
export interface WorkspaceContents<Table> {
  /** Times, identifiers and posting lists. */
  readonly index: Table
  /** Where posts' records are. */
  readonly records: Table
  /** Names of the blocks that records are in, by number. */
  readonly blocks: readonly string[]
  readonly search: BundledSearch<Table>
  /** `Assets` as JSON. */
  readonly assets: Table
  /** `Alias`es as JSON; absent where there are none. */
  readonly aliases?: Table
  /** The site that shows the posts; absent where their addresses are not absolute. */
  readonly channel?: Channel
  /** The terms' JSON itself. */
  readonly terms: Readonly<Record<TermKind, Table>>
}

/** The search index of a workspace. */
export interface BundledSearch<Table> {
  /** How texts were cut and folded: `termsVersion`. */
  readonly terms: string
  /** Posts in publication order, latest first, cut into ranges; each has an index of its own. */
  readonly segments: readonly BundledSegment<Table>[]
}

/** Where the index of some neighbours in publication order is: names of files, in order. */
export interface BundledSegment<Table> {
  /** How many there are. */
  readonly posts: number
  /** False for posts that were scheduled when the files were written: they have texts and no terms. */
  readonly isIndexed: boolean
  /** All terms. */
  readonly vocabulary: BundledSections<Table>
  /** The data of each term and of each text. */
  readonly tables: BundledSections<Table>
  /** Posting lists, one run of bytes cut between lists. */
  readonly lists: readonly string[]
  /** Where each file of lists begins in that run, and where the last one ends. */
  readonly listStarts: readonly number[]
  /** Blocks of folded texts, by number. */
  readonly texts: readonly string[]
}

/** Sections of a buffer that is cut into files. */
export interface BundledSections<Table> {
  readonly files: readonly string[]
  readonly sections: Table
}

/** Names of the files that an index names; those that a search needs first are first. */
export function filesOfIndex<Table>({
  search,
  blocks,
}: Pick<WorkspaceContents<Table>, 'search' | 'blocks'>): readonly string[] {
  const { segments } = search
  return [
    ...segments.flatMap(({ vocabulary, tables }) => [...vocabulary.files, ...tables.files]),
    ...segments.flatMap(({ lists }) => lists),
    // Before blocks, where not all can be held open: a phrase reads every text, a page of posts a few records.
    ...segments.flatMap(({ texts }) => texts),
    ...blocks,
  ]
}
