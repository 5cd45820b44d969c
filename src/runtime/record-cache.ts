// Records read from storage and compared with their checksums, the latest ones kept within a bound.
import { whenReady } from '../api/awaitable.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { check, checksum } from '../query/checksum.ts'
import type { PartPlace } from '../query/record-table.ts'
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

  /**
   * A record, from the cache or from storage; not to be written to.
   *
   * @param block name of the file
   * @throws Error when the record is not the one that was built
   *
   * Cost: one checksum of a record that comes from storage, none of one that is kept.
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
