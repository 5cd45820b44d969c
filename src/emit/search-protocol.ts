// What the main thread and the search thread tell each other; jobs are answered in the order in which they were given.
// Knows nothing of either side.
import type { BundledSearch } from '../api/bundle.ts'
import type { SectionTable } from '../query/sections.ts'
import type { ExpectedText, KnownPart, PreparedPosts, SearchInput } from './search-input.ts'

/** To the search thread. */
export type SearchRequest =
  /** Read what posts of a workspace are likely to have. Nothing is answered. */
  | { readonly kind: 'prepare'; readonly workspace: string; readonly posts: PreparedPosts }
  /** Make the terms of a post that a workspace is likely to have. They are told by the time it is made. */
  | { readonly kind: 'expect'; readonly workspace: string; readonly post: ExpectedText }
  /** Make the files of a workspace, and keep them. */
  | { readonly kind: 'make'; readonly workspace: string; readonly input: SearchInput }
  /** Give the bytes of a file: the workspace by its place among those that were made. */
  | { readonly kind: 'read'; readonly made: number; readonly file: number }
  /** Give what is known of the posts of a workspace: `SearchAdder.known`. */
  | {
      readonly kind: 'known'
      readonly made: number
      readonly of: string
      readonly part: KnownPart
    }

/** The terms that were made of a post. */
export type MadeTerms = readonly [post: number, terms: Uint8Array]

/** From the search thread. */
export type SearchReply =
  /** Terms of posts that had none, while a workspace is made. */
  | { readonly kind: 'terms'; readonly terms: readonly MadeTerms[] }
  /** Terms of posts that were expected, by their places. */
  | { readonly kind: 'expected'; readonly workspace: string; readonly terms: readonly MadeTerms[] }
  | {
      readonly kind: 'made'
      readonly files: readonly { readonly path: string; readonly etag: string }[]
      readonly search: BundledSearch<SectionTable>
      readonly isKnown: boolean
    }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** @param damaged the file of the cache that is not what it was; null for any other error */
  | { readonly kind: 'failed'; readonly error: unknown; readonly damaged: string | null }
