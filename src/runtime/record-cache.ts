// Records read from storage, the latest ones kept within a bound.
// Knows nothing of what the records hold.
import { whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { RecentValues } from './recent-values.ts'
import type { Storage } from './storage.ts'

/** Bytes that are kept where nothing else is said. */
export const recordCacheBytesDefault: number = 16 * 1024 * 1024

/** Reads records; those that nobody asks for leave first. */
export class RecordCache {
  readonly #storage: Storage
  readonly #records: RecentValues<Uint8Array>

  constructor(storage: Storage, bytesMax: number = recordCacheBytesDefault) {
    this.#storage = storage
    this.#records = new RecentValues(bytesMax)
  }

  /** A record, from the cache or from storage; not to be written to. */
  read(block: string, offset: number, length: number): Awaitable<Uint8Array> {
    const key = `${block}:${offset}`
    return (
      this.#records.get(key) ??
      whenReady(this.#storage.readRange(block, offset, length), (record) => {
        this.#records.set(key, record, length)
        return record
      })
    )
  }
}
