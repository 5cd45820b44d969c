// Text search by scanning every text: exact, in time linear in the texts.
import type { Awaitable } from '../api/snapshot.ts'
import { fold } from './fold.ts'
import type { TextSearch } from './post-index.ts'

/** The visible text of a post. */
export interface PostText {
  readonly title: string
  readonly text: string
}

/** The normalized texts of each post: `title NUL text`; no query contains a NUL. */
export function foldTexts(texts: Iterable<PostText>): readonly string[] {
  return Array.from(texts, ({ title, text }) => `${fold(title)}\0${fold(text)}`)
}

/**
 * Returns a search over all texts.
 *
 * @param load returns the result of `foldTexts`; called by the first search, and again after a failure
 *
 * Cost: O(normalized characters) per search.
 */
export function scanSearch(load: () => Awaitable<readonly string[]>): TextSearch {
  let loaded: Awaitable<readonly string[]> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  return {
    search(query, first = 0) {
      loaded ??= load()
      if (!(loaded instanceof Promise)) return scan(loaded, query, first)
      return loaded.then((texts) => scan(texts, query, first), forget)
    },
  }
}

function scan(texts: readonly string[], query: string, first: number): Uint32Array {
  const posts = [...texts.keys()].slice(first)
  return Uint32Array.from(posts.filter((post) => texts[post]?.includes(query)))
}
