// The fold that text and queries go through before they are compared: one function for builds and requests.

/**
 * Text without the differences that a search does not see: Unicode NFKC, lower case, accents removed,
 * runs of white space made one blank, none at the ends. Idempotent. Linear in the text, whatever is in it.
 *
 * | what | becomes | why |
 * |---|---|---|
 * | É, e + U+0301, Ё, שָׁ, مُ | e, e, е, ש, م | an accent: a mark that is nonspacing and diacritic, in alphabets |
 * | न्, ก่, க் (virama, tone, killer) | the same | such scripts write with marks: without them it is another word |
 * | が, が in two parts, ｶﾞ | が, が, ガ | voiced kana are letters of their own; か does not find が |
 * | ß, ẞ | ß | lower case, not case folding: ss does not find it |
 * | ς, Σ | σ | which one `toLowerCase` takes depends on what follows, and a part of a word cannot know |
 * | ı, İ | ı, i | lower case without a locale; the dot of İ is an accent, ı has none to lose |
 * | ø, đ, ł, æ, œ | the same | letters, not letters with an accent: Unicode takes none of them apart |
 * | ﬁ, Ⅷ, ½, ㎏, Ａ, ｶ | fi, viii, 1⁄2, kg, a, カ | NFKC: ligatures, signs of several letters, other widths |
 * | 👩‍💻, 👍🏽, ❤️ | the same | joiners and selectors stay; 👍 finds 👍🏽 as a part of it |
 * | 日本, 漢/汉, ㋿ | 日本, 漢/汉, 令和 | forms of one sign become one, simplified and traditional ones do not |
 * | ㅋㅋㅠㅠ | letters, U+200C before each | NFKC makes a syllable of two that meet, and none of a part |
 * | של, سلام | the same | order of reading; marks of direction (U+200E, U+200F) are characters and stay |
 * | U+00AD, U+200B, U+200C, U+200D | the same | no white space; a soft hyphen in a text parts its word |
 * | U+00A0, U+3000, U+2028, TAB | blank | white space by Unicode |
 * | U+0301 alone | nothing | an accent, wherever it stands |
 * | more than 30 marks on end | the first 30 | no script has as many, and sorting them costs their square (UAX #15, D6) |
 * | NUL, half of a surrogate pair | U+FFFD | as in Markdown and in UTF-8: no text has them |
 *
 * Builds and functions may fold by two versions of Unicode. The folding of a character never changes once it is
 * assigned (UAX #15 §3; case pairs do not either). So only letters newer than one of the two can be missed.
 */
export function fold(text: string): string {
  const bare = /^[\s\x20-\x7e]*$/.test(text) ? text.toLowerCase() : foldLetters(text)
  // Most blanks are alone already.
  return bare.replace(/ \p{White_Space}+|[\p{White_Space}--[ ]]\p{White_Space}*/gv, ' ').trim()
}

/** The same, with its white space as it is. */
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

/** The half-width marks of kana are letters until NFKC makes marks of them. */
const longRunsOfMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/** Marks of alphabets; those of scripts that cannot be read without their marks are none. */
const accents =
  /[[[\p{Mn}&&\p{Diacritic}]&&[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Coptic}]]--[\u3099\u309a]]/gv

/** Letters, circled and narrow ones too, that NFKC makes parts of syllables. */
const koreanLetters = /[\p{Script=Hangul}&&[\u3131-\u318e\u3260-\u326d\uffa1-\uffdc]]/gv
