// The units of a text in the index: tokens of word characters, and all other characters one by one.

/**
 * Reports whether a character belongs to a token.
 *
 * Tokens consist of letters, digits and marks of scripts that separate words. Characters of Han, kana, Thai, Lao,
 * Khmer, Burmese and Tibetan are units by themselves, like punctuation and symbols: these scripts have no spaces
 * within a sentence. The ranges are code points rather than Unicode properties, so that every version of Unicode
 * splits texts the same way. The index misses nothing as long as queries and texts are split alike.
 *
 * @param character one code point
 */
export function isWordCharacter(character: string): boolean {
  return wordCharacter.test(character)
}

const wordCharacter =
  /^[\u0300-\u037d0-9a-z\xaa\xb5\xba\xc0-\xd6\xd8-\xf6\xf8-\u02af\u037f-\u0386\u0388-\u0588\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4-\u05f2\u0610-\u061a\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff\u0710-\u0963\u0966-\u0dff\u10a0-\u1360\u1369-\u167f\u1810-\u18af\u1c80-\u1cbf\u1e00-\u1fff\u2c00-\u2dff\ua640-\ua7ff\uab30-\ud7ff\u{10280}-\u{11fff}\u{16a00}-\u{16fff}\u{1e000}-\u{1efff}]/u

/**
 * The longest part of a token, in characters, that is looked up as one term. Tokens of more than twice this length
 * are indexed as windows of twice this length that start every `partMax` characters. Each part of this length
 * therefore lies within a window.
 */
export const partMax = 60

/** The separators of the two words of a gram. */
export const links: readonly string[] = [' ', ', ', '. ']
