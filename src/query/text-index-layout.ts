// Lays a search index out in two buffers: the vocabulary, which rarely changes, and tables, which often do.
import { GrowingBytes } from './growing.ts'
import type { StoredIndex } from './index-builder.ts'
import { SectionWriter } from './sections.ts'
import { dictionaryNames, numberNames, placeNames, type SectionBuffer } from './text-index.ts'

/** The locations and checksums of the posts' normalized texts. */
export interface TextPlaces {
  /** By ordinal, newest post first; blocks are numbered from 0, and none is empty. */
  readonly textBlocks: Uint32Array
  /** Offset in the block, in bytes; consecutive texts are `textRoom` apart. */
  readonly textOffsets: Uint32Array
  /** In bytes. */
  readonly textSizes: Uint32Array
  readonly textChecks: Uint32Array
  /** Checksum of each page of lists, by page number. */
  readonly pageChecks: Uint32Array
}

/** Returns the input of `readTextIndex`. */
export function layOutTextIndex(
  { dictionaries, refs, numbers }: StoredIndex,
  places: TextPlaces,
): { readonly vocabulary: SectionBuffer; readonly tables: SectionBuffer } {
  const words = new SectionWriter()
  const wordTable = dictionaryNames.map((name) => [name, words.add(dictionaries[name])] as const)
  const tables = new SectionWriter()
  const { bytes, ...laid } = layOutPlaces(places)
  const all = { ...numbers, ...laid, pageChecks: places.pageChecks }
  const table = [...numberNames, ...placeNames].map(
    (name) => [name, tables.add(all[name])] as const,
  )
  return {
    vocabulary: { bytes: words.finish(), table: Object.fromEntries(wordTable) },
    tables: {
      table: { ...Object.fromEntries(table), places: tables.add(bytes), refs: tables.add(refs) },
      bytes: tables.finish(),
    },
  }
}

/**
 * Encodes places in the order of the texts, so that no offsets are stored.
 *
 * ```
 *  varint for each: number of its post, counted from the oldest; bytes of the text
 * ```
 */
function layOutPlaces({ textBlocks, textOffsets, textSizes, textChecks }: TextPlaces): {
  readonly bytes: Uint8Array
  readonly textChecks: Uint32Array
  readonly blockTexts: Uint32Array
} {
  const order = [...textBlocks.keys()].sort(
    (a, b) =>
      (textBlocks[a] ?? 0) - (textBlocks[b] ?? 0) || (textOffsets[a] ?? 0) - (textOffsets[b] ?? 0),
  )
  const bytes = new GrowingBytes()
  const blockTexts: number[] = []
  for (const [text, post] of order.entries()) {
    blockTexts[textBlocks[post] ?? 0] ??= text
    bytes.addVarint(order.length - 1 - post)
    bytes.addVarint(textSizes[post] ?? 0)
  }
  return {
    bytes: bytes.view(),
    textChecks: Uint32Array.from(order, (post) => textChecks[post] ?? 0),
    blockTexts: Uint32Array.from(blockTexts),
  }
}
