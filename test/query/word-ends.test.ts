// Words that runs begin and end with, held against a look at each pair.
// Knows nothing of posts.

import { expect, it } from 'vitest'
import { beginnings, endings, type MatchedWords } from '../../src/query/word-ends.ts'
import fc from '../support/fast-check.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '日'), minLength: 1, maxLength: 5 })

it('finds every word that a run begins or ends with, and no other', () => {
  const input = [fc.array(text), fc.uniqueArray(text, { maxLength: 30 })] as const
  fc.assert(
    fc.property(...input, (runs, words) => {
      const shortestFirst = (holds: (run: string, word: string) => boolean) =>
        runs.map((run) => {
          const found = words.filter((word) => holds(run, word))
          return found.sort((a, b) => a.length - b.length)
        })
      expect(wordsOf(beginnings(runs, words), words)).toEqual(
        shortestFirst((run, word) => run.startsWith(word)),
      )
      expect(wordsOf(endings(runs, words), words)).toEqual(
        shortestFirst((run, word) => run.endsWith(word)),
      )
    }),
  )
})

function wordsOf(matched: MatchedWords, words: readonly string[]): readonly (readonly string[])[] {
  return Array.from(matched.starts.subarray(1), (end, run) =>
    Array.from(matched.words.slice(matched.starts[run], end), (word) => words[word] ?? ''),
  )
}
