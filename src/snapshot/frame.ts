// Frames: files of many byte sequences, each of which is read and verified separately.
//
//   head                                          sections
//   ┌─────────────┬──────────────┬──────────────┬───┬───┬───
//   │ group 0     │ group 1      │ group 2 …    │ 0 │ 1 │ …
//   └─────────────┴──────────────┴──────────────┴───┴───┴───
//   a group: eight rows   a row: length (u32, little-endian), first 16 bytes of the SHA-256
//
// The last rows are those of the sections. If they do not fit into a group, there are levels of rows above them: row n
// has the length of all sections below it and the digest of group n + 1. A frame is named by the hash of group 0. So
// reading a section takes one group of each level, whatever the number of sections.
import { digestBytes, sha256 } from '../api/bytes.ts'
import type { Sum } from '../api/snapshot.ts'
import { ChangedError, contentHash, fastSha256, RecentValues, type Storage } from './storage.ts'

/** Folder of all files but the root, below the function's folder. */
const dataFolder = 'data'

/** A frame that an index names. */
export interface Frame {
  /** File name, relative to the function's folder. */
  readonly name: string
  /** Number of sections. */
  readonly count: number
}

/** Returns the file name for a hash: `data/part-HASH.bin`. */
export function dataName(kind: string, hash: string, extension = 'bin'): string {
  return `${dataFolder}/${kind}-${hash}.${extension}`
}

/** Reports whether `dataName` can return a name. */
export function isDataName(name: string): boolean {
  return /^data\/[a-z]+-[0-9a-f]{32}\.(?:bin|json)$/.test(name)
}

/** Size of a row of a head. */
const rowBytes: number = 4 + digestBytes

/** Size of a group of rows. */
export const groupBytes: number = 8 * rowBytes

/** Returns the number of rows above the rows of sections. Rows at the end of a level may have nothing below them. */
function rowsAbove(count: number): number {
  let rows = 0
  for (let level = 8; level < count; level *= 8) rows += level
  return rows
}

/** Encodes the head of a frame. */
export function frameHead(sums: readonly Sum[]): Uint8Array {
  const above = rowsAbove(sums.length)
  const head = new Uint8Array((above + sums.length) * rowBytes)
  const view = new DataView(head.buffer)
  const write = (row: number, { size, digest }: Sum) => {
    view.setUint32(row * rowBytes, size, true)
    head.set(digest, row * rowBytes + 4)
  }
  for (const [number, sum] of sums.entries()) write(above + number, sum)
  for (let row = above - 1; row >= 0; row--) {
    const group = head.subarray((row + 1) * groupBytes, (row + 2) * groupBytes)
    let size = 0
    for (let at = 0; at < group.length; at += rowBytes)
      size += view.getUint32(group.byteOffset + at, true)
    write(row, { size, digest: sha256(group).subarray(0, digestBytes) })
  }
  return head
}

/** A range of a file. */
interface Range {
  readonly start: number
  readonly size: number
}

/** A row of a head, with the offset of its section, or of the first section below it. */
type Row = Sum & Range

/** Bytes, and their SHA-256. */
type HashedBytes = readonly [bytes: Uint8Array, sha256: Uint8Array]

/** Default size of the cache of a site's data, in bytes. */
export const cacheBytesDefault: number = 32 * 1024 * 1024

/** Reads data files, verifies all bytes, and caches recently used rows and values made from sections. */
export class DataFiles {
  readonly #storage: Storage
  /** All kinds of values share one bound. */
  readonly #cache: RecentValues<unknown>

  constructor(storage: Storage, cacheBytes: number = cacheBytesDefault) {
    this.#storage = storage
    this.#cache = new RecentValues(cacheBytes)
  }

