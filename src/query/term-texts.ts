// Sorted terms in one buffer.

/** Sorted terms in UTF-8, each with a NUL behind it. */
export interface TermTexts {
  readonly count: number
  readonly bytes: Uint8Array
}

/** All terms in one text, each with a NUL behind it. */
export function decodeTerms({ bytes }: TermTexts): string {
  // A mark of byte order is a character as any other.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

/** Each term by itself. */
export function textsOf(terms: TermTexts): readonly string[] {
  return decodeTerms(terms).split('\0').slice(0, -1)
}
