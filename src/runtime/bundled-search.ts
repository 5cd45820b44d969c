// Text search over the files of a bundle: what is always needed comes with the first search, lists and texts when
// they are asked for. Knows no host: files come through a storage.
import type { BundledSearch, BundledSections } from '../api/bundle.ts'
import type { Awaitable } from '../api/snapshot.ts'
import type { TextSearch } from '../query/post-index.ts'
import type { SectionTable } from '../query/sections.ts'
import { runSteps } from '../query/steps.ts'
import {
  readTextIndex,
  type SectionBuffer,
  type TextIndex,
  type TextReader,
} from '../query/text-index.ts'
import { searchText } from '../query/text-search.ts'
import { PageCache } from './page-cache.ts'
import type { Storage } from './storage.ts'

/** Bytes of posting lists that are kept where nothing else is said. */
export const searchCacheBytesDefault: number = 8 * 1024 * 1024

/**
 * The search over one workspace.
 *
 * The first search reads the vocabulary and the tables; so does the next one where that failed.
 */
export function bundledSearch(
  search: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number = searchCacheBytesDefault,
): TextSearch {
  const reader = textReader(search, storage, cacheBytes)
  let loaded: Awaitable<TextIndex> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  const find = (index: TextIndex, needle: string) => runSteps(searchText(index, reader, needle))
  return {
    search(needle) {
      loaded ??= loadIndex(search, storage)
      if (!(loaded instanceof Promise)) return find(loaded, needle)
      return loaded.then((index) => {
        loaded = index
        return find(index, needle)
      }, forget)
    },
  }
}

function loadIndex(search: BundledSearch<SectionTable>, storage: Storage): Awaitable<TextIndex> {
  const vocabulary = readSections(search.vocabulary, storage)
  const tables = readSections(search.tables, storage)
  if (!(vocabulary instanceof Promise || tables instanceof Promise)) {
    return readTextIndex(vocabulary, tables)
  }
  return Promise.all([vocabulary, tables]).then(([words, numbers]) => readTextIndex(words, numbers))
}

function readSections(
  { files, sections }: BundledSections<SectionTable>,
  storage: Storage,
): Awaitable<SectionBuffer> {
  const parts = files.map((name) => storage.read(name))
  if (!parts.some((part) => part instanceof Promise)) {
    return { bytes: joined(parts as readonly Uint8Array[]), table: sections }
  }
  return Promise.all(parts).then((bytes) => ({ bytes: joined(bytes), table: sections }))
}

/** At an address that is a multiple of 8; without a copy where it is one file that lies so. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  if (parts.length === 1 && first !== undefined && first.byteOffset % 8 === 0) return first
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let size = 0
  for (const part of parts) {
    whole.set(part, size)
    size += part.length
  }
  return whole
}

function textReader(
  { lists, listStarts, texts }: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number,
): TextReader {
  const cache = new PageCache(storage, { names: lists, starts: listStarts }, cacheBytes)
  return {
    list: (offset, length) => cache.read(offset, length),
    text: (block, offset, length) => storage.readRange(texts[block] ?? '', offset, length),
  }
}