  /** Reads a whole file that is named by the hash of its bytes. @throws if it does not exist or is damaged */
  file(name: string): Promise<Uint8Array> {
    return this.#twice(name, async () => {
      const bytes = await this.#storage.read(name)
      if (!isNamed(name, await fastSha256(bytes))) throw new ChangedError(name)
      return bytes
    })
  }

  /** Returns lengths and digests of sections. @throws if the frame does not exist or is damaged */
  sums(frame: Frame, numbers: readonly number[]): Promise<readonly Row[]> {
    return this.#twice(frame.name, () => this.#rows(frame, numbers))
  }

  /**
   * Returns values that `make` makes from sections. They are cached by frame.
   *
   * @param gap number of unneeded bytes to read rather than request another range. @default that of the storage
   * @throws when the frame does not exist, or is damaged
   */
  async sections<T>(
    frame: Frame,
    numbers: readonly number[],
    make: (bytes: Uint8Array) => T,
    gap?: number,
  ): Promise<readonly T[]> {
    const key = `${frame.name} sections`
    const known = (this.#cache.get(key) ?? { made: [], bytes: 0 }) as { made: T[]; bytes: number }
    const { made } = known
    const missing = [...new Set(numbers.filter((number) => made[number] === undefined))]
    if (missing.length > 0) {
      missing.sort((a, b) => a - b)
      const read = await this.#twice(frame.name, () => this.#sections(frame, missing, gap))
      for (const [at, bytes] of read.entries()) {
        made[missing[at] ?? 0] = make(bytes)
        known.bytes += bytes.length + entryBytes
      }
      this.#cache.set(key, known, known.bytes)
    }
    return numbers.map((number) => made[number] as T)
  }

  async #sections(frame: Frame, numbers: readonly number[], gap?: number) {
    const rows = await this.#rows(frame, numbers)
    const read = await this.#ranges(frame.name, rows, gap)
    return read.map(([bytes, digest], at) => {
      if (!isEqual(digest, rows[at]?.digest)) throw new ChangedError(frame.name)
      return bytes
    })
  }

  /** Reads the groups of rows, and the groups above that verify them. */
  async #rows({ name, count }: Frame, numbers: readonly number[]): Promise<readonly Row[]> {
    const known = (this.#cache.get(name) ?? []) as Row[]
    const above = rowsAbove(count)
    const end = (above + count) * rowBytes
    const missing = new Set<number>()
    for (const number of numbers) {
      let group = (above + number) >> 3
      for (; group >= 0 && known[8 * group] === undefined; group = (group - 1) >> 3)
        missing.add(group)
    }
    // Groups that verify others come first.
    const groups = [...missing].sort((a, b) => a - b)
    const places = groups.map((group) => {
      const start = group * groupBytes
      return { start, size: Math.min(groupBytes, end - start) }
    })
    const read = await this.#ranges(name, places)
    for (const [at, [bytes, digest]] of read.entries()) {
      const group = groups[at] ?? 0
      const row = known[group - 1]
      if (group === 0 ? !isNamed(name, digest) : !isEqual(digest, row?.digest))
        throw new ChangedError(name)
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      let start = row?.start ?? end
      for (let from = 0, to = 8 * group; from < bytes.length; from += rowBytes, to++) {
        const size = view.getUint32(from, true)
        known[to] = { start, size, digest: bytes.subarray(from + 4, from + rowBytes) }
        start += size
      }
    }
    // The weight is that of all rows, because more are read later.
    this.#cache.set(name, known, end * 10)
    return numbers.map((number) => known[above + number] as Row)
  }

  /** Reads ranges of a file. Ranges with a small gap between them are read together. @param places ascending */
  async #ranges(
    name: string,
    places: readonly Range[],
    gap = this.#storage.gap ?? 256,
  ): Promise<readonly HashedBytes[]> {
    const read: Promise<readonly HashedBytes[]>[] = []
    for (let at = 0; at < places.length; ) {
      const first = at
      const from = places[at]?.start ?? 0
      let to = from
      for (let next = places[at]; next && next.start - to <= gap; next = places[++at])
        to = next.start + next.size
      read.push(this.#range(name, from, to, places.slice(first, at)))
    }
    return (await Promise.all(read)).flat()
  }

  async #range(name: string, from: number, to: number, places: readonly Range[]) {
    const bytes = from === to ? new Uint8Array(0) : await this.#storage.read(name, from, to)
    if (bytes.length !== to - from) throw new ChangedError(name)
    const hashed = places.map(async ({ start, size }): Promise<HashedBytes> => {
      // Copies the bytes, because a view would keep the whole range in memory.
      const copy = bytes.slice(start - from, start - from + size)
      return [copy, await fastSha256(copy)]
    })
    return Promise.all(hashed)
  }

  /** Reads again without caches if bytes are damaged. */
  async #twice<T>(name: string, read: () => Promise<T>): Promise<T> {
    const { skipCaches } = this.#storage
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof ChangedError) || skipCaches === undefined) throw error
      skipCaches(name)
      return read()
    }
  }
}

/** Reports whether a SHA-256 begins with a digest. */
function isEqual(sha256: Uint8Array, digest: Uint8Array | undefined): boolean {
  for (let at = 0; at < digestBytes; at++) if (sha256[at] !== digest?.[at]) return false
  return true
}

/** Reports whether a name contains a SHA-256, which is that of all bytes or of the first rows. */
function isNamed(name: string, sha256: Uint8Array): boolean {
  return name.includes(`-${contentHash(sha256)}.`)
}

/** Approximate size of an entry of the cache without its bytes. */
const entryBytes = 100
