// Normalizes texts and queries before comparison, and cuts them into terms. Builds and searches share these functions.

/**
 * Normalizes a text for search: Unicode NFKC, lower case, no accents, no characters without width, one form for each
 * quotation mark and dash, runs of white space collapsed to one space, trimmed. Idempotent. Linear in the text,
 * whatever its content.
 *
 * | input | output | reason |
 * |---|---|---|
 * | É, e + U+0301, Ё, שָׁ, مُ | e, e, е, ש, م | an accent: a nonspacing diacritic mark, in alphabets |
 * | न्, ก่, க் (virama, tone, killer) | unchanged | such scripts write with marks: without them it is another word |
 * | が, が in two parts, ｶﾞ | が, が, ガ | voiced kana are separate letters; か does not find が |
 * | ß, ẞ; ı, İ | ß; ı, i | lower case, not case folding, without a locale: ss does not find ß |
 * | ς, Σ | σ | `toLowerCase` chooses by the next character, which a part of a word lacks |
 * | ø, đ, ł, æ, œ | unchanged | letters, not letters with an accent: Unicode does not decompose them |
 * | ﬁ, Ⅷ, ㎏, Ａ, ｶ | fi, viii, kg, a, カ | NFKC: ligatures, compound signs, other widths |
 * | ’ ‘ ‚ ‛ ‹ › ′ ´ ʼ ʻ ʹ ׳ ՚ ❛ ❜ | ' | keyboards have one apostrophe; editors and authors write the others |
 * | “ ” „ ‟ « » ″ ״ 〝 〞 〟 ⹂ ❝ ❞ | " | the same for the quotation mark; 「 」 are typed as they are |
 * | ‐ U+2011 ‒ – — ― − ־ ֊ ⁃ | - | keyboards have one dash |
 * | ½, ⁄ ∕ | 1/2, / | the fraction slash of NFKC is on no keyboard |
 * | 〜 | ~ | one key of Japanese keyboards gives 〜 or ～, by system |
 * | soft hyphen, U+200B to U+200F, U+2060, U+FEFF, ️ | removed | `Default_Ignorable_Code_Point`: nobody sees or types it |
 * | ـ (tatweel) | removed | stretches a word, and is not a letter of it |
 * | 👩‍💻, ❤️, 👍🏽 | 👩💻, ❤, 👍🏽 | joiners and selectors are such characters; a skin tone is not |
 * | 日本, 漢/汉, ㋿ | 日本, 漢/汉, 令和 | variant forms of a sign are unified, simplified and traditional signs are not |
 * | ㅋㅋㅠㅠ | letters, U+001F before each | NFKC composes adjacent letters to a syllable, but not parts of it |
 * | U+00A0, U+3000, U+2028, TAB | space | white space by Unicode |
 * | more than 30 marks in a row | the first 30 | no script has as many; sorting them is quadratic (UAX #15, D6) |
 * | NUL, half of a surrogate pair | U+FFFD | as in Markdown and in UTF-8: no text has them |
 *
 * A build and a function may use different versions of Unicode. Normalization and case pairs of an assigned character
 * never change (UAX #15 §3). Only letters that one of the versions lacks can be missed.
 */
export function fold(text: string): string {
  // regex: matches each run of white space whole; the checker does not know the flag "v"
  return foldLetters(text)
    .replace(/ \p{White_Space}+|[\p{White_Space}--[ ]]\p{White_Space}*/gv, ' ')
    .trim()
}

/** A normalized text, and the source range of each of its code units: UTF-16, non-decreasing. */
export interface FoldedText {
  readonly folded: string
  readonly starts: readonly number[]
  readonly ends: readonly number[]
}

/**
 * Normalizes a text unit by unit. A unit is a character with all characters that may compose with it: marks, Hangul
 * vowels and final consonants, half-width kana marks, and removed characters between them.
 */
export function foldWithOffsets(text: string): FoldedText {
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

/** `fold` without its handling of white space. */
function foldLetters(text: string): string {
  if (ascii.test(text)) return text.toLowerCase()
  const typed = plainPunctuation(text.replace(/[\0\p{Surrogate}]/gu, '\ufffd').replace(ignored, ''))
  // This suffices for English texts.
  if (ascii.test(typed)) return typed.toLowerCase()
  const bare = typed
    .replace(longRunsOfMarks, '$1')
    .replace(koreanLetters, '\x1f$&')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
  return plainPunctuation(bare)
}

const ascii = /^[\t-\r\x20-\x7e]*$/

/** Replaces quotation marks, dashes and slashes by those of keyboards. */
function plainPunctuation(text: string): string {
  return text
    .replace(
      /[\u2018-\u201b\u2039\u203a\u2032\xb4\u02b9\u02bb-\u02bd\u05f3\u055a\u275b\u275c]/g,
      "'",
    )
    .replace(/[\u201c-\u201f\xab\xbb\u2033\u05f4\u301d-\u301f\u2e42\u275d\u275e]/g, '"')
    .replace(/[\u2010-\u2015\u2212\u05be\u058a\u2043]/g, '-')
    .replace(/[\u2044\u2215]/g, '/')
    .replace(/\u301c/g, '~')
}

const ignored = /[\p{Default_Ignorable_Code_Point}\u0640]/gu
/** Half-width kana marks are letters until NFKC turns them into marks. */
const longRunsOfMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Marks of alphabets, except scripts that are unreadable without marks; and tatweel from NFKC. */
// regex: a single character
const accents =
  /[[[[\p{Mn}&&\p{Diacritic}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Coptic}]]--[\u3099\u309a]]\u0640]/gv

