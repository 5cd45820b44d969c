// Sorted terms in one string, found by their whole or by any part of them.
// Knows nothing of what the terms stand for.

/** `NUL term NUL term … NUL`; terms are sorted by code units, each once. */
export interface Lexicon {
  readonly text: string
  /** Where each term begins, and one more: where another would. */
  readonly starts: Uint32Array
}

/** A lexicon as it is stored. */
export interface StoredLexicon {
  /** The text, UTF-8. */
  readonly bytes: Uint8Array
  /** Length of each term in code units, at most 255. */
  readonly lengths: Uint8Array
}

/** @param terms sorted by code units, each once, without NUL, at most 255 code units long */
export function storeLexicon(terms: readonly string[]): StoredLexicon {
  const text = terms.length === 0 ? '\0' : `\0${terms.join('\0')}\0`
  return {
    bytes: new TextEncoder().encode(text),
    lengths: Uint8Array.from(terms, ({ length }) => length),
  }
}

/**
 * A lexicon read back.
 *
 * Cost: O(terms) additions; no object is made for a term.
 */
export function readLexicon({ bytes, lengths }: StoredLexicon): Lexicon {
  const starts = new Uint32Array(lengths.length + 1)
  let start = 1
  for (let term = 0; term < lengths.length; term++) {
    starts[term] = start
    start += (lengths[term] ?? 0) + 1
  }
  starts[lengths.length] = start
  return { text: new TextDecoder().decode(bytes), starts }
}

/** A term's text. */
export function termAt({ text, starts }: Lexicon, term: number): string {
  return text.slice(starts[term], (starts[term + 1] ?? 1) - 1)
}

/**
 * The number of a term, or -1.
 *
 * Cost: O(log terms) comparisons.
 */
export function findTerm(lexicon: Lexicon, term: string): number {
  const found = firstFrom(lexicon, term)
  return found < lexicon.starts.length - 1 && termAt(lexicon, found) === term ? found : -1
}

/**
 * Calls back for every term in which a part occurs, ascending.
 *
 * @param part not empty; a NUL at its beginning or its end is the beginning or the end of a term
 *
 * Cost: O(log terms + found) for a part with which terms begin, O(characters of the lexicon) for others.
 */
export function eachTermWith(lexicon: Lexicon, part: string, found: (term: number) => void): void {
  const { text, starts } = lexicon
  const count = starts.length - 1
  if (part.startsWith('\0')) {
    const begin = part.slice(1)
    // The end of a term sorts before every letter, as it does here.
    let term = firstFrom(lexicon, begin.replace('\0', ''))
    while (term < count && text.startsWith(begin, starts[term])) found(term++)
    return
  }
  let term = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, starts[term])) {
    term = lastStartAtOrBefore(starts, at, term)
    found(term)
    term += 1
    if (term === count) return
  }
}

/** The first term that is not before a text, or how many there are. */
function firstFrom(lexicon: Lexicon, text: string): number {
  let low = 0
  let high = lexicon.starts.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (termAt(lexicon, middle) < text) low = middle + 1
    else high = middle
  }
  return low
}

/** The last index from `from` whose start is not behind a place. */
function lastStartAtOrBefore(starts: Uint32Array, place: number, from: number): number {
  let step = 1
  let low = from
  while (low + step < starts.length && (starts[low + step] ?? 0) <= place) {
    low += step
    step *= 2
  }
  let high = Math.min(low + step, starts.length)
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle
  }
  return low
}
