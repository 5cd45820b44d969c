// The text-search index of a function: terms, references to posting lists, and places of texts. Independent of how it
// was built and where its lists and texts are stored.
import type { Awaitable } from '../api/snapshot.ts'
import type { Bitmap } from './bitmaps.ts'
import type { MakeSearchable, SearchableBytes } from './byte-search.ts'
import { type SectionArray, type SectionTable, viewSection } from './sections.ts'
import { isCommon, type ListAreas, readRefs } from './stored-lists.ts'
import { readTermDictionary, type TermDictionary, termAt } from './term-dictionary.ts'
import { VarintReader } from './varint-reader.ts'

/** The part of the index that the first text search loads into memory. */
export interface TextIndex extends ListAreas {
  readonly postCount: number
  /** ASCII tokens, other tokens, unigrams and bigrams: their terms are numbered consecutively, in this order. */
  readonly ascii: TermDictionary
  readonly other: TermDictionary
  readonly bigrams: TermDictionary
  /** References to lists, by term; those of bigrams again separately. */
  readonly refs: Uint32Array
  readonly bigramRefs: Uint32Array
  /** Common words as `NUL token NUL`, and references to their lists. */
  readonly commonWords: readonly string[]
  readonly commonRefs: Uint32Array
  /** Their grams, as in `CommonGrams`. */
  readonly gramRows: Uint32Array
  readonly gramSeconds: Uint32Array
  readonly gramRefs: Uint32Array
  /** Parts of rarer tokens with a materialized union, and references to the unions. */
  readonly unions: TermDictionary
  readonly unionRefs: Uint32Array
  /** The text of each post, by its index in storage order. */
  readonly postTexts: Uint32Array
  /** Texts in storage order: offset in the block, size in bytes, checksum. */
  readonly textOffsets: Uint32Array
  readonly textSizes: Uint32Array
  readonly textChecks: Uint32Array
  /** The first text of each block. */
  readonly blockTexts: Uint32Array
  /** Checksum of each page of lists, by page number. */
  readonly pageChecks: Uint32Array
}

/** Names of the dictionary sections in a vocabulary. */
export const dictionaryNames = ['ascii', 'other', 'bigrams', 'unions'] as const

/** Names of the number sections in the tables. */
export const numberNames = [
  'areaStarts',
  'areaLengths',
  'unionOrder',
  'commonTerms',
  'gramRows',
  'gramSeconds',
] as const

/** Names of the sections with the first texts of blocks, and the checksums of texts and list pages. */
export const placeNames = ['blockTexts', 'textChecks', 'pageChecks'] as const

/** Sections in a buffer. */
export interface SectionBuffer {
  readonly bytes: Uint8Array
  readonly table: SectionTable
}

/**
 * Reads an index.
 *
 * @param make allocates the searchable bytes of terms
 * @throws RangeError when a section exceeds its buffer
 *
 * Cost: O(terms) additions and one decoding of the vocabulary; one object per common word, at most a thousand.
 */
export function readTextIndex(
  vocabulary: SectionBuffer,
  tables: SectionBuffer,
  make?: MakeSearchable,
): TextIndex {
  const words = viewSections(vocabulary) as Record<(typeof dictionaryNames)[number], Uint8Array>
  const [ascii, other] = [
    readTermDictionary(words.ascii, make),
    readTermDictionary(words.other, make),
  ]
  const [bigrams, unions] = [readTermDictionary(words.bigrams), readTermDictionary(words.unions)]
  const { refs: storedRefs, places, ...rest } = viewSections(tables)
  const numbers = rest as Record<
    (typeof numberNames)[number] | (typeof placeNames)[number],
    Uint32Array
  >
  const { commonTerms, gramSeconds, unionOrder, blockTexts, textChecks } = numbers
  const asciiCount = ascii.starts.length - 1
  const textOf = (term: number) =>
    term < asciiCount ? termAt(ascii, term) : termAt(other, term - asciiCount)
  const termCount = asciiCount + other.starts.length + bigrams.starts.length - 2
  const listCount = termCount + unionOrder.length + gramSeconds.length
  const refs = readRefs(storedRefs as Uint8Array, numbers, listCount)
  for (const term of commonTerms) refs[term] = ((refs[term] ?? 0) | isCommon) >>> 0
  return {
    ...numbers,
    ...{ ascii, other, bigrams, unions, refs },
    ...readPlaces(places as Uint8Array, blockTexts, textChecks.length),
    postCount: textChecks.length,
    bigramRefs: refs.subarray(asciiCount + other.starts.length - 1, termCount),
    unionRefs: unionOrder.map((at) => refs[termCount + at] ?? 0),
    commonWords: Array.from(commonTerms, (term) => `\0${textOf(term)}\0`),
    commonRefs: commonTerms.map((term) => refs[term] ?? 0),
    gramRefs: refs.subarray(termCount + unionOrder.length),
  }
}

function viewSections({ bytes, table }: SectionBuffer): Readonly<Record<string, SectionArray>> {
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [name, viewSection(bytes, entry)]),
  )
}

/** Decodes the places of texts that `layOutTextIndex` encoded. */
function readPlaces(
  bytes: Uint8Array,
  blockTexts: Uint32Array,
  count: number,
): Pick<TextIndex, 'postTexts' | 'textOffsets' | 'textSizes'> {
  const places = new VarintReader(bytes)
  const postTexts = new Uint32Array(count)
  const textOffsets = new Uint32Array(count)
  const textSizes = new Uint32Array(count)
  let block = 0
  let offset = 0
  for (let text = 0; text < count; text++) {
    if (text === blockTexts[block]) {
      block += 1
      offset = 0
    }
    postTexts[places.next()] = text
    textOffsets[text] = offset
    textSizes[text] = places.next()
    offset += textRoom(textSizes[text] ?? 0)
  }
  return { postTexts, textOffsets, textSizes }
}

/** The bytes of a text in its block, rounded up to a multiple of four for word-wise checksums. */
export function textRoom(size: number): number {
  return (size + 3) & ~3
}

/** Reads lists and texts of an index. */
export interface TextReader {
  /**
   * Adds the ordinals of a stored list to a set: at once when it is in memory, else when the returned promise
   * resolves.
   */
  addList(offset: number, length: number, to: Bitmap): Awaitable<unknown>
  /**
   * Reads ranges of texts into one buffer, each to its place there. The buffer is valid until the caller suspends,
   * because other searches may reuse it.
   */
  texts(ranges: readonly TextRange[]): Awaitable<SearchableBytes>
  /** By storage order of texts: 1 once the text's checksum was verified. Empty when every read is verified. */
  readonly checked: Uint8Array
  /** The most bytes of texts read at once, except for a single longer text. */
  readonly batchBytes: number
}

/** Texts of one block, and the gaps between them. */
export interface TextRange {
  readonly block: number
  /** Offset in the block, in bytes. */
  readonly start: number
  /** In bytes. */
  readonly size: number
  /** Offset in the buffer, in bytes. */
  readonly at: number
  /** The texts in storage order: the first, and one past the last. */
  readonly first: number
  readonly end: number
}
