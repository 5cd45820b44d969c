// Sorted terms in one buffer.

/** Sorted terms in UTF-8, each followed by a NUL. */
export interface TermTexts {
  readonly count: number
  readonly bytes: Uint8Array
}

/** Decodes all terms into one string, each followed by a NUL. */
export function decodeTerms({ bytes }: TermTexts): string {
  // U+FEFF is an ordinary character here.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** The terms as separate strings. */
export function textsOf(terms: TermTexts): readonly string[] {
  return decodeTerms(terms).split('\0').slice(0, -1)
}
