// The function's files cut into parts, for hosts that hand out whole files of a bounded size and no ranges.
// Knows no host: a part is fetched by its name.
import { utf8 } from '../api/bytes.ts'
import { check, checksum } from '../query/checksum.ts'
import { openedOnce } from '../runtime/opened-once.ts'
import { RecentValues } from '../runtime/recent-values.ts'
import type { Storage } from '../runtime/storage.ts'

/** The table of the files that were cut, itself a file. */
export const partTableName = 'files.json'

/** The files that were cut, and how. */
export interface PartTable {
  /** The size of every part but a file's last. */
  readonly partBytes: number
  /** Bytes of each file, by its name. */
  readonly files: Readonly<Record<string, number>>
}

/** The file of a table: its sizes bound what is read into memory, so that it has a checksum. */
interface PartTableFile {
  /** The checksum of the table as JSON without spaces. */
  readonly checksum: number
  readonly table: PartTable
}

/** The table as it is written. */
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

/** @throws Error when the bytes are not those of `partTable` */
function readPartTable(bytes: Uint8Array): PartTable {
  const file = JSON.parse(new TextDecoder().decode(bytes)) as PartTableFile
  check(checksum(utf8(JSON.stringify(file.table ?? null))), file.checksum, partTableName)
  return file.table
}

/** The name of a part of a file, counted from 0. */
export function partName(name: string, part: number): string {
  return `${name}.${part}`
}

/** How many parts a file has; an empty one has one. */
export function partCount(bytes: number, partBytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/** Bytes of parts that are kept where nothing else is said. */
export const cachedPartBytesDefault: number = 8 * 1024 * 1024

/**
 * A storage over parts. Neighbours in a part cost one fetch, asked for one after the other or all at once.
 *
 * @param fetchPart gives a file's whole bytes; throws when there is none
 * @param keptBytes parts that are kept
 */
export function createPartedStorage(
  fetchPart: (name: string) => Promise<Uint8Array>,
  cachedBytes: number = cachedPartBytesDefault,
): Storage {
  // A read that failed once is tried again.
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
    // The caller keeps a file that is read as a whole.
    const isKept = length < partBytes
    const range = new Uint8Array(length)
    await Promise.all(
      Array.from({ length: last - first + 1 }, async (_, index) => {
        const start = (first + index) * partBytes
        const part = await parts.read(partName(name, first + index), isKept)
        const from = Math.max(0, offset - start)
        // A copy: a view would keep all of the part in memory for as long as it is kept itself.
        range.set(part.subarray(from, end - start), start + from - offset)
      }),
    )
    return range
  }
  return {
    readRange,
    read: async (name) => {
      const { files } = await readTable()
      return readRange(name, 0, files[name] ?? 0)
    },
  }
}

/** Recently fetched parts; the least recently used leave first. */
class Parts {
  readonly #kept: RecentValues<Uint8Array>
  /** Fetches of those who ask at this very moment. */
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
   * Shared by those who ask in one go, as one response does for all its records, and never later: a request
   * that is cut off may take its fetches with it, and must leave no other one waiting.
   */
  #fetch(name: string): Promise<Uint8Array> {
    if (this.#fetches.size === 0) queueMicrotask(() => this.#fetches.clear())
    const fetched = this.#fetchPart(name)
    this.#fetches.set(name, fetched)
    return fetched
  }
}
