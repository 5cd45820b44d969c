// One run of bytes that is cut into files, read by pages, the latest ones kept within a bound.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { check, checksum } from '../query/checksum.ts'
import { addStored } from '../query/list-coding.ts'
import { lastAtOrBefore } from '../query/posting-lists.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import type { TextReader } from '../query/text-index.ts'
import { readPart, type Storage } from './storage.ts'

/** Where the run lies. */
export interface ListFiles {
  readonly lists: readonly string[]
  /** Where each file begins in the run, and where the last one ends. */
  readonly listStarts: readonly number[]
  /** Checksum of each page, by `pageNumber`. */
  readonly pageChecks: Uint32Array
}

/**
 * A reader of parts of the run, each of which lies in one file; it throws RangeError when the run ends before, and
 * Error when a page is not the one that was built.
 *
 * @param bytesMax that are kept
 */
export function pagedReader(
  storage: Storage,
  files: ListFiles,
  bytesMax: number,
): TextReader['addList'] {
  const { listStarts } = files
  const pageAt = pageCache(storage, files, bytesMax)
  // The page that was used last, where it begins and where it ends.
  let page: DataView | undefined
  let start = 0
  let end = 0
  return (offset, length, to) => {
    // Most lists lie in the page of the one before.
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
 * Gives the page of a file that begins at a place of the run, in a buffer of its own.
 *
 * Pages leave in the order in which they came, but those that were used again are passed by once (a clock): nothing
 * is allocated for a page that is there. Where storage fills rooms, that of a page which left is filled again: such
 * storage answers at once, so that a page was used before the next one is read. Elsewhere others may still wait for it.
 */
function pageCache(
  storage: Storage,
  { lists, listStarts, pageChecks }: ListFiles,
  bytesMax: number,
): (file: number, place: number) => Awaitable<DataView> {
  /** By `pageNumber`. */
  const pages = new Array<Awaitable<DataView> | undefined>(pageChecks.length + 1)
  /** Numbers of those that were used since they were last looked at. */
  const used = new Set<number>()
  const keptMax = Math.max(1, Math.min(bytesMax / pageBytes, pages.length))
  /** Numbers of the pages that are kept, and which of them came last; at first that of no page. */
  const kept = new Uint32Array(keptMax).fill(pageChecks.length)
  let hand = 0
  /** The buffer for the next page, where there is one already. */
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
      return view
    })
  }
  return (file, place) => {
    const number = pageNumber(place, file)
    let page = pages[number]
    if (page !== undefined) {
      used.add(number)
      return page
    }
    page = load(file, place, number)
    // The next request reads a page again that could not be read.
    if (page instanceof Promise) {
      page.catch(() => {
        pages[number] = undefined
      })
    }
    let oldest = 0
    do {
      hand = (hand + 1) % kept.length
      oldest = kept[hand] ?? 0
    } while (used.delete(oldest))
    // A page, no promise of one, where rooms are filled.
    room = storage.readInto && (pages[oldest] as DataView | undefined)
    pages[oldest] = undefined
    pages[number] = page
    kept[hand] = number
    return page
  }
}
