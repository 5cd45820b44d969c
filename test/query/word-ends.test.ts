// Words that tokens begin and end with, held against a look at each pair.
// Knows nothing of posts.

import { expect, it } from 'vitest'
import { beginnings, endings, type MatchedWords } from '../../src/query/word-ends.ts'
import fc from '../support/fast-check.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日'), minLength: 1, maxLength: 5 })

it('finds every word that a token begins or ends with, and no other', () => {
  const input = [fc.array(text), fc.uniqueArray(text, { maxLength: 30 })] as const
  fc.assert(
    fc.property(...input, (tokens, words) => {
      const shortestFirst = (holds: (token: string, word: string) => boolean) =>
        tokens.map((token) => {
          const found = words.filter((word) => holds(token, word))
          return found.sort((a, b) => a.length - b.length)
        })
      expect(wordsOf(beginnings(tokens, words), words)).toEqual(
        shortestFirst((token, word) => token.startsWith(word)),
      )
      expect(wordsOf(endings(tokens, words), words)).toEqual(
        shortestFirst((token, word) => token.endsWith(word)),
      )
    }),
  )
})

function wordsOf(matched: MatchedWords, words: readonly string[]): readonly (readonly string[])[] {
  return Array.from(matched.starts.subarray(1), (end, token) =>
    Array.from(matched.words.slice(matched.starts[token], end), (word) => words[word] ?? ''),
  )
}
