// The units of a text in its index: tokens of the letters of words, and all other characters one by one.

/**
 * Whether a character belongs to a token.
 *
 * Letters, digits and marks of scripts that put something between words. Those of Han, kana, Thai, Lao, Khmer,
 * Burmese and Tibetan are alone, as punctuation and symbols do: what is between blanks there is a sentence.
 * Ranges of code points and not properties of Unicode, so that every version of it cuts the same way: an index
 * misses nothing by where a text is cut, as long as both sides cut alike.
 *
 * @param character one code point
 */
export function isWordCharacter(character: string): boolean {
  return wordCharacter.test(character)
}

const wordCharacter =
  /^[\u0300-\u037d0-9a-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u02af\u037f-\u0386\u0388-\u0588\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff\u0710-\u0963\u0966-\u0dff\u10a0-\u1360\u1369-\u167f\u1810-\u18af\u1c80-\u1cbf\u1e00-\u1fff\u2c00-\u2dff\ua640-\ua7ff\uab30-\ud7ff\u{10280}-\u{11fff}\u{16a00}-\u{16fff}\u{1e000}-\u{1efff}]/u

/**
 * Longest part of a token, in characters, that is looked up as one term. A token of more than twice as many is
 * indexed as windows of twice as many, one beginning every so many: each part of this length lies in one of them.
 */
export const partMax = 60

/** The separators of two tokens whose words make a gram. */
export const links: readonly string[] = [' ', ', ', '. ']
