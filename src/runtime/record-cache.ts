// Records read from storage, the latest ones kept within a bound.
// Knows nothing of what the records hold.
import type { Awaitable } from '../api/snapshot.ts'
import type { Storage } from './storage.ts'

/** Bytes that are kept where nothing else is said. */
export const recordCacheBytesDefault: number = 16 * 1024 * 1024

/** Reads records; the least recently used leave first. */
export class RecordCache {
  readonly #storage: Storage
  readonly #bytesMax: number
  readonly #records = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(storage: Storage, bytesMax: number = recordCacheBytesDefault) {
    this.#storage = storage
    this.#bytesMax = bytesMax
  }

  /** A record, from the cache or from storage; not to be written to. */
  read(block: string, offset: number, length: number): Awaitable<Uint8Array> {
    const key = `${block}:${offset}`
    const kept = this.#records.get(key)
    if (kept !== undefined) {
      // The last one in a Map is the one used last.
      this.#records.delete(key)
      this.#records.set(key, kept)
      return kept
    }
    const read = this.#storage.readRange(block, offset, length)
    if (!(read instanceof Promise)) return this.#keep(key, read)
    return read.then((bytes) => this.#keep(key, bytes))
  }

  #keep(key: string, record: Uint8Array): Uint8Array {
    if (record.length > this.#bytesMax / 8 || this.#records.has(key)) return record
    this.#records.set(key, record)
    this.#bytes += record.length
    for (const [oldest, { length }] of this.#records) {
      if (this.#bytes <= this.#bytesMax) break
      this.#records.delete(oldest)
      this.#bytes -= length
    }
    return record
  }
}
