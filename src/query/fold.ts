// Normalizes texts and queries before comparison. Builds and requests share this function.

/**
 * Normalizes a text for search: Unicode NFKC, lower case, no accents, runs of white space collapsed to one space,
 * trimmed. Idempotent. Linear in the text, whatever its content.
 *
 * | input | output | reason |
 * |---|---|---|
 * | É, e + U+0301, Ё, שָׁ, مُ | e, e, е, ש, م | an accent: a nonspacing diacritic mark, in alphabets |
 * | न्, ก่, க் (virama, tone, killer) | unchanged | such scripts write with marks: without them it is another word |
 * | が, が in two parts, ｶﾞ | が, が, ガ | voiced kana are separate letters; か does not find が |
 * | ß, ẞ | ß | lower case, not case folding: ss does not find it |
 * | ς, Σ | σ | `toLowerCase` chooses by the next character, which a part of a word lacks |
 * | ı, İ | ı, i | lower case without a locale; the dot of İ is an accent, ı has none to lose |
 * | ø, đ, ł, æ, œ | unchanged | letters, not letters with an accent: Unicode does not decompose them |
 * | ﬁ, Ⅷ, ½, ㎏, Ａ, ｶ | fi, viii, 1⁄2, kg, a, カ | NFKC: ligatures, compound signs, other widths |
 * | 👩‍💻, 👍🏽, ❤️ | unchanged | joiners and selectors stay; 👍 finds 👍🏽 as a part of it |
 * | 日本, 漢/汉, ㋿ | 日本, 漢/汉, 令和 | variant forms of a sign are unified, simplified and traditional ones are not |
 * | ㅋㅋㅠㅠ | letters, U+200C before each | NFKC composes two adjacent letters to a syllable, but no part of it |
 * | של, سلام | unchanged | reading order; direction marks (U+200E, U+200F) are characters and stay |
 * | U+00AD, U+200B, U+200C, U+200D | unchanged | no white space; a soft hyphen in a text splits its word |
 * | U+00A0, U+3000, U+2028, TAB | space | white space by Unicode |
 * | U+0301 alone | removed | an accent, wherever it occurs |
 * | more than 30 marks in a row | the first 30 | no script has as many, and sorting them costs their square (UAX #15, D6) |
 * | NUL, half of a surrogate pair | U+FFFD | as in Markdown and in UTF-8: no text has them |
 *
 * A build and a function may use different versions of Unicode. The normalization of an assigned character never changes
 * (UAX #15 §3; neither do case pairs). Only letters newer than one of the versions can be missed.
 */
export function fold(text: string): string {
  const bare = /^[\s\x20-\x7e]*$/.test(text) ? text.toLowerCase() : foldLetters(text)
  // Most spaces are single already.
  // regex: takes each run of white space whole; the checker does not know the flag "v".
  return bare.replace(/ \p{White_Space}+|[\p{White_Space}--[ ]]\p{White_Space}*/gv, ' ').trim()
}

/** `fold` without its handling of white space. */
export function foldLetters(text: string): string {
  return text
    .replace(/[\0\p{Surrogate}]/gu, '\ufffd')
    .replace(longRunsOfMarks, '$1')
    .replace(koreanLetters, '\u200c$&')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

/** Half-width kana marks are letters until NFKC turns them into marks. */
const longRunsOfMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Marks of alphabets, without those of scripts that are unreadable without their marks. */
// regex: a single character
const accents =
  /[[[\p{Mn}&&\p{Diacritic}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Coptic}]]--[\u3099\u309a]]/gv

/** Hangul letters, including circled and half-width ones, that NFKC composes into syllables. */
// regex: a single character
const koreanLetters = /[\p{Script=Hangul}&&[\u3131-\u318e\u3260-\u326d\uffa1-\uffdc]]/gv
