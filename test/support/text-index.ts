// A search index over texts in memory, with readers that answer at once or later.
import { IndexBuilder, type IndexSettings } from '../../src/query/index-builder.ts'
import { postTerms, readPostTerms } from '../../src/query/post-terms.ts'
import { runSteps } from '../../src/query/steps.ts'
import { readTextIndex, type TextIndex, type TextReader } from '../../src/query/text-index.ts'
import { layOutTextIndex } from '../../src/query/text-index-layout.ts'
import type { PostText } from '../../src/query/text-scan.ts'
import { searchText } from '../../src/query/text-search.ts'

/** An index with what it reads from. */
export interface IndexInMemory {
  readonly index: TextIndex
  readonly reader: TextReader
  readonly listBytes: number
}

/** Indexes texts, latest post first; all of them lie in one block. */
export function indexTexts(
  posts: readonly PostText[],
  settings: IndexSettings = {},
  later: <T>(value: T) => T | Promise<T> = (value) => value,
): IndexInMemory {
  const builder = new IndexBuilder(settings)
  const terms = posts.map(({ title, text }) => postTerms(title, text))
  for (const post of terms) builder.add(post)
  const stored = builder.finish()
  const texts = terms.map((post) => readPostTerms(post).text)
  const textOffsets = new Uint32Array(texts.length)
  texts.forEach((text, post) => {
    textOffsets[post + 1] = (textOffsets[post] ?? 0) + text.length
  })
  const textSizes = Uint32Array.from(texts, ({ length }) => length)
  const textBlocks = new Uint32Array(texts.length)
  const { vocabulary, tables } = layOutTextIndex(stored, { textBlocks, textOffsets, textSizes })
  const block = Buffer.concat(texts)
  return {
    index: readTextIndex(vocabulary, tables),
    listBytes: stored.lists.length,
    reader: {
      list: (offset, length) => later(stored.lists.subarray(offset, offset + length)),
      text: (_, offset, length) => later(block.subarray(offset, offset + length)),
    },
  }
}

/** Ordinals of the posts that have a folded text in them. */
export async function findTexts({ index, reader }: IndexInMemory, needle: string) {
  return [...(await runSteps(searchText(index, reader, needle)))]
}
