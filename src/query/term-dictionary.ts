// Sorted terms in one string, found as a whole or by any part.
import { utf8 } from '../api/bytes.ts'
import { type MakeSearchable, type SearchableBytes, searchableBytes } from './byte-search.ts'
import { GrowingBytes } from './growing.ts'
import { findBytes } from './identifiers.ts'
import { lastAtOrBefore } from './posting-lists.ts'
import type { TermTexts } from './term-texts.ts'

/** `NUL term NUL term … NUL` in UTF-8; terms are unique and sorted by code units. */
export interface TermDictionary {
  readonly text: SearchableBytes
  /** Offset of each term, plus one past the end. */
  readonly starts: Uint32Array
}

/**
 * Encodes a term dictionary with front coding: each term stores what differs from the previous one.
 *
 * ```
 *  terms (u32)  bytes (u32)  shared × 16 + own (u8)  own bytes │ …
 *                            15: shared (u8), own (u16) follow
 * ```
 * Shared and own count bytes of UTF-8.
 *
 * @param terms unique, sorted by code units, without NUL
 */
export function storeTermDictionary(terms: readonly string[]): Uint8Array {
  return storeTerms({ count: terms.length, bytes: utf8(terms.map((term) => `${term}\0`).join('')) })
}

/**
 * Encodes a term dictionary from terms in UTF-8.
 *
 * @throws RangeError when the bytes end before the terms do: a build cache may contain anything
 */
export function storeTerms({ count, bytes: all }: TermTexts): Uint8Array {
  if (count > all.length) throw new RangeError('more terms than bytes')
  const stored = new GrowingBytes()
  stored.addU32(count)
  stored.addU32(Math.max(all.length, 1))
  // A term takes its NUL and at most three bytes of lengths.
  stored.reserve(all.length + 3 * count)
  const { array } = stored
  let to = stored.length
  let previous = 0
  for (let start = 0, term = 0; term < count; term++) {
    const shared = term === 0 ? 0 : sharedBytes(all, previous, start)
    let end = start + shared
    while (end < all.length && all[end] !== 0) end += 1
    if (end >= all.length) throw new RangeError('a term without an end')
    const own = end - start - shared
    array[to++] = Math.min(shared, 15) * 16 + Math.min(own, 15)
    if (shared >= 15) array[to++] = shared
    if (own >= 15) {
      array[to++] = own
      array[to++] = own >>> 8
    }
    copy(all, start + shared, array, to, own)
    to += own
    previous = start
    start = end + 1
  }
  return array.slice(0, to)
}

/** The length of the common prefix of two terms. The first one ends in a NUL, which no term contains. */
function sharedBytes(all: Uint8Array, one: number, other: number): number {
  let shared = 0
  while (shared < 255 && all[one + shared] === all[other + shared]) shared += 1
  return shared
}

/**
 * Decodes a term dictionary.
 *
 * @param make allocates the searchable bytes of the terms
 * @throws RangeError when this many terms cannot fit into the bytes
 *
 * Cost: O(bytes); creates no object per term. Memory: at most 261 times the bytes.
 */
export function readTermDictionary(
  stored: Uint8Array,
  make: MakeSearchable = searchableBytes,
): TermDictionary {
  const view = new DataView(stored.buffer, stored.byteOffset, stored.length)
  const count = view.getUint32(0, true)
  const size = view.getUint32(4, true)
  // A term takes at least one byte and shares at most 255; a larger count would only waste memory.
  if (count > stored.length || size > stored.length + count * 256 + 1) {
    throw new RangeError(
      `a term dictionary of ${stored.length} bytes says that it has ${count} terms`,
    )
  }
  const starts = new Uint32Array(count + 1)
  const text = make(size + 1)
  const all = text.bytes
  let at = 8
  let end = 1
  let previous = 1
  for (let term = 0; term < count; term++) {
    const lengths = stored[at++] ?? 0
    const shared = lengths < 0xf0 ? lengths >>> 4 : (stored[at++] ?? 0)
    let own = lengths & 15
    if (own === 15) {
      own = view.getUint16(at, true)
      at += 2
    }
    starts[term] = end
    copy(all, previous, all, end, shared)
    copy(stored, at, all, end + shared, own)
    previous = end
    end += shared + own + 1
    at += own
  }
  starts[count] = end
  return { text, starts }
}

/** Most copies are a few bytes; a call of `set` costs more. A separate function compiles in half the time. */
function copy(from: Uint8Array, start: number, to: Uint8Array, at: number, length: number): void {
  for (let byte = 0; byte < length; byte++) to[at + byte] = from[start + byte] ?? 0
}

/** The text of a term. */
export function termAt({ text, starts }: TermDictionary, term: number): string {
  return decoder.decode(text.bytes.subarray(starts[term], (starts[term + 1] ?? 1) - 1))
}

// U+FEFF is an ordinary character here.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The number of a term; when absent, -1 minus the number of smaller terms.
 *
 * Cost: O(log terms) comparisons.
 */
export function findTerm({ text, starts }: TermDictionary, term: string): number {
  return findBytes(utf8(term), text.bytes, starts, 1)
}

/**
 * Calls back for every term that contains a part, ascending.
 *
 * @param part not empty; a NUL at its beginning or end matches the beginning or end of a term
 *
 * Cost: O(log terms + matches) for a prefix of terms, O(characters of the term dictionary) for other parts.
 */
export function eachTermWith(
  dictionary: TermDictionary,
  part: string,
  found: (term: number) => void,
): void {
  const { text, starts } = dictionary
  const find = text.finder(utf8(part))
  let term = 0
  let end = starts.length - 1
  if (part.startsWith('\0')) {
    const begin = part.replaceAll('\0', '')
    term = firstFrom(dictionary, begin)
    // No token contains this character, which sorts after all characters of tokens.
    end = firstFrom(dictionary, `${begin}\uffff`)
  }
  for (; term < end; term++) {
    const at = find((starts[term] ?? 0) - 1, starts[end] ?? 0)
    if (at === -1) return
    term = lastAtOrBefore(starts, at + 1, term)
    found(term)
  }
}

/** The first term that is not smaller than a text; the number of terms when there is none. */
function firstFrom(dictionary: TermDictionary, text: string): number {
  const term = findTerm(dictionary, text)
  return term < 0 ? -1 - term : term
}
