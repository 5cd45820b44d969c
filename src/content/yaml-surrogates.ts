// Lone surrogates in the escapes of double-quoted YAML scalars.

/** Replaces each lone surrogate by U+FFFD, as UTF-8 encoders do. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * Returns the offset of the first escape of a lone surrogate.
 *
 * @param typed a double-quoted scalar as written
 * @returns 0 if there is none
 *
 * Cost: O(length).
 */
export function findLoneSurrogate(typed: string): number {
  for (const { index, groups } of typed.matchAll(ESCAPE)) {
    if (groups?.['lone'] !== undefined) return index
  }
  return 0
}

const HIGH = '\\\\(?:u|U0000)[dD][89abAB][0-9a-fA-F]{2}'
const LOW = '\\\\(?:u|U0000)[dD][c-fC-F][0-9a-fA-F]{2}'

// regex: fixed lengths. Pairs come first. Other escapes are consumed whole, as a backslash may itself be escaped.
const ESCAPE = new RegExp(`${HIGH}${LOW}|(?<lone>${HIGH}|${LOW})|\\\\[^]`, 'g')
