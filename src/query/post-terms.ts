// What the index must know of one post, as bytes: its folded text, its distinct terms, the sequence of its runs.
// A function of that post alone, so that a build may keep it for as long as the post does not change.
import { fold } from './fold.ts'
import { GrowingBytes } from './growing.ts'
import { collectTerms } from './term-cutter.ts'
import { VarintReader } from './varint-reader.ts'

/**
 * The terms of a post: its runs of word characters; each other character but the blank; and each pair of
 * neighbours of which at least one is such another character and none a blank.
 *
 * ```
 *  n (varint)  text, n bytes            m (varint)  m terms                           runs
 *              title NUL text NUL                   hash (u32), length × 2 + isPair   term number + 3 (varint); below
 *              folded, UTF-8                        (varint), offset (varint)         3, unless a blank is between, how
 *                                                                                     it is linked to the one before
 * ```
 * A term is where it first occurs in the text; its hash is FNV-1a over its bytes.
 *
 * @param text what a reader sees of the body
 *
 * Cost: O(characters).
 */
export function postTerms(title: string, text: string): Uint8Array {
  const folded = `${fold(title)}\0${fold(text)}\0`
  const bytes = encoder.encode(folded)
  const { starts, ends, isPair, runs } = collectTerms(folded)
  const offsets = folded.length === bytes.length ? null : byteOffsets(folded)
  const byteAt = (unit: number) => (offsets === null ? unit : (offsets[unit] ?? 0))
  const packed = new GrowingBytes()
  packed.addVarint(bytes.length)
  packed.add(bytes)
  packed.addVarint(starts.length)
  for (let term = 0; term < starts.length; term++) {
    const from = byteAt(starts.array[term] ?? 0)
    const to = byteAt(ends.array[term] ?? 0)
    packed.addU32(hashOf(bytes, from, to))
    packed.addVarint((to - from) * 2 + (isPair.array[term] ?? 0))
    packed.addVarint(from)
  }
  for (const run of runs.view()) packed.addVarint(run)
  return packed.view().slice()
}

/** A post's bytes taken apart, as views. */
export interface PostTerms {
  /** `title NUL text NUL`, folded. */
  readonly text: Uint8Array
  readonly count: number
  /** Where the terms begin in `bytes`. */
  readonly termsAt: number
  readonly bytes: Uint8Array
}

/**
 * Takes the bytes of `postTerms` apart.
 *
 * @throws RangeError when they cannot hold so many terms: a build cache may hold anything
 */
export function readPostTerms(bytes: Uint8Array): PostTerms {
  const reader = new VarintReader(bytes)
  const length = reader.next()
  const text = bytes.subarray(reader.at, reader.at + length)
  reader.at += length
  const count = reader.next()
  const left = bytes.length - reader.at
  if (length < 0 || count < 0 || count * termBytesMin > left) {
    throw new RangeError(`a post of ${bytes.length} bytes says that it has ${count} terms`)
  }
  return { text, count, termsAt: reader.at, bytes }
}

/** A hash, and two numbers of a byte at least. */
const termBytesMin = 6

/** A hash that `postTerms` kept. */
export function readHash(reader: VarintReader, bytes: Uint8Array): number {
  const { at } = reader
  reader.at += 4
  const low = (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16)
  return (low | ((bytes[at + 3] ?? 0) << 24)) >>> 0
}

/** FNV-1a, 32 bits. */
export function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = 0x811c9dc5
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash >>> 0
}

const encoder = new TextEncoder()

/** Where each code unit begins in UTF-8, and where the text ends. */
function byteOffsets(text: string): Uint32Array {
  const offsets = new Uint32Array(text.length + 1)
  let bytes = 0
  for (let at = 0; at < text.length; at++) {
    offsets[at] = bytes
    const code = text.charCodeAt(at)
    if (code < 0x80) bytes += 1
    else if (code < 0x800 || (code >= 0xd800 && code < 0xe000)) bytes += 2
    else bytes += 3
  }
  offsets[text.length] = bytes
  return offsets
}

/**
 * Changes with everything that `postTerms` depends on beside the post: this layout, the fold, and the version of
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

const layoutVersion = 2

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