/** Hangul letters, including circled and half-width ones, that NFKC composes into syllables. */
// regex: a single character
const koreanLetters = /[\p{Script=Hangul}&&[\u3131-\u318e\u3260-\u326d\uffa1-\uffdc]]/gv

const blank = /\p{White_Space}/u
const units =
  /[\0-\x7f]+(?![\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f])|[\s\S][\p{M}\p{Default_Ignorable_Code_Point}\u0640\u1160-\u11ff\ud7b0-\ud7ff\uff9e\uff9f]*/gu

/**
 * Calls a function for the terms of a text, some more than once:
 *
 * - every character but the space;
 * - every token: a run of letters, digits and marks of scripts that separate words;
 * - every pair of adjacent characters, at least one of which is outside tokens: a sign, an ideograph, kana, Thai.
 *
 * @param text folded, with NUL between title and text
 * @param add returns true if the term is new in the text
 *
 * Cost: O(characters).
 */
export function splitTerms(text: string, add: (term: string) => boolean): void {
  let previous = ''
  for (const unit of text.match(tokens) ?? []) {
    const isGap = unit === ' ' || unit === '\0'
    if (!isGap && previous !== '') add(lastOf(previous) + firstOf(unit))
    if (!isGap && add(unit) && unit.length > 1) for (const character of unit) add(character)
    previous = isGap ? '' : unit
  }
}

/** A condition on a post: one of its terms equals, contains, begins with or ends with this text. */
export interface Condition {
  readonly text: string
  readonly at: 'whole' | 'inside' | 'start' | 'end'
}

/**
 * Returns conditions that each post with a match meets. `isExact` means that no other post meets them.
 *
 * @param query folded
 *
 * A query that is a part of a token, a character or a pair is inside a term wherever it occurs, so its posts are exact.
 * In other queries, the first and the last token may be parts of longer tokens; the tokens between are whole. Whole
 * terms, which are looked up, come before parts, which are searched in all terms.
 */
export function planQuery(query: string): {
  readonly conditions: readonly Condition[]
  readonly isExact: boolean
} {
  const whole = new Set<string>()
  const parts: Condition[] = []
  const addPart = (text: string, at: Condition['at']) => {
    for (const character of text) whole.add(character)
    if (firstOf(text) !== text) parts.push({ text, at })
  }
  const addToken = (token: string, isFirst: boolean, isLast: boolean) => {
    if (!isFirst && !isLast) whole.add(token)
    else if (isFirst && isLast) addPart(token, 'inside')
    else addPart(token, isFirst ? 'end' : 'start')
  }
  const found = query.match(tokens) ?? []
  for (const [number, unit] of found.entries()) {
    if (unit === ' ') continue
    const previous = found[number - 1] ?? ' '
    const pair = lastOf(previous) + firstOf(unit)
    if (pair === query) return { conditions: [{ text: pair, at: 'whole' }], isExact: true }
    if (previous !== ' ') whole.add(pair)
    if (!word.test(unit)) whole.add(unit)
    else addToken(unit, number === 0, number === found.length - 1)
  }
  const conditions = [...Array.from(whole, (text) => ({ text, at: 'whole' as const })), ...parts]
  return { conditions, isExact: (conditions.at(-1)?.text ?? '') === query }
}

/**
 * Letters, digits and marks of scripts that separate words. They are listed by code point, so that every Unicode
 * version cuts texts the same way. The index misses nothing if queries and texts are cut in the same way.
 */
const wordCharacters =
  '\\u0300-\\u037d0-9a-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02af\\u037f-\\u0386\\u0388-\\u0588\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4-\\u05f2\\u0610-\\u061a\\u0620-\\u0669\\u066e-\\u06d3\\u06d5-\\u06ff\\u0710-\\u0963\\u0966-\\u0dff\\u10a0-\\u1360\\u1369-\\u167f\\u1810-\\u18af\\u1c80-\\u1cbf\\u1e00-\\u1fff\\u2c00-\\u2dff\\ua640-\\ua7ff\\uab30-\\ud7ff\\u{10280}-\\u{11fff}\\u{16a00}-\\u{16fff}\\u{1e000}-\\u{1efff}'
// regex: a run of a class or any character: tokens, and all other characters one by one
const tokens = new RegExp(`[${wordCharacters}]+|[^]`, 'gu')
// regex: a single character
const word = new RegExp(`^[${wordCharacters}]`, 'u')

function firstOf(unit: string): string {
  return String.fromCodePoint(unit.codePointAt(0) ?? 0)
}

function lastOf(unit: string): string {
  return unit.slice(/[\udc00-\udfff]$/.test(unit) ? -2 : -1)
}
