// Encodes the terms of one post: its normalized text, its distinct terms and its token sequence.
import { fold } from './fold.ts'
import { GrowingBytes } from './growing.ts'
import { collectTerms, firstToken } from './term-cutter.ts'
import { VarintReader } from './varint-reader.ts'

/**
 * The terms of a post: tokens of word characters, other characters except spaces (unigrams), and pairs of adjacent
 * characters without a space of which at least one is no word character (bigrams).
 *
 * ```
 *  n (varint)  text, n bytes         3 varints       m (varint)  terms, m bytes   tokens
 *              title NUL text NUL    terms of each               term NUL …       term number + 3 (varint); below 3,
 *              folded, UTF-8         kind                        each kind sorted unless a space is between, the link
 *                                                                                 to the token before
 * ```
 * @param text the visible text of the body
 *
 * Cost: O(characters), and a sort of the distinct terms.
 */
export function postTerms(title: string, text: string): Uint8Array {
  return foldedTerms(foldPost(title, text))
}

/** The searched text of a post: `title NUL text NUL`, normalized. @param text the visible text of the body */
export function foldPost(title: string, text: string): string {
  return `${fold(title)}\0${fold(text)}\0`
}

/** The result of `postTerms` for normalized text. @param folded the result of `foldPost` */
export function foldedTerms(folded: string): Uint8Array {
  const { terms, isBigram, tokens } = collectTerms(folded)
  const kinds: [string[], string[], string[]] = [[], [], []]
  for (const [term, number] of terms) {
    kinds[isBigram.array[number] === 1 ? 2 : isAscii(term) ? 0 : 1].push(term)
  }
  const sorted = kinds.flatMap((kind) => kind.sort())
  const ranks = new Uint32Array(sorted.length)
  for (const [rank, term] of sorted.entries()) ranks[terms.get(term) ?? 0] = rank
  const packed = new GrowingBytes()
  packed.addSized(encoder.encode(folded))
  for (const { length } of kinds) packed.addVarint(length)
  packed.addSized(encoder.encode(sorted.length === 0 ? '' : `${sorted.join('\0')}\0`))
  for (const token of tokens.view()) {
    packed.addVarint(token < firstToken ? token : (ranks[token - firstToken] ?? 0) + firstToken)
  }
  return packed.view().slice()
}

function isAscii(term: string): boolean {
  for (let at = 0; at < term.length; at++) if (term.charCodeAt(at) > 127) return false
  return true
}

/** The decoded terms of a post; arrays are views. */
export interface PostTerms {
  /** `title NUL text NUL`, normalized. */
  readonly text: Uint8Array
  /** The number of ASCII tokens, other tokens, and unigrams and bigrams. */
  readonly counts: readonly number[]
  /** The terms in this order, each kind sorted by code units, each term followed by a NUL. */
  readonly texts: Uint8Array
  /** The token sequence, by term number. */
  readonly tokens: Uint8Array
}

/**
 * Decodes the result of `postTerms`.
 *
 * @throws RangeError when the bytes cannot hold the stated number of terms: a build cache may contain anything
 */
export function readPostTerms(bytes: Uint8Array): PostTerms {
  const reader = new VarintReader(bytes)
  const text = readSized(reader, bytes)
  const counts = [reader.next(), reader.next(), reader.next()]
  const texts = readSized(reader, bytes)
  // A 32-bit count may be negative.
  if (counts.some((count) => count < 0 || count * termBytesMin > texts.length)) {
    throw new RangeError(`a post of ${bytes.length} bytes says that it has ${counts} terms`)
  }
  return { text, counts, texts, tokens: bytes.subarray(reader.at) }
}

/** A character and a NUL. */
const termBytesMin = 2

function readSized(reader: VarintReader, bytes: Uint8Array): Uint8Array {
  const length = reader.next()
  if (length < 0 || length > bytes.length - reader.at) {
    throw new RangeError(`a post of ${bytes.length} bytes says that ${length} follow`)
  }
  reader.at += length
  return bytes.subarray(reader.at - length, reader.at)
}

/** FNV-1a, 32 bits. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}

const encoder = new TextEncoder()

/**
 * Identifies everything besides the post that `postTerms` depends on: the layout, the normalization and its version
 * of Unicode. Terms of different versions must not be merged.
 *
 * Cost: about as much as normalizing 10 kB.
 */
export function termsVersion(): string {
  const characters = probedBlocks.flatMap(([first, last]) =>
    Array.from({ length: last - first }, (_, at) => `${String.fromCodePoint(first + at)}\n`),
  )
  const probe = postTerms('', characters.join('a'))
  return `${layoutVersion}-${hashOf(probe, 0, probe.length).toString(16).padStart(8, '0')}`
}

const layoutVersion = 3

/** Blocks that gain letters with two cases, marks and compatibility forms. */
const probedBlocks: readonly (readonly [number, number])[] = [
  [0x80, 0x600],
  [0x870, 0x900],
  [0x1ab0, 0x1b00],
  [0x1c80, 0x1cc0],
  [0x1dc0, 0x2000],
  [0x2c00, 0x2c80],
  [0xa640, 0xa6a0],
  [0xa720, 0xa800],
  [0x10570, 0x105c0],
  [0x10780, 0x107c0],
  [0x10d40, 0x10d90],
  [0x16ea0, 0x16ee0],
  [0x1e900, 0x1e950],
]
