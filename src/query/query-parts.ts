// Splits a query as texts are split, into parts that the index can look up.
import { isWordCharacter, links, partMax } from './words.ts'

/** A token of word characters in a query. */
export interface QueryToken {
  /** The characters that a token of a text must contain; a NUL represents its beginning or its end. */
  readonly part: string
  /** The index in `links` of the separator to the next token, when both parts are whole tokens; else -1. */
  readonly link: number
  /** True when the query consists of this token, a link and the next token. */
  readonly isPhrase: boolean
}

/** The parts of a query. */
export interface QueryParts {
  readonly tokens: readonly QueryToken[]
  /** Unigrams and bigrams, as in `postTerms`. */
  readonly bigrams: readonly string[]
  /** True when the only token or bigram is the whole query: its posts are then exactly the matches. */
  readonly isWhole: boolean
}

/** @param query normalized, not empty */
export function cutQuery(query: string): QueryParts {
  const characters = [...query]
  const isWord = characters.map(isWordCharacter)
  const tokens = cutTokens(characters, isWord)
  const bigrams = cutBigrams(characters, isWord)
  const isOneToken = isWord.every((is) => is) && characters.length <= partMax
  const isOneBigram = characters.length <= 2 && !isWord.every((is) => is) && !query.includes(' ')
  return { tokens: isOneBigram ? [] : tokens, bigrams, isWhole: isOneToken || isOneBigram }
}

/** Converts a part to its form in the term dictionary, where NUL separates terms. */
export function unionTerm(part: string): string {
  return part.replaceAll('\0', ' ')
}

function cutTokens(
  characters: readonly string[],
  isWord: readonly boolean[],
): readonly QueryToken[] {
  const bounds: [number, number][] = []
  for (let start = 0; start < characters.length; start++) {
    if (isWord[start] !== true) continue
    let end = start
    while (isWord[end] === true) end += 1
    bounds.push([start, end])
    start = end
  }
  const isShort = (at: number) => {
    const [start, end] = bounds[at] ?? [0, Number.POSITIVE_INFINITY]
    return end - start <= partMax
  }
  return bounds.map(([start, end], at) => {
    const between = characters.slice(end, bounds[at + 1]?.[0]).join('')
    const link = isShort(at) && isShort(at + 1) ? links.indexOf(between) : -1
    return {
      part: partOf(characters, start, end),
      link,
      isPhrase: link !== -1 && start === 0 && bounds[at + 1]?.[1] === characters.length,
    }
  })
}

function partOf(characters: readonly string[], start: number, end: number): string {
  const before = start === 0 ? '' : '\0'
  const after = end === characters.length ? '' : '\0'
  if (end - start <= partMax) return before + characters.slice(start, end).join('') + after
  // Too long for one look-up: uses its end if that is known, else its beginning.
  if (before === '') return characters.slice(end - partMax, end).join('') + after
  return before + characters.slice(start, start + partMax).join('')
}

function cutBigrams(characters: readonly string[], isWord: readonly boolean[]): readonly string[] {
  const bigrams = new Set<string>()
  const isBigram = (at: number) =>
    !isGap(characters[at]) && !isGap(characters[at + 1]) && !(isWord[at] && isWord[at + 1])
  characters.forEach((character, at) => {
    if (isBigram(at)) bigrams.add(character + characters[at + 1])
    // A bigram covers its characters.
    else if (!isGap(character) && !isWord[at] && !isBigram(at - 1)) bigrams.add(character)
  })
  return [...bigrams]
}

function isGap(character: string | undefined): boolean {
  return character === undefined || character === ' '
}
