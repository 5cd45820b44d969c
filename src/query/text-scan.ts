// Text search by looking at every text: exact, and as slow as the texts are long.
import type { Awaitable } from '../api/snapshot.ts'
import { fold } from './fold.ts'
import type { TextSearch } from './post-index.ts'

/** The visible text of a post. */
export interface PostText {
  readonly title: string
  readonly text: string
}

/** The texts of each post, folded: `title NUL text`, which no query can reach across. */
export function foldTexts(texts: Iterable<PostText>): readonly string[] {
  return Array.from(texts, ({ title, text }) => `${fold(title)}\0${fold(text)}`)
}

/**
 * A search over all texts.
 *
 * @param load gives what `foldTexts` does; asked for once, with the first search; again with the next one where
 *   it failed
 *
 * Cost: O(folded characters) a search.
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
