// What the search files of a workspace are made from, in a form that may go to another thread.
// Knows nothing of threads.
import type { StoredBytes } from '../cache/stored-bytes.ts'

/** A post as search knows it: its terms as they were kept, or what they are made of. */
export type SearchedPost =
  | { readonly terms: StoredBytes }
  /** The same, by their place among those that were prepared and expected. */
  | { readonly prepared: number }
  /** The title, and the visible text without it, as UTF-8. */
  | { readonly title: string; readonly text: StoredBytes }

/** The posts of a workspace, latest first. */
export interface SearchInput {
  readonly ids: readonly string[]
  readonly posts: readonly SearchedPost[]
}

/** Told the terms that were made, by the post's place in the input. */
export type OnMade = (post: number, terms: Uint8Array) => void

/** What is kept of a search that was made: of its posts as they were joined, and of its index as it was laid out. */
export type KnownPart = 'posts' | 'index'

/** Posts of a workspace as it was made before. */
export interface PreparedPosts<Terms extends StoredTerms = readonly StoredBytes[]> {
  /** Stands for the terms of all posts. */
  readonly of: string
  /** What `SearchAdder.known` gave of some posts, likely of these. */
  readonly known?: { readonly [Part in KnownPart]?: StoredBytes | undefined }
  /** The terms of each, latest first. */
  readonly terms: Terms
}

/** A list, or what finds each when it is asked for. */
export type StoredTerms = Pick<readonly StoredBytes[], 'length' | 'at'>

/** A post that a workspace is likely to have, as it is rendered. */
export interface ExpectedText {
  /** Among those that were prepared and expected. */
  readonly place: number
  readonly title: string
  /** The visible text without the title, as UTF-8. */
  readonly text: Uint8Array<ArrayBuffer>
}
