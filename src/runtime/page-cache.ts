// Reads a byte sequence that is split into files, by pages, with a bounded cache.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { check, checksum } from '../query/checksum.ts'
import { addStored } from '../query/list-coding.ts'
import { lastAtOrBefore } from '../query/posting-lists.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import type { TextReader } from '../query/text-index.ts'
import { readPart, type Storage } from './storage.ts'

/** The location of the sequence. */
export interface ListFiles {
  readonly lists: readonly string[]
  /** Offset of each file in the sequence, plus the end. */
  readonly listStarts: readonly number[]
  /** Checksum of each page, by `pageNumber`. */
  readonly pageChecks: Uint32Array
}

/**
 * Returns a reader of lists in the sequence; each list is within one file. It throws RangeError beyond the end of the
 * sequence, and Error when a page differs from the one that was built.
 *
 * @param bytesMax size of the page cache
 */
export function pagedReader(
  storage: Storage,
  files: ListFiles,
  bytesMax: number,
): TextReader['addList'] {
  const { listStarts } = files
  const pageAt = pageCache(storage, files, bytesMax)
  // The most recent page, its start and its end.
  let page: DataView | undefined
  let start = 0
  let end = 0
  return (offset, length, to) => {
    // Most lists are in the page of the previous list.
    if (page !== undefined && offset >= start && offset + length <= end) {
      return addStored(to, page, offset - start, length)
    }
    page = undefined
    const file = lastAtOrBefore(listStarts, offset)
    const skipped = (offset - (listStarts[file] ?? 0)) % pageBytes
    const place = offset - skipped
    const most = Math.min(place + pageBytes, listStarts[file + 1] ?? 0)
    if (offset + length <= most) {
      return whenReady(pageAt(file, place), (view) => {
        page = view
        start = place
        end = most
        addStored(to, view, skipped, length)
      })
    }
    const joined = new Uint8Array(skipped + length + pageBytes)
    const parts: Awaitable<void>[] = []
    for (let at = 0; at < skipped + length; at += pageBytes) {
      parts.push(
        whenReady(pageAt(file, place + at), ({ buffer }) =>
          joined.set(new Uint8Array(buffer, 0, pageBytes), at),
        ),
      )
    }
    return whenAllReady(parts, () => addStored(to, new DataView(joined.buffer), skipped, length))
  }
}

/**
 * Returns a function that reads the page at an offset of the sequence, each page in its own buffer.
 *
 * Pages are evicted in FIFO order with a second chance for recently used ones (the clock algorithm). A cached page
 * costs no allocation. Storages with `readInto` reuse the buffer of an evicted page: they are synchronous, so a page
 * is used before the next one is read. With other storages, readers of the same microtask share a read.
 */
function pageCache(
  storage: Storage,
  { lists, listStarts, pageChecks }: ListFiles,
  bytesMax: number,
): (file: number, place: number) => Awaitable<DataView> {
  /** By `pageNumber`. */
  const pages = new Array<DataView | undefined>(pageChecks.length + 1)
  /** Numbers of the pages used since the hand last passed them. */
  const used = new Set<number>()
  const keptMax = Math.max(1, Math.min(bytesMax / pageBytes, pages.length))
  /** Numbers of the cached pages, in a ring at `hand`; initially that of no page. */
  const kept = new Uint32Array(keptMax).fill(pageChecks.length)
  let hand = 0
  /** The buffer for the next page, if one is free. */
  let room: DataView | undefined
  const load = (file: number, place: number, number: number): Awaitable<DataView> => {
    const view = room ?? new DataView(new ArrayBuffer(pageBytes + 4))
    const start = listStarts[file] ?? 0
    const size = Math.min(pageBytes, (listStarts[file + 1] ?? 0) - place)
    const into = new Uint8Array(view.buffer, 0, size)
    const name = lists[file] ?? ''
    return whenReady(readPart(storage, name, place - start, into), (bytes) => {
      check(checksum(bytes), pageChecks[number], name)
      if (bytes !== into) into.set(bytes)
      // Readers of different requests may have loaded it at the same time.
      if (pages[number] === undefined) keep(number, view)
      return view
    })
  }
  const keep = (number: number, page: DataView): void => {
    let oldest = 0
    do {
      hand = (hand + 1) % kept.length
      oldest = kept[hand] ?? 0
    } while (used.delete(oldest))
    room = storage.readInto && pages[oldest]
    pages[oldest] = undefined
    pages[number] = page
    kept[hand] = number
  }
  const loading = new Map<number, Promise<DataView>>()
  return (file, place) => {
    const number = pageNumber(place, file)
    const page = pages[number]
    if (page !== undefined) {
      used.add(number)
      return page
    }
    const shared = loading.get(number)
    if (shared !== undefined) return shared
    const loaded = load(file, place, number)
    if (loaded instanceof Promise) {
      // Not longer: a host may stop the request that reads, and others would wait for ever.
      if (loading.size === 0) queueMicrotask(() => loading.clear())
      loading.set(number, loaded)
    }
    return loaded
  }
}
