// The index that text is searched by, as a function holds it: terms, references to their lists, places of texts.
// Knows neither how it was made nor where its lists and texts lie.
import type { Awaitable } from '../api/snapshot.ts'
import type { Bitmap } from './bitmaps.ts'
import type { MakeSearchable, SearchableBytes } from './byte-search.ts'
import { type SectionArray, type SectionTable, viewSection } from './sections.ts'
import { isCommon, type ListAreas, readRefs } from './stored-lists.ts'
import { readTermDictionary, type TermDictionary, termAt } from './term-dictionary.ts'
import { VarintReader } from './varint-reader.ts'

/** The part that is in memory once text was searched. */
export interface TextIndex extends ListAreas {
  readonly postCount: number
  /** Tokens of ASCII, other tokens, unigrams and bigrams: their terms are numbered through, in this order. */
  readonly ascii: TermDictionary
  readonly other: TermDictionary
  readonly bigrams: TermDictionary
  /** References to lists, by term; those of bigrams once more. */
  readonly refs: Uint32Array
  readonly bigramRefs: Uint32Array
  /** Common words: `NUL token NUL`, and references to their lists. */
  readonly commonWords: readonly string[]
  readonly commonRefs: Uint32Array
  /** Their grams, as `CommonGrams` has them. */
  readonly gramRows: Uint32Array
  readonly gramSeconds: Uint32Array
  readonly gramRefs: Uint32Array
  /** Parts of rarer tokens whose union is materialized, and references to the unions. */
  readonly unions: TermDictionary
  readonly unionRefs: Uint32Array
  /** The text of each post, by its place in the order in which folded texts lie. */
  readonly postTexts: Uint32Array
  /** Texts in that order: offset in its block, size in bytes, checksum. */
  readonly textOffsets: Uint32Array
  readonly textSizes: Uint32Array
  readonly textChecks: Uint32Array
  /** The first text of each block. */
  readonly blockTexts: Uint32Array
  /** Checksum of each page of lists, by the number of the page. */
  readonly pageChecks: Uint32Array
}

/** Names of dictionaries in the sections of a vocabulary. */
export const dictionaryNames = ['ascii', 'other', 'bigrams', 'unions'] as const

/** Names of numbers in the sections of the tables that an index is made of. */
export const numberNames = [
  'areaStarts',
  'areaLengths',
  'unionOrder',
  'commonTerms',
  'gramRows',
  'gramSeconds',
] as const

/** Names of numbers that say where blocks of texts begin, and what texts and pages of lists must be. */
export const placeNames = ['blockTexts', 'textChecks', 'pageChecks'] as const

/** Sections in a buffer. */
export interface SectionBuffer {
  readonly bytes: Uint8Array
  readonly table: SectionTable
}

/**
 * An index read back.
 *
 * @param make bytes that terms are looked for in
 * @throws RangeError when a section reaches beyond its buffer
 *
 * Cost: O(terms) additions and one decoding of the vocabulary; an object for each common word, of which there are
 * a thousand at most.
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

/** The places of texts as `layOutTextIndex` encoded them. */
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

/** Bytes that a text takes in its block: each begins at a multiple of four, so that it is summed up by words. */
export function textRoom(size: number): number {
  return (size + 3) & ~3
}

/** Where an index's lists and texts come from. */
export interface TextReader {
  /** Adds the ordinals of one of the lists to a set: now where it is at hand, else it gives when they are there. */
  addList(offset: number, length: number, to: Bitmap): Awaitable<unknown>
  /** Bytes of a block of texts, as many as there is room for: that room filled and given back, or others. */
  text(block: number, offset: number, room: Uint8Array): Awaitable<Uint8Array>
  /** 1 where a text was seen to be what its checksum says, in the order in which texts lie. */
  readonly checked: Uint8Array
  /** The most bytes of texts that are read at once, unless one text is longer. */
  readonly batchBytes: number
  /** Room for texts, and how to make more of it. */
  room: SearchableBytes
  readonly makeSearchable: MakeSearchable
}
