// Which of a few words each of many tokens begins with, and which it ends with.

/** For each token the places of the words that hold for it, shortest first. */
export interface MatchedWords {
  /** Where the words of each token begin in `words`, and one more; at most 65,536 words. */
  readonly starts: Uint32Array
  readonly words: Uint16Array
}

/**
 * The words that tokens begin with.
 *
 * Cost: O(letters of the words + letters of the tokens that some word shares).
 */
export function beginnings(tokens: readonly string[], words: readonly string[]): MatchedWords {
  return match(tokens, words, (text, at) => text.charCodeAt(at))
}

/** The words that tokens end with, at the same cost. */
export function endings(tokens: readonly string[], words: readonly string[]): MatchedWords {
  return match(tokens, words, (text, at) => text.charCodeAt(text.length - 1 - at))
}

/** The letters that some word goes on with, and the word that ends here, or -1. */
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
