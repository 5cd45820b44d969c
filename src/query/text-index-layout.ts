// A search index laid out in two buffers: the vocabulary, which seldom changes, and tables, which often do.
// Knows nothing of files.
import type { StoredIndex } from './index-builder.ts'
import { SectionWriter } from './sections.ts'
import { lexiconNames, numberNames, placeNames, type SectionBuffer } from './text-index.ts'

/** Where the posts' folded texts lie, and what they must be. */
export type TextPlaces = Readonly<Record<(typeof placeNames)[number], Uint32Array>>

/** What `readTextIndex` reads. */
export function layOutTextIndex(
  { lexicons, refs, numbers }: StoredIndex,
  places: TextPlaces,
): { readonly vocabulary: SectionBuffer; readonly tables: SectionBuffer } {
  const words = new SectionWriter()
  const wordTable = lexiconNames.map((name) => [name, words.add(lexicons[name])] as const)
  const tables = new SectionWriter()
  const all = { ...numbers, ...places }
  const table = [...numberNames, ...placeNames].map(
    (name) => [name, tables.add(all[name])] as const,
  )
  return {
    vocabulary: { bytes: words.finish(), table: Object.fromEntries(wordTable) },
    tables: {
      table: { ...Object.fromEntries(table), refs: tables.add(refs) },
      bytes: tables.finish(),
    },
  }
}
