// The function's files cut into parts, for hosts that hand out whole files of a bounded size and no ranges.
// Knows no host: a part is fetched by its name.
import type { Storage } from '../runtime/storage.ts'
import { openedOnce } from './opened-once.ts'

/** The table of the files that were cut, itself a file. */
export const partTableName = 'files.json'

/** What was cut, and how. */
export interface PartTable {
  /** Of every part but a file's last. */
  readonly partBytes: number
  /** Bytes of each file, by its name. */
  readonly files: Readonly<Record<string, number>>
}

/** The name of a part of a file, counted from 0. */
export function partName(name: string, part: number): string {
  return `${name}.${part}`
}

/** How many parts a file has; an empty one has one. */
export function partCount(bytes: number, partBytes: number): number {
  return Math.max(1, Math.ceil(bytes / partBytes))
}

/**
 * A storage over parts.
 *
 * @param fetchPart gives a file's whole bytes; throws when there is none
 * @param keptBytes parts that are kept, so that neighbours in a part cost one fetch
 */
export function createPartedStorage(
  fetchPart: (name: string) => Promise<Uint8Array>,
  keptBytes: number = 8 * 1024 * 1024,
): Storage {
  // What failed once is tried again.
  const readTable = openedOnce(
    async () => JSON.parse(new TextDecoder().decode(await fetchPart(partTableName))) as PartTable,
  )
  const kept = new KeptParts(fetchPart, keptBytes)
  const readRange = async (name: string, offset: number, length: number) => {
    const { partBytes, files } = await readTable()
    const size = files[name]
    if (size === undefined) throw new Error(`There is no file ${name}.`)
    const end = offset + length
    if (end > size) throw new RangeError(`${name} ends before byte ${end}`)
    if (length === 0) return new Uint8Array(0)
    const first = Math.floor(offset / partBytes)
    const last = Math.ceil(end / partBytes) - 1
    const numbers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
    const parts = await Promise.all(
      numbers.map((number) => kept.read(partName(name, number), numbers.length === 1)),
    )
    return joinRange(parts, offset - first * partBytes, length)
  }
  return {
    readRange,
    read: async (name) => {
      const { files } = await readTable()
      return readRange(name, 0, files[name] ?? 0)
    },
  }
}

/** Parts that were fetched lately; the least recently used leave first. */
class KeptParts {
  readonly #parts = new Map<string, Uint8Array>()
  readonly #fetchPart: (name: string) => Promise<Uint8Array>
  readonly #bytesMax: number
  #bytes = 0

  constructor(fetchPart: (name: string) => Promise<Uint8Array>, bytesMax: number) {
    this.#fetchPart = fetchPart
    this.#bytesMax = bytesMax
  }

  async read(name: string, isKept: boolean): Promise<Uint8Array> {
    const known = this.#parts.get(name)
    if (known !== undefined) {
      this.#parts.delete(name)
      this.#parts.set(name, known)
      return known
    }
    const part = await this.#fetchPart(name)
    if (isKept) this.#keep(name, part)
    return part
  }

  #keep(name: string, part: Uint8Array): void {
    if (part.length > this.#bytesMax / 2 || this.#parts.has(name)) return
    this.#parts.set(name, part)
    this.#bytes += part.length
    for (const [oldest, { length }] of this.#parts) {
      if (this.#bytes <= this.#bytesMax) break
      this.#parts.delete(oldest)
      this.#bytes -= length
    }
  }
}

/** A view where one part is enough. */
function joinRange(parts: readonly Uint8Array[], offset: number, length: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only.subarray(offset, offset + length)
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined.subarray(offset, offset + length)
}
