// A search index over texts in memory, with readers that answer at once or later.
import { whenReady } from '../../src/api/awaitable.ts'
import { joinBytes } from '../../src/api/bytes.ts'
import { type MakeSearchable, searchableBytes } from '../../src/query/byte-search.ts'
import { checksum } from '../../src/query/checksum.ts'
import { buildIndex, type IndexSettings } from '../../src/query/index-builder.ts'
import { addStored } from '../../src/query/list-coding.ts'
import { OrdinalSet } from '../../src/query/ordinal-set.ts'
import { postTerms, readPostTerms } from '../../src/query/post-terms.ts'
import { joinBlocks, joinPosts } from '../../src/query/shard.ts'
import { runSteps } from '../../src/query/steps.ts'
import {
  readTextIndex,
  type TextIndex,
  type TextReader,
  textRoom,
} from '../../src/query/text-index.ts'
import { layOutTextIndex } from '../../src/query/text-index-layout.ts'
import type { PostText } from '../../src/query/text-scan.ts'
import { searchText } from '../../src/query/text-search.ts'

/** An index with what it reads from. */
export interface IndexInMemory {
  readonly index: TextIndex
  readonly reader: TextReader
  readonly listBytes: number
}

/** How an index is made; without common grams where nothing else is said. */
export interface TestedSettings extends IndexSettings {
  readonly hasGrams?: boolean
}

/** Indexes texts, latest post first; all of them lie in one block. */
export function indexTexts(
  posts: readonly PostText[],
  { hasGrams = false, ...settings }: TestedSettings = {},
  later: <T>(value: T) => T | Promise<T> = (value) => value,
  makeSearchable: MakeSearchable = searchableBytes,
): IndexInMemory {
  const terms = posts.map(({ title, text }) => postTerms(title, text))
  const blocks = chunksOf(terms.toReversed(), 3).map(joinPosts)
  const shards = chunksOf(blocks, 2).map((own) => joinBlocks(own, hasGrams))
  const stored = buildIndex(shards, settings)
  const texts = terms.map((post) => readPostTerms(post).text)
  const file = Buffer.alloc(texts.reduce((sum, { length }) => sum + textRoom(length), 0))
  let size = 0
  const textOffsets = new Uint32Array(texts.length)
  for (const [post, text] of texts.entries()) {
    textOffsets[post] = size
    file.set(text, size)
    size += textRoom(text.length)
  }
  const lists = new DataView(joinBytes([stored.lists, new Uint8Array(4)]).buffer as ArrayBuffer)
  const { vocabulary, tables } = layOutTextIndex(stored, {
    textBlocks: new Uint32Array(texts.length),
    textOffsets,
    textSizes: Uint32Array.from(texts, ({ length }) => length),
    textChecks: Uint32Array.from(texts, checksum),
    pageChecks: new Uint32Array(0),
  })
  return {
    index: readTextIndex(vocabulary, tables, makeSearchable),
    listBytes: stored.lists.length,
    reader: {
      addList: (offset, length, to) =>
        whenReady(later(lists), (view) => addStored(to, view, offset, length)),
      texts: (ranges) => {
        const texts = makeSearchable(ranges.reduce((sum, { size }) => sum + size, 0))
        for (const { start, size, at } of ranges) {
          texts.bytes.set(file.subarray(start, start + size), at)
        }
        return later(texts)
      },
      checked: new Uint8Array(posts.length),
      batchBytes: 256 * 1024,
    },
  }
}

function chunksOf<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size))
}

/** Ordinals of the posts, from the first that is asked for, that have a folded text in them. */
export async function findTexts({ index, reader }: IndexInMemory, pattern: string, first = 0) {
  const bits = await runSteps(searchText(index, reader, pattern, first))
  const found = new OrdinalSet(bits, index.postCount - 1)
  return [...found.slice(0, found.length)]
}
