// Text search over the files of a bundle. Each segment of posts has its own index, which the first search reads.
// Lists and texts are read on demand through a storage.
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
  type TextRange,
  type TextReader,
} from '../query/text-index.ts'
import { scanTexts, searchText } from '../query/text-search.ts'
import { openedOnce } from './opened-once.ts'
import { pagedReader } from './page-cache.ts'
import { readNamed, type Storage } from './storage.ts'

/** Default size of the cache of posting lists, in bytes. */
export const searchCacheBytesDefault: number = 8 * 1024 * 1024

/** Default number of text bytes that a search reads at once. */
const batchBytesDefault: number = 256 * 1024

/**
 * Returns the search over a workspace.
 *
 * The first search reads the vocabulary and the tables of each segment; later searches retry failed reads. Segments
 * with scheduled posts only are never read, whatever the query.
 */
export function bundledSearch(
  { segments }: BundledSearch<SectionTable>,
  storage: Storage,
  cacheBytes: number = searchCacheBytesDefault,
): TextSearch {
  const postCount = segments.reduce((sum, { posts }) => sum + posts, 0)
  const readTexts = textsFrom(storage)
  let start = 0
  const parts = segments.map((segment) => {
    const search = segmentSearch(segment, {
      storage,
      readTexts,
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
        // Counted from the oldest post, as in each segment.
        const bits = emptyBitmap(postCount)
        for (const [at, set] of sets.entries()) {
          addShifted(bits, set, postCount - (visible[at]?.end ?? 0))
        }
        return new OrdinalSet(bits, postCount - 1)
      })
    },
  }
}

interface Reading {
  readonly storage: Storage
  readonly readTexts: ReadTexts
  /** The size of the cache of posting lists, in bytes. */
  readonly cacheBytes: number
}

type SegmentSearch = (query: string, first: number) => Awaitable<Bitmap>

/** Returns the search over a segment. Its index is read once; a failed read is retried. */
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

/** Concatenates parts at an address that is a multiple of 8, without a copy of a single aligned part. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  const isAsItIs = parts.length === 1 && first !== undefined && first.byteOffset % 8 === 0
  return isAsItIs ? first : joinBytes(parts)
}

function textReader(
  { pageChecks, postCount }: TextIndex,
  segment: BundledSegment<SectionTable>,
  { storage, readTexts, cacheBytes }: Reading,
): TextReader {
  return {
    addList: pagedReader(storage, { ...segment, pageChecks }, cacheBytes),
    texts: (ranges) => readTexts(segment.texts, ranges),
    // Reads over a network may differ each time.
    checked: new Uint8Array(storage.readInto === undefined ? 0 : postCount),
    batchBytes: batchBytesOf(storage),
  }
}

/** Reads ranges of text blocks into one buffer. @param names the files of the blocks */
type ReadTexts = (
  names: readonly string[],
  ranges: readonly TextRange[],
) => Awaitable<SearchableBytes>

/**
 * Returns a reader of texts. A synchronous storage reads all of them into the same buffer, which is searched before the
 * next call; other storages read into a new one each time.
 */
function textsFrom(storage: Storage): ReadTexts {
  const { makeSearchable = searchableBytes, readInto, readRange } = storage
  if (readInto !== undefined) {
    let texts: SearchableBytes | undefined
    return (names, ranges) => {
      const size = sizeOf(ranges)
      if (texts === undefined || texts.bytes.length < size) {
        texts = makeSearchable(Math.max(size, batchBytesOf(storage)))
      }
      for (const { block, start, at, size } of ranges) {
        readInto(names[block] ?? '', start, texts.bytes.subarray(at, at + size))
      }
      return texts
    }
  }
  const read: ReadTexts = (names, ranges) => {
    const texts = makeSearchable(sizeOf(ranges))
    const parts = ranges.map(({ block, start, at, size }) =>
      whenReady(readRange(names[block] ?? '', start, size), (bytes) => texts.bytes.set(bytes, at)),
    )
    return whenAllReady(parts, () => texts)
  }
  const { gate } = storage
  if (gate === undefined) return read
  return (names, ranges) => gate(sizeOf(ranges), async () => read(names, ranges))
}

function sizeOf(ranges: readonly TextRange[]): number {
  return ranges.reduce((sum, { size }) => sum + size, 0)
}

function batchBytesOf({ batchBytes = batchBytesDefault }: Storage): number {
  return batchBytes
}
