// Lone surrogates in the escapes of double-quoted YAML scalars.

/** The text with U+FFFD for each lone surrogate, as UTF-8 encoders write it. */
export function replaceLoneSurrogates(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

/**
 * The offset of the first escape that represents a lone surrogate.
 *
 * @param typed a double-quoted scalar as it is in the file
 * @returns 0 where there is none
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

// Pairs come first; other escapes are consumed whole, for a backslash may be escaped itself.
const ESCAPE = new RegExp(`${HIGH}${LOW}|(?<lone>${HIGH}|${LOW})|\\\\[^]`, 'g')
