// Text search over the files of a bundle: what is always needed comes with the first search, lists and texts when
// they are asked for. Knows no host: files come through a storage.
import { whenReady } from '../api/awaitable.ts'
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
import { readChecked, type Storage } from './storage.ts'

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
  let loaded: Awaitable<LoadedSearch> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  const find = ({ index, reader }: LoadedSearch, needle: string) =>
    runSteps(searchText(index, reader, needle))
  return {
    search(needle) {
      loaded ??= whenReady(loadIndex(search, storage), (index) => ({
        index,
        reader: textReader(index, search, storage, cacheBytes),
      }))
      if (!(loaded instanceof Promise)) return find(loaded, needle)
      return loaded.then((now) => {
        loaded = now
        return find(now, needle)
      }, forget)
    },
  }
}

interface LoadedSearch {
  readonly index: TextIndex
  readonly reader: TextReader
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
  { pageChecks, postCount }: TextIndex,
  { lists, listStarts, texts }: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number,
): TextReader {
  const files = { names: lists, starts: listStarts, checks: pageChecks }
  const cache = new PageCache(storage, files, cacheBytes)
  return {
    list: (offset, length) => cache.read(offset, length),
    text: (block, offset, room) => readChecked(storage, texts[block] ?? '', offset, room),
    checked: new Uint8Array(postCount),
  }
}
