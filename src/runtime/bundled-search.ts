// Text search over the files of a bundle: what is always needed comes with the first search, lists and texts when
// they are asked for. Knows no host: files come through a storage.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import type { BundledSearch, BundledSections } from '../api/bundle.ts'
import { joinBytes } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { searchableBytes } from '../query/byte-search.ts'
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
import { pagedReader } from './page-cache.ts'
import { readNamed, readPart, type Storage } from './storage.ts'

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
  let loaded: Awaitable<TextSearch['search']> | undefined
  const forget = (error: unknown): never => {
    loaded = undefined
    throw error
  }
  return {
    search(needle, first) {
      loaded ??= whenReady(loadIndex(search, storage), (index) => {
        const reader = textReader(index, search, storage, cacheBytes)
        return (needle, first) => runSteps(searchText(index, reader, needle, first))
      })
      if (!(loaded instanceof Promise)) return loaded(needle, first)
      return loaded.then((find) => {
        loaded = find
        return find(needle, first)
      }, forget)
    },
  }
}

function loadIndex(search: BundledSearch<SectionTable>, storage: Storage): Awaitable<TextIndex> {
  const read = [search.vocabulary, search.tables].map((part) => readSections(part, storage))
  return whenAllReady(read, ([vocabulary, tables]) =>
    readTextIndex(vocabulary as SectionBuffer, tables as SectionBuffer, storage.makeSearchable),
  )
}

function readSections(
  { files, sections }: BundledSections<SectionTable>,
  storage: Storage,
): Awaitable<SectionBuffer> {
  const parts = files.map((name) => readNamed(storage, name))
  return whenAllReady(parts, (read) => ({ bytes: joined(read), table: sections }))
}

/** All parts, one behind the other, at an address that is a multiple of 8; without a copy where one lies so. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  const isAsItIs = parts.length === 1 && first !== undefined && first.byteOffset % 8 === 0
  return isAsItIs ? first : joinBytes(parts)
}

function textReader(
  { pageChecks, postCount }: TextIndex,
  search: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number,
): TextReader {
  const { makeSearchable = searchableBytes } = storage
  return {
    addList: pagedReader(storage, { ...search, pageChecks }, cacheBytes),
    text: (block, offset, room) => readPart(storage, search.texts[block] ?? '', offset, room),
    checked: new Uint8Array(postCount),
    room: makeSearchable(0),
    makeSearchable,
  }
}
