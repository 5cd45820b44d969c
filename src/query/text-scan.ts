// Text search by looking at every text: exact, and as slow as the texts are long.
// Knows nothing of markup: it is given what a reader sees.
import type { Awaitable } from '../api/snapshot.ts'
import { fold } from './fold.ts'
import type { TextSearch } from './post-index.ts'

/** What a reader sees of a post. */
export interface PostText {
  readonly title: string
  readonly text: string
}

/** The folded texts of all posts in one string: `title NUL text NUL`, again and again. */
export interface JoinedText {
  readonly text: string
  /** Where each post begins, in UTF-16 code units; ascending. */
  readonly starts: Uint32Array
}

/** Folds and joins texts; a NUL in them becomes a blank, for it ends what can match. */
export function joinTexts(texts: Iterable<PostText>): JoinedText {
  const parts: string[] = []
  const starts: number[] = []
  let length = 0
  for (const { title, text } of texts) {
    const part = `${foldedLine(title)}\0${foldedLine(text)}\0`
    parts.push(part)
    starts.push(length)
    length += part.length
  }
  return { text: parts.join(''), starts: Uint32Array.from(starts) }
}

/**
 * A search over all texts.
 *
 * @param load asked for once, with the first search; again with the next one where it failed
 *
 * Cost: O(folded characters) a search.
 */
export function scanSearch(load: () => Awaitable<JoinedText>): TextSearch {
  let loaded: Awaitable<JoinedText> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  return {
    search(needle) {
      loaded ??= load()
      if (!(loaded instanceof Promise)) return scan(loaded, needle)
      return loaded.then((joined) => scan(joined, needle), forget)
    },
  }
}

function scan({ text, starts }: JoinedText, needle: string): Uint32Array {
  if (needle.includes('\0')) return new Uint32Array(0)
  const found: number[] = []
  let at = text.indexOf(needle)
  while (at !== -1) {
    const post = postAt(starts, at)
    found.push(post)
    // One hit a post is enough: on with the next post.
    const next = starts[post + 1]
    at = next === undefined ? -1 : text.indexOf(needle, next)
  }
  return Uint32Array.from(found)
}

/** The last post that begins at or before a place. */
function postAt(starts: Uint32Array, place: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low
}

function foldedLine(text: string): string {
  return fold(text).replaceAll('\0', ' ')
}
