// A storage of files cut into parts, for hosts that serve only whole files of bounded size and no ranges.
import { utf8 } from '../api/bytes.ts'
import { check, checksum } from '../runtime/checksum.ts'
import { openedOnce } from '../runtime/opened-once.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'

/** The file name of the part table. */
export const partTableName = 'files.json'

/** The files that were cut, and the size of their parts. */
export interface PartTable {
  /** The size of every part except the last one of a file. */
  readonly partBytes: number
  /** Size of each file in bytes, by name. */
  readonly files: Readonly<Record<string, number>>
}

/** The encoded table. It has a checksum, because its sizes bound how much is read into memory. */
interface PartTableFile {
  /** The checksum of the table as JSON without whitespace. */
  readonly checksum: number
  readonly table: PartTable
}

/** Encodes the table. */
export function partTable(
  partBytes: number,
  files: readonly { readonly name: string; readonly entry: { readonly bytes: number } }[],
): string {
  const table: PartTable = {
    partBytes,
    files: Object.fromEntries(files.map(({ name, entry }) => [name, entry.bytes])),
  }
  const file: PartTableFile = { checksum: checksum(utf8(JSON.stringify(table))), table }
  return JSON.stringify(file)
}

/** @throws Error when `bytes` is not a valid part table */
function readPartTable(bytes: Uint8Array): PartTable {
  const file = JSON.parse(new TextDecoder().decode(bytes)) as PartTableFile
  check(checksum(utf8(JSON.stringify(file.table ?? null))), file.checksum, partTableName)
  return file.table
}

/** The name of a part, counted from 0. */
export function partName(name: string, part: number): string {
  return `${name}.${part}`
}

/** The number of parts of a file; an empty file has one. */
export function partCount(bytes: number, partBytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/** Default size of the part cache, in bytes. */
export const cachedPartBytesDefault: number = 8 * 1024 * 1024

/**
 * Returns a storage that reads from parts. Adjacent ranges in one part cost one fetch, whether read in sequence or
 * concurrently.
 *
 * @param fetchPart returns a whole part; rejects when it does not exist
 * @param cachedBytes size of the part cache, in bytes
 */
export function createPartedStorage(
  fetchPart: (name: string) => Promise<Uint8Array>,
  cachedBytes: number = cachedPartBytesDefault,
): Storage {
  // A failed read is retried by the next call.
  const readTable = openedOnce(async () => readPartTable(await fetchPart(partTableName)))
  const parts = new Parts(fetchPart, cachedBytes)
  const readRange = async (name: string, offset: number, length: number) => {
    const { partBytes, files } = await readTable()
    const size = files[name]
    if (size === undefined) throw new Error(`There is no file ${name}.`)
    const end = offset + length
    if (end > size) throw new RangeError(`${name} ends before byte ${end}`)
    if (length === 0) return new Uint8Array(0)
    const first = Math.floor(offset / partBytes)
    const last = Math.ceil(end / partBytes) - 1
    // The caller caches files that it reads as a whole.
    const isKept = length < partBytes
    const range = new Uint8Array(length)
    await Promise.all(
      Array.from({ length: last - first + 1 }, async (_, index) => {
        const start = (first + index) * partBytes
        const part = await parts.read(partName(name, first + index), isKept)
        const from = Math.max(0, offset - start)
        // Copies: a view would keep the whole part in memory as long as the caller keeps the range.
        range.set(part.subarray(from, end - start), start + from - offset)
      }),
    )
    return range
  }
  return {
    read: async (name, from = 0, to) => {
      const { files } = await readTable()
      return readRange(name, from, (to ?? files[name] ?? 0) - from)
    },
  }
}

/** Caches parts, evicting the least recently used. */
class Parts {
  readonly #kept: RecentValues<Uint8Array>
  /** Fetches shared by concurrent reads. */
  readonly #fetches = new Map<string, Promise<Uint8Array>>()
  readonly #fetchPart: (name: string) => Promise<Uint8Array>

  constructor(fetchPart: (name: string) => Promise<Uint8Array>, bytesMax: number) {
    this.#fetchPart = fetchPart
    this.#kept = new RecentValues(bytesMax)
  }

  async read(name: string, isKept: boolean): Promise<Uint8Array> {
    const known = this.#kept.get(name)
    if (known !== undefined) return known
    const part = await (this.#fetches.get(name) ?? this.#fetch(name))
    if (isKept) this.#kept.set(name, part, part.length)
    return part
  }

  /**
   * Shared only by reads of the same microtask, such as all records of a response. A cancelled request may abort its
   * fetches and must not affect other requests.
   */
  #fetch(name: string): Promise<Uint8Array> {
    if (this.#fetches.size === 0) queueMicrotask(() => this.#fetches.clear())
    const fetched = this.#fetchPart(name)
    this.#fetches.set(name, fetched)
    return fetched
  }
}
