// Text search by looking at every text: exact, and as slow as the texts are long.
// Knows nothing of markup: it is given what a reader sees.
import { fold } from './fold.ts'
import type { TextSearch } from './post-index.ts'

/** What a reader sees of a post. */
export interface PostText {
  readonly title: string
  readonly text: string
}

/**
 * A search over all texts.
 *
 * @param count number of posts @param textOf a post's text, by ordinal; asked for once a post, with the
 *   first search
 *
 * Cost: O(folded characters) a search; the folded texts are kept.
 */
export function scanSearch(count: number, textOf: (ordinal: number) => PostText): TextSearch {
  let folded: readonly PostText[] | undefined
  return {
    search(needle) {
      folded ??= Array.from({ length: count }, (_, ordinal) => foldText(textOf(ordinal)))
      const found: number[] = []
      folded.forEach(({ title, text }, ordinal) => {
        if (title.includes(needle) || text.includes(needle)) found.push(ordinal)
      })
      return Uint32Array.from(found)
    },
  }
}

function foldText({ title, text }: PostText): PostText {
  return { title: fold(title), text: fold(text) }
}
