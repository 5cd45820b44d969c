// What the search files of a workspace are made from, in a form that may go to another thread.
// Knows nothing of threads.
import { readStored, type StoredBytes } from '../cache/stored-bytes.ts'
import { postTerms } from '../query/post-terms.ts'

/** A post as search knows it: its terms as they were kept, or what they are made of. */
export type SearchedPost =
  | { readonly terms: StoredBytes }
  /** The title, and the visible text without it, as UTF-8. */
  | { readonly title: string; readonly text: StoredBytes }

/** The posts of a workspace, latest first. */
export interface SearchInput {
  readonly ids: readonly string[]
  readonly posts: readonly SearchedPost[]
}

/** Told the terms that were made, by the post's place in the input. */
export type OnMade = (post: number, terms: Uint8Array) => void

/**
 * What `postTerms` gave or gives for each post.
 *
 * @throws CacheDamageError when something kept is not what it was
 */
export function* termsOf(
  { posts }: SearchInput,
  onMade: OnMade,
): Generator<Uint8Array, void, undefined> {
  const decoder = new TextDecoder()
  for (const [number, post] of posts.entries()) {
    if ('terms' in post) {
      yield readStored(post.terms)
      continue
    }
    const terms = postTerms(post.title, decoder.decode(readStored(post.text)))
    onMade(number, terms)
    yield terms
  }
}
