// Matches many tokens against a few words, by prefix and by suffix.

/** For each token, the indices of the matching words, shortest first. */
export interface MatchedWords {
  /** Offsets of each token in `words`, plus the end; at most 65,536 words. */
  readonly starts: Uint32Array
  readonly words: Uint16Array
}

/**
 * The words that are prefixes of each token.
 *
 * Cost: O(letters of the words + letters of the tokens that some word shares).
 */
export function beginnings(tokens: readonly string[], words: readonly string[]): MatchedWords {
  return match(tokens, words, (text, at) => text.charCodeAt(at))
}

/** The words that are suffixes of each token, at the same cost. */
export function endings(tokens: readonly string[], words: readonly string[]): MatchedWords {
  return match(tokens, words, (text, at) => text.charCodeAt(text.length - 1 - at))
}

/** A trie node: the letters that continue a word, and the word that ends here, or -1. */
interface Branch {
  word: number
  readonly next: Map<number, Branch>
}

function match(
  tokens: readonly string[],
  words: readonly string[],
  letterAt: (text: string, at: number) => number,
): MatchedWords {
  const root = newBranch()
  words.forEach((word, place) => {
    let branch = root
    for (let at = 0; at < word.length; at++) branch = follow(branch, letterAt(word, at))
    branch.word = place
  })
  const starts = new Uint32Array(tokens.length + 1)
  const found: number[] = []
  tokens.forEach((token, index) => {
    let branch = root.next.get(letterAt(token, 0))
    for (let at = 1; branch !== undefined; at++) {
      if (branch.word !== -1) found.push(branch.word)
      branch = at < token.length ? branch.next.get(letterAt(token, at)) : undefined
    }
    starts[index + 1] = found.length
  })
  return { starts, words: Uint16Array.from(found) }
}

function newBranch(): Branch {
  return { word: -1, next: new Map() }
}

function follow({ next }: Branch, letter: number): Branch {
  const known = next.get(letter)
  if (known !== undefined) return known
  const branch = newBranch()
  next.set(letter, branch)
  return branch
}
