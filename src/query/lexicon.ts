// Sorted terms in one string, found by their whole or by any part of them.
// Knows nothing of what the terms stand for.
import { utf8 } from '../api/utf8.ts'
import { type MakeSearchable, type SearchableBytes, searchableBytes } from './byte-search.ts'
import { GrowingBytes } from './growing.ts'
import { bitsAt } from './list-coding.ts'
import { lastAtOrBefore } from './posting-lists.ts'

/** `NUL term NUL term … NUL` in UTF-8; terms are sorted by code units, each once. */
export interface Lexicon {
  readonly text: SearchableBytes
  /** Where each term begins, and one more: where another would. */
  readonly starts: Uint32Array
}

/**
 * A lexicon as it is stored: each term by what it shares with the one before (front coding).
 *
 * ```
 *  terms (u32)  bytes (u32)  shared × 16 + own (u8)  own bytes │ …
 *                            15: shared (u8), own (u16) follow
 * ```
 * Shared and own count bytes of UTF-8.
 *
 * @param terms sorted by code units, each once, without NUL
 */
export function storeLexicon(terms: readonly string[]): Uint8Array {
  const stored = new GrowingBytes()
  const all = utf8(`${terms.join('\0')}\0`)
  stored.addU32(terms.length)
  stored.addU32(all.length)
  let previous = 0
  for (let start = 0, term = 0; term < terms.length; term++) {
    const end = all.indexOf(0, start)
    let shared = 0
    // Behind the term before stands a NUL, which no term has.
    if (term > 0) while (shared < 255 && all[previous + shared] === all[start + shared]) shared += 1
    const own = end - start - shared
    stored.addByte(Math.min(shared, 15) * 16 + Math.min(own, 15))
    if (shared >= 15) stored.addByte(shared)
    if (own >= 15) {
      stored.addByte(own)
      stored.addByte(own >>> 8)
    }
    stored.add(all.subarray(start + shared, end))
    previous = start
    start = end + 1
  }
  return stored.view().slice()
}

/**
 * A lexicon read back.
 *
 * @param make bytes that terms are looked for in
 *
 * Cost: O(bytes); no object is made for a term.
 */
export function readLexicon(stored: Uint8Array, make: MakeSearchable = searchableBytes): Lexicon {
  const starts = new Uint32Array(bitsAt(stored, 0) + 1)
  const text = make(bitsAt(stored, 32) + 1)
  const all = text.bytes
  let at = 8
  let size = 1
  let previous = 1
  for (let term = 0; term + 1 < starts.length; term++) {
    const lengths = stored[at++] ?? 0
    const shared = lengths < 0xf0 ? lengths >>> 4 : (stored[at++] ?? 0)
    let own = lengths & 15
    if (own === 15) {
      own = bitsAt(stored, at * 8) & 0xffff
      at += 2
    }
    starts[term] = size
    // Most are a few bytes: a call to copy them would cost more than they do.
    for (const end = size + shared; size < end; ) all[size++] = all[previous++] ?? 0
    for (const end = size + own; size < end; ) all[size++] = stored[at++] ?? 0
    size += 1
    previous = starts[term] ?? 0
  }
  starts[starts.length - 1] = size
  return { text, starts }
}

/** A term's text. */
export function termAt({ text, starts }: Lexicon, term: number): string {
  return decoder.decode(text.bytes.subarray(starts[term], (starts[term + 1] ?? 1) - 1))
}

// A mark of byte order is a character as any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

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
  const needle = utf8(part)
  const find = text.finder(needle)
  const count = starts.length - 1
  if (part.startsWith('\0')) {
    // The end of a term sorts before every letter, as it does here.
    let term = firstFrom(lexicon, part.replaceAll('\0', ''))
    for (; term < count; term++) {
      const start = (starts[term] ?? 0) - 1
      if (find(start, start + needle.length) === -1) return
      found(term)
    }
    return
  }
  for (let term = 0; term < count; term++) {
    const at = find(starts[term] ?? 0, text.bytes.length)
    if (at === -1) return
    term = lastAtOrBefore(starts, at, term)
    found(term)
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
