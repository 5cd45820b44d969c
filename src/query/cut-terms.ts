// Extracts the terms of some adjacent posts from merged terms.
import { type InvertedTerms, startsOf } from './inverted-terms.ts'

/**
 * Returns the terms of adjacent posts, as `mergeTerms` would merge these alone.
 *
 * @param start counted from the oldest post
 *
 * Cost: O(bytes of terms + postings of all posts).
 */
export function cutTerms(
  terms: InvertedTerms,
  start: number,
  end: number,
): Omit<InvertedTerms, 'textBytes'> {
  const { frequencies, posts } = cutPostings(terms, start, end)
  const texts = new Uint8Array(terms.texts.length)
  let from = 0
  let to = 0
  let term = 0
  const counts = terms.counts.map((count) => {
    let kept = 0
    for (const kindEnd = term + count; term < kindEnd; term++) {
      const textEnd = terms.texts.indexOf(0, from) + 1
      if (frequencies[term] !== 0) {
        kept += 1
        texts.set(terms.texts.subarray(from, textEnd), to)
        to += textEnd - from
      }
      from = textEnd
    }
    return kept
  })
  return {
    postCount: end - start,
    counts,
    texts: texts.subarray(0, to),
    frequencies: frequencies.filter((frequency) => frequency !== 0),
    posts,
  }
}

/** The posts of each term within the range; frequency 0 for terms without any. */
function cutPostings(
  { frequencies, posts }: InvertedTerms,
  start: number,
  end: number,
): Pick<InvertedTerms, 'frequencies' | 'posts'> {
  const starts = startsOf(frequencies)
  const cut = new Uint32Array(posts.length)
  let to = 0
  const kept = frequencies.map((_, term) => {
    const before = to
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++) {
      const post = posts[at] ?? 0
      if (post >= start && post < end) cut[to++] = post - start
    }
    return to - before
  })
  return { frequencies: kept, posts: cut.subarray(0, to) }
}
