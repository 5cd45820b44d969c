// The index that text is searched by, as a function holds it: terms, references to their lists, places of texts.
// Knows neither how it was made nor where its lists and texts lie.
import type { Awaitable } from '../api/snapshot.ts'
import { type Lexicon, readLexicon, termAt } from './lexicon.ts'
import { SectionReader } from './section-reader.ts'
import type { SectionTable } from './sections.ts'
import type { ListAreas } from './stored-lists.ts'

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
  /** Runs with the longest lists: `NUL run NUL`, and references to their lists. */
  readonly heavy: readonly string[]
  readonly heavyRefs: Uint32Array
  /** Neighbours among heavy runs: `heavyPairs` says how they stand. */
  readonly heavyRows: Uint32Array
  readonly heavySeconds: Uint32Array
  readonly heavyPairRefs: Uint32Array
  /** Parts of light runs whose union is ready, and references to the unions. */
  readonly unions: Lexicon
  readonly unionRefs: Uint32Array
  /** Where each post's folded text lies, by ordinal: number of the block, offset and size in bytes. */
  readonly textBlocks: Uint32Array
  readonly textOffsets: Uint32Array
  readonly textSizes: Uint32Array
}

/** Names of lexicons in the sections of a vocabulary. */
export const lexiconNames = ['ascii', 'other', 'pairs', 'unions'] as const

/** Names of numbers in the sections of the tables. */
export const numberNames = [
  'refs',
  'areaStarts',
  'areaLengths',
  'heavy',
  'heavyRows',
  'heavySeconds',
  'heavyPairRefs',
  'unionRefs',
  'textBlocks',
  'textOffsets',
  'textSizes',
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
  const [ascii, other, pairs, unions] = lexiconNames.map((name) =>
    readLexicon({ bytes: words.u8(name), lengths: words.u8(`${name}Lengths`) }),
  ) as [Lexicon, Lexicon, Lexicon, Lexicon]
  const reader = new SectionReader(tables.bytes, tables.table)
  const numbers = Object.fromEntries(numberNames.map((name) => [name, reader.u32(name)])) as Record<
    (typeof numberNames)[number],
    Uint32Array
  >
  const { refs, areaStarts, areaLengths, heavy, textBlocks } = numbers
  const asciiCount = ascii.starts.length - 1
  const textOf = (term: number) =>
    term < asciiCount ? termAt(ascii, term) : termAt(other, term - asciiCount)
  return {
    ...numbers,
    ...{ ascii, other, pairs, unions },
    postCount: textBlocks.length,
    areas: { starts: areaStarts, lengths: areaLengths },
    heavy: Array.from(heavy, (term) => `\0${textOf(term)}\0`),
    heavyRefs: heavy.map((term) => refs[term] ?? 0),
  }
}

/** Where an index's lists and texts come from. */
export interface TextReader {
  /** Bytes of the lists. */
  list(offset: number, length: number): Awaitable<Uint8Array>
  /** Bytes of a block of texts. */
  text(block: number, offset: number, length: number): Awaitable<Uint8Array>
}
