// Reads records from storage, verifies their checksums, and caches recent ones.
import { whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { check, checksum } from '../query/checksum.ts'
import type { PartPlace } from '../query/record-table.ts'
import { RecentValues } from './recent-values.ts'
import type { Storage } from './storage.ts'

/** Default size of the cache, in bytes. */
export const recordCacheBytesDefault: number = 16 * 1024 * 1024

/** Reads records through a cache with LRU eviction. */
export class RecordCache {
  readonly #storage: Storage
  readonly #records: RecentValues<Uint8Array>

  constructor(storage: Storage, bytesMax: number = recordCacheBytesDefault) {
    this.#storage = storage
    this.#records = new RecentValues(bytesMax)
  }

  /**
   * Returns a record from the cache or from storage; read-only.
   *
   * @param block file name of the block
   * @throws Error when the record differs from the one that was built
   *
   * Cost: one checksum per record from storage, none for a cached one.
   */
  read(
    block: string,
    {
      recordOffset,
      recordSize,
      recordCheck,
    }: Pick<PartPlace, 'recordOffset' | 'recordSize' | 'recordCheck'>,
  ): Awaitable<Uint8Array> {
    const key = `${block}:${recordOffset}`
    return (
      this.#records.get(key) ??
      whenReady(this.#storage.readRange(block, recordOffset, recordSize), (record) => {
        check(checksum(record), recordCheck, block)
        this.#records.set(key, record, recordSize)
        return record
      })
    )
  }
}
