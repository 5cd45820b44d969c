// Folded text whose code units know which part of the source they were made from.
import { foldLetters } from './fold.ts'

/** A folded text, and for each of its code units the part of the source that it was made from. */
export interface FoldedText {
  /** The same as `fold` returns. */
  readonly folded: string
  /** Where the part begins and ends in the source, in UTF-16 units; never falling. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Folds a text in units that no fold joins: a character and all that may be composed with it, which are marks, vowels
 * and final consonants of Hangul, and the half-width marks of kana.
 *
 * Cost: O(characters); a unit other than ASCII is folded once, however often it occurs.
 */
export function foldWithPlaces(text: string): FoldedText {
  const known = new Map<string, string>()
  const starts: number[] = []
  const ends: number[] = []
  let bare = ''
  let wasBlank = false
  const add = (folded: string, start: number, end: number) => {
    const isBlank = folded <= ' ' || folded > '~' ? blank.test(folded) : false
    if (isBlank && wasBlank) {
      ends[ends.length - 1] = end
      return
    }
    bare += isBlank ? ' ' : folded
    starts.push(start)
    ends.push(end)
    wasBlank = isBlank
  }
  for (const { 0: unit, index } of text.matchAll(units)) {
    const folded = known.get(unit) ?? foldLetters(unit)
    // Letters of ASCII come many at a time, each a unit.
    const isAscii = unit.charCodeAt(unit.length - 1) < 128
    if (!isAscii) known.set(unit, folded)
    for (let at = 0; at < folded.length; at++) {
      const start = isAscii ? index + at : index
      add(folded.charAt(at), start, isAscii ? start + 1 : index + unit.length)
    }
  }
  const skipped = bare.length - bare.trimStart().length
  return { folded: bare.trim(), starts: starts.slice(skipped), ends: ends.slice(skipped) }
}

const blank = /\p{White_Space}/u
const units =
  /[\0-\x7f]+(?![\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f])|[\s\S][\p{M}\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]*/gu
