// The terms of one post, as bytes: its folded text, its distinct terms, the sequence of its tokens.
import { fold } from './fold.ts'
import { GrowingBytes } from './growing.ts'
import { collectTerms, firstToken } from './term-cutter.ts'
import { VarintReader } from './varint-reader.ts'

/**
 * The terms of a post: its tokens of word characters; each other character but the space (unigrams); and each two
 * neighbours of which at least one is such another character and none a space (bigrams).
 *
 * ```
 *  n (varint)  text, n bytes         3 varints       m (varint)  terms, m bytes   tokens
 *              title NUL text NUL    terms of each               term NUL …       term number + 3 (varint); below 3,
 *              folded, UTF-8         kind                        each kind sorted unless a space is between, the link
 *                                                                                 to the token before
 * ```
 * @param text what a reader sees of the body
 *
 * Cost: O(characters), and a sort of the distinct terms.
 */
export function postTerms(title: string, text: string): Uint8Array {
  return foldedTerms(foldPost(title, text))
}

/** The text of a post that is searched: `title NUL text NUL`, folded. @param text what a reader sees of the body */
export function foldPost(title: string, text: string): string {
  return `${fold(title)}\0${fold(text)}\0`
}

/** The terms of a post, as `postTerms` returns them. @param folded what `foldPost` returned */
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

/** A post's bytes taken apart, as views. */
export interface PostTerms {
  /** `title NUL text NUL`, folded. */
  readonly text: Uint8Array
  /** How many terms are tokens of ASCII, other tokens, and unigrams and bigrams. */
  readonly counts: readonly number[]
  /** The terms in this order, each kind sorted by code units, each term with a NUL behind it. */
  readonly texts: Uint8Array
  /** Its tokens in their order, by the numbers of terms. */
  readonly tokens: Uint8Array
}

/**
 * Takes the bytes of `postTerms` apart.
 *
 * @throws RangeError when they cannot hold so many terms: a build cache may hold anything
 */
export function readPostTerms(bytes: Uint8Array): PostTerms {
  const reader = new VarintReader(bytes)
  const text = readSized(reader, bytes)
  const counts = [reader.next(), reader.next(), reader.next()]
  const texts = readSized(reader, bytes)
  // A count may be negative, as any number of 32 bits.
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
 * Changes with everything that `postTerms` depends on next to the post: this layout, the fold, and the version of
 * Unicode by which it folds. Terms that were kept under another version must not be joined with these.
 *
 * Cost: about as much as folding 10 kB.
 */
export function termsVersion(): string {
  const characters = probedBlocks.flatMap(([first, last]) =>
    Array.from({ length: last - first }, (_, at) => `${String.fromCodePoint(first + at)}\n`),
  )
  const probe = postTerms('', characters.join('a'))
  return `${layoutVersion}-${hashOf(probe, 0, probe.length).toString(16).padStart(8, '0')}`
}

const layoutVersion = 3

/** Blocks that letters with two cases, marks and compatible forms were and are added to. */
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
