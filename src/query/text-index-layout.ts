// A search index laid out in two buffers: the vocabulary, which seldom changes, and tables, which often do.
// Knows nothing of files.
import type { StoredIndex } from './index-builder.ts'
import { SectionWriter } from './sections.ts'
import { lexiconNames, numberNames, type SectionBuffer } from './text-index.ts'

/** Where the posts' folded texts lie, by ordinal. */
export interface TextPlaces {
  readonly textBlocks: Uint32Array
  readonly textOffsets: Uint32Array
  readonly textSizes: Uint32Array
}

/** What `readTextIndex` reads. */
export function layOutTextIndex(
  { lexicons, numbers }: StoredIndex,
  places: TextPlaces,
): { readonly vocabulary: SectionBuffer; readonly tables: SectionBuffer } {
  const words = new SectionWriter()
  const wordTable = lexiconNames.flatMap((name) => [
    [name, words.add(lexicons[name].bytes)] as const,
    [`${name}Lengths`, words.add(lexicons[name].lengths)] as const,
  ])
  const tables = new SectionWriter()
  const all = { ...numbers, ...places }
  const numberTable = numberNames.map((name) => [name, tables.add(all[name])] as const)
  return {
    vocabulary: { bytes: words.finish(), table: Object.fromEntries(wordTable) },
    tables: { bytes: tables.finish(), table: Object.fromEntries(numberTable) },
  }
}
