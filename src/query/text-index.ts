// The index that text is searched by, as a function holds it: terms, references to their lists, places of texts.
// Knows neither how it was made nor where its lists and texts lie.
import type { Awaitable } from '../api/snapshot.ts'
import { checksum } from './checksum.ts'
import { type Lexicon, readLexicon, termAt } from './lexicon.ts'
import { SectionReader } from './section-reader.ts'
import type { SectionTable } from './sections.ts'
import { isHeavy, type ListAreas, readRefs } from './stored-lists.ts'

/** What is in memory once text was searched. */
export interface TextIndex {
  readonly postCount: number
  /** Runs of ASCII, other runs, characters and pairs: their terms are numbered through, in this order. */
  readonly ascii: Lexicon
  readonly other: Lexicon
  readonly pairs: Lexicon
  /** References to lists, by term. */
  readonly refs: Uint32Array
  readonly areas: ListAreas
  /** Heavy words: `NUL run NUL`, and references to their lists. */
  readonly heavy: readonly string[]
  readonly heavyRefs: Uint32Array
  /** Neighbours among heavy words: `heavyPairs` says how they stand. */
  readonly heavyRows: Uint32Array
  readonly heavySeconds: Uint32Array
  readonly heavyPairRefs: Uint32Array
  /** Parts of light runs whose union is ready, and references to the unions. */
  readonly unions: Lexicon
  readonly unionRefs: Uint32Array
  /** Where each post's folded text lies, by ordinal: number of the block, offset and size in bytes; its checksum. */
  readonly textBlocks: Uint32Array
  readonly textOffsets: Uint32Array
  readonly textSizes: Uint32Array
  readonly textChecks: Uint32Array
  /** Checksum of each page of lists, by the number of the page. */
  readonly pageChecks: Uint32Array
}

/** Names of lexicons in the sections of a vocabulary. */
export const lexiconNames = ['ascii', 'other', 'pairs', 'unions'] as const

/** Names of numbers in the sections of the tables that an index is made of. */
export const numberNames = [
  'areaStarts',
  'areaLengths',
  'unionOrder',
  'heavy',
  'heavyRows',
  'heavySeconds',
] as const

/** Names of numbers that say where texts lie, by ordinal of the post, and what texts and pages of lists must be. */
export const placeNames = [
  'textBlocks',
  'textOffsets',
  'textSizes',
  'textChecks',
  'pageChecks',
] as const

/** Sections in a buffer. */
export interface SectionBuffer {
  readonly bytes: Uint8Array
  readonly table: SectionTable
}

/**
 * An index read back.
 *
 * @throws RangeError when a section is missing or reaches beyond its buffer
 *
 * Cost: O(terms) additions and one decoding of the vocabulary; an object for each heavy run, of which there are
 * a thousand at most.
 */
export function readTextIndex(vocabulary: SectionBuffer, tables: SectionBuffer): TextIndex {
  const words = new SectionReader(vocabulary.bytes, vocabulary.table)
  const [ascii, other, pairs, unions] = lexiconNames.map((name) => readLexicon(words.u8(name))) as [
    Lexicon,
    Lexicon,
    Lexicon,
    Lexicon,
  ]
  const reader = new SectionReader(tables.bytes, tables.table)
  const numbers = Object.fromEntries(
    Object.keys(tables.table)
      .filter((name) => name !== 'refs')
      .map((name) => [name, reader.u32(name)]),
  ) as Record<(typeof numberNames)[number] | (typeof placeNames)[number], Uint32Array>
  const { areaStarts, areaLengths, heavy, unionOrder, textSizes } = numbers
  const areas = { starts: areaStarts, lengths: areaLengths }
  const asciiCount = ascii.starts.length - 1
  const textOf = (term: number) =>
    term < asciiCount ? termAt(ascii, term) : termAt(other, term - asciiCount)
  const refs = readRefs(reader.u8('refs'), areas)
  const termCount = asciiCount + other.starts.length + pairs.starts.length - 2
  for (const term of heavy) refs[term] = ((refs[term] ?? 0) | isHeavy) >>> 0
  return {
    ...numbers,
    ...{ ascii, other, pairs, unions, refs, areas },
    postCount: textSizes.length,
    unionRefs: unionOrder.map((at) => refs[termCount + at] ?? 0),
    heavy: Array.from(heavy, (term) => `\0${textOf(term)}\0`),
    heavyRefs: heavy.map((term) => refs[term] ?? 0),
    heavyPairRefs: refs.subarray(termCount + unionOrder.length),
  }
}

/** Bytes that a text takes in its block: each begins at a multiple of four, so that it is summed up by words. */
export function textRoom(size: number): number {
  return (size + 3) & ~3
}

/** Where an index's lists and texts come from. */
export interface TextReader {
  /** Bytes of the lists. */
  list(offset: number, length: number): Awaitable<Uint8Array>
  /** Bytes of a block of texts, as many as there is room for: that room filled, or others. */
  text(block: number, offset: number, room: Uint8Array): Awaitable<Uint8Array>
  /** By ordinal: 1 where the text was seen to be what its checksum says. */
  readonly checked: Uint8Array
}

/** @throws Error when bytes are not those that were built */
export function check(bytes: Uint8Array, expected: number | undefined): void {
  if (checksum(bytes) !== expected) {
    throw new Error('The index was cut short or changed after it was built. Build again.')
  }
}
