// One run of bytes that is cut into files, read by pages, the latest ones kept within a bound.
// Knows nothing of what the bytes are.
import { whenAllReady, whenReady } from '../api/awaitable.ts'
import { joinBytes } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { checksum } from '../query/checksum.ts'
import { lastAtOrBefore } from '../query/posting-lists.ts'
import { pageBytes, pageNumber } from '../query/stored-lists.ts'
import { check } from '../query/text-index.ts'
import { readChecked, type Storage } from './storage.ts'

/** Where the run lies. */
export interface CutFiles {
  readonly names: readonly string[]
  /** Where each file begins in the run, and where the last one ends. */
  readonly starts: readonly number[]
  /** Of each page, by `pageNumber`. */
  readonly checks: Uint32Array
}

/**
 * A reader of parts of the run, each of which lies in one file; the least recently used pages leave first. What it
 * gives is not to be written to; it throws RangeError when the run ends before.
 *
 * @param bytesMax that are kept
 */
export function pageCache(
  storage: Storage,
  { names, starts, checks }: CutFiles,
  bytesMax: number,
): (offset: number, length: number) => Awaitable<Uint8Array> {
  /** By where they begin in the run; the last one in a Map is the one used last. */
  const pages = new Map<number, Awaitable<Uint8Array>>()
  const load = (file: number, place: number): Awaitable<Uint8Array> => {
    const room = new Uint8Array(Math.min(pageBytes, (starts[file + 1] ?? 0) - place))
    const bytes = readChecked(storage, names[file] ?? '', place - (starts[file] ?? 0), room)
    const page = whenReady(bytes, (read) => {
      check(checksum(read), checks[pageNumber(place, file)])
      return read
    })
    // What failed is read again by the next one who asks.
    if (page instanceof Promise) page.catch(() => pages.delete(place))
    return page
  }
  const pageAt = (file: number, place: number): Awaitable<Uint8Array> => {
    const page = pages.get(place) ?? load(file, place)
    pages.delete(place)
    pages.set(place, page)
    if (pages.size * pageBytes > bytesMax) {
      const [oldest = place] = pages.keys()
      pages.delete(oldest)
    }
    return page
  }
  return (offset, length) => {
    const file = lastAtOrBefore(starts, offset)
    const skipped = (offset - (starts[file] ?? 0)) % pageBytes
    const end = skipped + length
    const parts: Awaitable<Uint8Array>[] = []
    for (let at = 0; at < end; at += pageBytes) parts.push(pageAt(file, offset - skipped + at))
    // Most lists lie in one page, and many are read for one answer.
    const [page] = parts
    if (end <= pageBytes && page instanceof Uint8Array) return page.subarray(skipped, end)
    return whenAllReady(parts, (bytes) => joinBytes(bytes).subarray(skipped, end))
  }
}
