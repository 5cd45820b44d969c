// Text search over the files of a bundle: each segment of the posts has an index of its own, which is read with the
// first search; lists and texts are read when they are needed. Knows no host: files come through a storage.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import type { BundledSearch, BundledSections, BundledSegment } from '../api/bundle.ts'
import { joinBytes } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { addShifted, type Bitmap, emptyBitmap } from '../query/bitmaps.ts'
import { type SearchableBytes, searchableBytes } from '../query/byte-search.ts'
import { OrdinalSet } from '../query/ordinal-set.ts'
import type { TextSearch } from '../query/post-index.ts'
import type { SectionTable } from '../query/sections.ts'
import { runSteps } from '../query/steps.ts'
import {
  readTextIndex,
  type SectionBuffer,
  type TextIndex,
  type TextReader,
} from '../query/text-index.ts'
import { scanTexts, searchText } from '../query/text-search.ts'
import { openedOnce } from './opened-once.ts'
import { pagedReader } from './page-cache.ts'
import { readNamed, readPart, type Storage } from './storage.ts'

/** Bytes of posting lists that are kept where nothing else is said. */
export const searchCacheBytesDefault: number = 8 * 1024 * 1024

/** Bytes of texts that a search reads at once where the storage says nothing else. */
const batchBytesDefault: number = 256 * 1024

/**
 * The search over one workspace.
 *
 * The first search reads the vocabulary and the tables of each segment; the next one reads again what failed. Nothing is
 * read of a segment whose posts are all scheduled, whatever the query is.
 */
export function bundledSearch(
  { segments }: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number = searchCacheBytesDefault,
): TextSearch {
  const postCount = segments.reduce((sum, { posts }) => sum + posts, 0)
  const room: Room = { bytes: undefined }
  let start = 0
  const parts = segments.map((segment) => {
    const search = segmentSearch(segment, {
      storage,
      room,
      cacheBytes: cacheBytes / segments.filter(({ isIndexed }) => isIndexed).length,
    })
    const part = { start, end: start + segment.posts, search }
    start = part.end
    return part
  })
  return {
    search(query, first = 0) {
      const visible = parts.filter(({ end }) => end > first)
      const found = visible.map(({ start, search }) => search(query, Math.max(0, first - start)))
      return whenAllReady(found, (sets) => {
        const [only] = sets
        if (only !== undefined && segments.length === 1) return new OrdinalSet(only, postCount - 1)
        // Counted from the oldest post, as each segment counts.
        const bits = emptyBitmap(postCount)
        for (const [at, set] of sets.entries()) {
          addShifted(bits, set, postCount - (visible[at]?.end ?? 0))
        }
        return new OrdinalSet(bits, postCount - 1)
      })
    },
  }
}

/** Where texts are looked at: one for all segments. */
interface Room {
  bytes: SearchableBytes | undefined
}

interface Reading {
  readonly storage: Storage
  readonly room: Room
  /** The size of cached posting lists. */
  readonly cacheBytes: number
}

type SegmentSearch = (query: string, first: number) => Awaitable<Bitmap>

/** The search over one segment; its index is read once, and again where that failed. */
function segmentSearch(segment: BundledSegment<SectionTable>, reading: Reading): SegmentSearch {
  const find = segment.isIndexed ? searchText : scanTexts
  const open = openedOnce(() =>
    whenReady(loadIndex(segment, reading.storage), (index): SegmentSearch => {
      const reader = textReader(index, segment, reading)
      return (query, first) => runSteps(find(index, reader, query, first))
    }),
  )
  return (query, first) => whenReady(open(), (search) => search(query, first))
}

function loadIndex(segment: BundledSegment<SectionTable>, storage: Storage): Awaitable<TextIndex> {
  const read = [segment.vocabulary, segment.tables].map((part) => readSections(part, storage))
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
  segment: BundledSegment<SectionTable>,
  { storage, room, cacheBytes }: Reading,
): TextReader {
  const { makeSearchable = searchableBytes } = storage
  return {
    addList: pagedReader(storage, { ...segment, pageChecks }, cacheBytes),
    text: (block, offset, into) => readPart(storage, segment.texts[block] ?? '', offset, into),
    checked: new Uint8Array(postCount),
    batchBytes: storage.batchBytes ?? batchBytesDefault,
    get room() {
      room.bytes ??= makeSearchable(0)
      return room.bytes
    },
    set room(bytes) {
      room.bytes = bytes
    },
    makeSearchable,
  }
}
