// The fold that text and queries go through before they are compared: one function for builds and requests.
// Knows nothing of words, of markup nor of languages.

/**
 * Text without the differences that a search does not see: Unicode NFKC, lower case, accents removed,
 * runs of white space made one blank, none at the ends.
 *
 * Accents are the marks that Unicode calls both nonspacing and diacritic, wherever they stand; the voicing
 * marks of kana are letters of their own and stay. A final sigma is a sigma: `toLowerCase` chooses between
 * them by what follows, which a part of a word cannot know. Korean letters that stand alone (ㅋㅋㅠㅠ) are
 * kept apart by a non-joiner: NFKC makes a syllable of two that meet, and none of a part. Idempotent.
 */
export function fold(text: string): string {
  const lower = text.replace(koreanLetters, '\u200c$&').normalize('NFKC').toLowerCase()
  const bare = /^[\x20-\x7e\s]*$/.test(lower) ? lower : withoutAccents(lower)
  return bare.replace(/\p{White_Space}+/gu, ' ').trim()
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(accents, '')
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

const accents = /[[\p{Mn}&&\p{Diacritic}]--[\u3099\u309a]]/gv

/** Letters, circled and narrow ones too, that NFKC makes parts of syllables. */
const koreanLetters = /[\p{Script=Hangul}&&[\u3131-\u318e\u3260-\u326d\uffa1-\uffdc]]/gv
