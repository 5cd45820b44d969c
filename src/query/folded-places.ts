// Maps normalized text back to ranges of its source.
import { foldLetters } from './fold.ts'

/** A normalized text, and the source range of each of its code units. */
export interface FoldedText {
  /** The result of `fold`. */
  readonly folded: string
  /** Ends of the source range in UTF-16 code units; non-decreasing. */
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Normalizes a text unit by unit, such that no unit composes with the next. A unit is a character with all that may
 * compose with it: marks, Hangul vowels and final consonants, and half-width kana marks.
 *
 * Cost: O(characters); each distinct non-ASCII unit is normalized once.
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
    // ASCII units arrive as runs; each letter is a unit.
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
