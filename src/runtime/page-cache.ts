// One run of bytes that is cut into files, read by pages, the latest ones kept within a bound.
// Knows nothing of what the bytes are.
import { joinBytes } from '../api/answer.ts'
import { whenAllReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
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

/** Reads parts of the run; the least recently used pages leave first. */
export class PageCache {
  readonly #storage: Storage
  readonly #files: CutFiles
  readonly #pagesMax: number
  /** By where they begin in the run. */
  readonly #pages = new Map<number, Awaitable<Uint8Array>>()

  /** @param bytesMax that are kept; a page at least is */
  constructor(storage: Storage, files: CutFiles, bytesMax: number) {
    this.#storage = storage
    this.#files = files
    this.#pagesMax = Math.max(1, Math.floor(bytesMax / pageBytes))
  }

  /**
   * A part of the run that lies in one file; not to be written to.
   *
   * @throws RangeError when the run ends before
   */
  read(offset: number, length: number): Awaitable<Uint8Array> {
    const file = lastAtOrBefore(this.#files.starts, offset)
    const start = this.#files.starts[file] ?? 0
    const skipped = (offset - start) % pageBytes
    const pages: Awaitable<Uint8Array>[] = []
    for (let page = offset - skipped; page < offset + length; page += pageBytes) {
      pages.push(this.#page(file, page))
    }
    return whenAllReady(pages, (bytes) => joined(bytes).subarray(skipped, skipped + length))
  }

  #page(file: number, page: number): Awaitable<Uint8Array> {
    const kept = this.#pages.get(page)
    // The last one in a Map is the one used last.
    if (kept !== undefined) this.#pages.delete(page)
    const bytes = kept ?? this.#load(file, page)
    this.#pages.set(page, bytes)
    if (this.#pages.size > this.#pagesMax) {
      const [oldest = page] = this.#pages.keys()
      this.#pages.delete(oldest)
    }
    return bytes
  }

  #load(file: number, page: number): Awaitable<Uint8Array> {
    const [start = 0, end = 0] = this.#files.starts.slice(file, file + 2)
    const name = this.#files.names[file] ?? ''
    const expected = this.#files.checks[pageNumber(page, file)]
    const room = new Uint8Array(Math.min(pageBytes, end - page))
    const bytes = readChecked(this.#storage, name, page - start, room)
    const checked = (bytes: Uint8Array) => {
      check(bytes, expected)
      return bytes
    }
    if (!(bytes instanceof Promise)) return checked(bytes)
    // What failed is read again by the next one who asks.
    return bytes.then(checked).catch((error: unknown) => {
      this.#pages.delete(page)
      throw error
    })
  }
}

/** All parts, one behind the other, at an address that is a multiple of 8; without a copy where one lies so. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts
  const isAsItIs = parts.length === 1 && first !== undefined && first.byteOffset % 8 === 0
  return isAsItIs ? first : joinBytes(parts)
}
