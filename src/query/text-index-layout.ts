// A search index laid out in two buffers: the vocabulary, which seldom changes, and tables, which often do.
import { GrowingBytes } from './growing.ts'
import type { StoredIndex } from './index-builder.ts'
import { SectionWriter } from './sections.ts'
import { dictionaryNames, numberNames, placeNames, type SectionBuffer } from './text-index.ts'

/** Where the posts' folded texts lie, and what they must be. */
export interface TextPlaces {
  /** By ordinal, latest post first; blocks are numbered from 0, and none is empty. */
  readonly textBlocks: Uint32Array
  /** From the beginning of the block, in bytes: `textRoom` of the text before it further. */
  readonly textOffsets: Uint32Array
  /** In bytes. */
  readonly textSizes: Uint32Array
  readonly textChecks: Uint32Array
  /** Checksum of each page of lists, by the number of the page. */
  readonly pageChecks: Uint32Array
}

/** The input of `readTextIndex`. */
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
 * In the order in which the texts lie, so that nothing need be said of where each begins.
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
