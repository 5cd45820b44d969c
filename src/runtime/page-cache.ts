// One run of bytes that is cut into files, read by pages, the latest ones kept within a bound.
// Knows nothing of what the bytes are.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { checksum } from '../query/checksum.ts'
import { addStored } from '../query/list-coding.ts'
import { lastAtOrBefore } from '../query/posting-lists.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import { check, type TextReader } from '../query/text-index.ts'
import { readChecked, type Storage } from './storage.ts'

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
    start = offset - skipped
    end = Math.min(start + pageBytes, listStarts[file + 1] ?? 0)
    if (offset + length <= end) {
      const found = pageAt(file, start)
      if (!(found instanceof Promise)) page = found
      return whenReady(found, (view) => addStored(to, view, skipped, length))
    }
    const joined = new Uint8Array(skipped + length + pageBytes)
    const parts: Awaitable<void>[] = []
    for (let at = 0; at < skipped + length; at += pageBytes) {
      const copy = ({ buffer }: DataView) => joined.set(new Uint8Array(buffer, 0, pageBytes), at)
      parts.push(whenReady(pageAt(file, start + at), copy))
    }
    return whenAllReady(parts, () => addStored(to, new DataView(joined.buffer), skipped, length))
  }
}

/**
 * Gives the page of a file that begins at a place of the run, in a buffer of its own.
 *
 * Where storage fills rooms, that of a page which left is filled again: such storage answers at once, so that a page
 * was used before the next one is read. Elsewhere others may still wait for one that left.
 */
function pageCache(
  storage: Storage,
  { lists, listStarts, pageChecks }: ListFiles,
  bytesMax: number,
): (file: number, place: number) => Awaitable<DataView> {
  /** By where they begin in the run; the last one in a Map is the one used last. */
  const pages = new Map<number, Awaitable<DataView>>()
  /** What the next page is read into, where there is one already. */
  let room: DataView | undefined
  const load = (file: number, place: number): Awaitable<DataView> => {
    const view = room ?? new DataView(new ArrayBuffer(pageBytes + 4))
    const start = listStarts[file] ?? 0
    const into = new Uint8Array(
      view.buffer,
      0,
      Math.min(pageBytes, (listStarts[file + 1] ?? 0) - place),
    )
    const bytes = readChecked(storage, lists[file] ?? '', place - start, into)
    const page = whenReady(bytes, (read) => {
      check(checksum(read), pageChecks[pageNumber(place, file)])
      if (read !== into) into.set(read)
      return view
    })
    room = undefined
    if (page instanceof Promise) {
      page.then(
        () => pages.has(place) && pages.set(place, view),
        // What failed is read again by the next one who asks.
        () => pages.delete(place),
      )
    }
    return page
  }
  return (file, place) => {
    const page = pages.get(place) ?? load(file, place)
    pages.delete(place)
    pages.set(place, page)
    if (pages.size * pageBytes > bytesMax) {
      const [[oldest, left] = [place, page]] = pages
      pages.delete(oldest)
      if (storage.readInto !== undefined && !(left instanceof Promise)) room = left
    }
    return page
  }
}
