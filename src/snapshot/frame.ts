// Frames: files of many byte sequences, each of which is read and verified alone.
//
//   head       sections
//   ┌────────┬─────────┬─────────┬─────────┬───
//   │ rows   │ 0       │ 1       │ 2       │ …
//   └────────┴─────────┴─────────┴─────────┴───
//   a row: length (u32, little-endian), first 16 bytes of the SHA-256
//
// A frame is named by the hash of its head, which has the hashes of all sections.
import { digestBytes } from '../api/bytes.ts'
import { type Awaitable, whenAllReady, whenReady } from '../api/snapshot.ts'
import { changed, contentHash, RecentValues, type Storage, sha256In } from './storage.ts'

/** Folder of all files but the root, below the function's folder. */
const dataFolder = 'data'

/** A frame, as an index names it. */
export interface Frame {
  /** File name, relative to the function's folder. */
  readonly name: string
  /** Number of sections. */
  readonly count: number
}

/** Length and digest of a section. */
export interface SectionSum {
  readonly size: number
  /** First 16 bytes of the SHA-256. */
  readonly digest: Uint8Array
}

/** Returns the file name for a hash: `data/part-HASH.bin`. */
export function dataName(kind: string, hash: string, extension = 'bin'): string {
  return `${dataFolder}/${kind}-${hash}.${extension}`
}

/** True for names as `dataName` makes them. */
export function isDataName(name: string): boolean {
  return /^data\/[a-z]+-[0-9a-f]{32}\.(?:bin|json)$/.test(name)
}

/** Encodes the head of a frame. */
export function frameHead(sums: readonly SectionSum[]): Uint8Array {
  const head = new Uint8Array(sums.length * rowBytes)
  const view = new DataView(head.buffer)
  for (const [number, { size, digest }] of sums.entries()) {
    view.setUint32(number * rowBytes, size, true)
    head.set(digest, number * rowBytes + 4)
  }
  return head
}

/** Size of a row of a head. */
export const rowBytes: number = 4 + digestBytes

/** A section, as the head of its frame has it. */
export interface Section {
  /** Offset in the file. */
  readonly start: number
  readonly end: number
  /** First 16 bytes of the SHA-256. */
  readonly digest: Uint8Array
}

/** Decodes the head of a frame. */
function decodeHead(head: Uint8Array): readonly Section[] {
  const view = new DataView(head.buffer, head.byteOffset)
  const sections: Section[] = []
  for (let row = 0, start = head.length; row < head.length; row += rowBytes) {
    const end = start + view.getUint32(row, true)
    sections.push({ start, end, digest: head.subarray(row + 4, row + rowBytes) })
    start = end
  }
  return sections
}

/** Default size of the cache of a site's data, in bytes. */
export const cacheBytesDefault: number = 32 * 1024 * 1024

/** Reads data files, verifies all bytes, and caches recent ones: heads, sections, and values made of them. */
export class DataFiles {
  readonly #storage: Storage
  /** One bound for all kinds of values. */
  readonly cache: RecentValues<unknown>
  readonly #heads = new Map<string, Awaitable<readonly Section[]>>()
  readonly #batches = new Map<string, Batch>()

  constructor(storage: Storage, cacheBytes: number = cacheBytesDefault) {
    this.#storage = storage
    this.cache = new RecentValues(cacheBytes)
  }

  /**
   * Reads a whole file that is named by the hash of its bytes.
   *
   * @throws when it does not exist, or is damaged
   */
  file(name: string): Awaitable<Uint8Array> {
    return whenReady(this.#storage.read(name), (bytes) => this.#named(name, bytes))
  }

  /** Reads the head of a frame. @throws when it does not exist, or is damaged */
  head({ name, count }: Frame): Awaitable<readonly Section[]> {
    const known = this.cache.get(name) ?? this.#heads.get(name)
    if (known !== undefined) return known as Awaitable<readonly Section[]>
    const head = whenReady(this.#storage.read(name, 0, count * rowBytes), (bytes) =>
      whenReady(this.#named(name, bytes), () => {
        const decoded = decodeHead(bytes)
        this.cache.set(name, decoded, bytes.length * 10)
        return decoded
      }),
    )
    // Shared with the callers of this microtask alone: a host may stop the request that reads, and others would wait
    // for ever.
    if (head instanceof Promise) {
      this.#heads.set(name, head)
      queueMicrotask(() => this.#heads.delete(name))
    }
    return head
  }

  /**
   * Reads a section of a frame. Sections that are asked for in the same turn are read together, adjacent ones at once.
   *
   * @throws when it does not exist, or is damaged
   */
  section(frame: Frame, number: number): Awaitable<Uint8Array> {
    const known = this.cache.get(sectionKey(frame, number))
    if (known !== undefined) return known as Uint8Array
    return whenReady(this.head(frame), async () => {
      const batch = this.#batches.get(frame.name) ?? this.#batch(frame)
      batch.numbers.add(number)
      const bytes = (await batch.read).get(number)
      if (bytes === undefined) throw new RangeError(`${frame.name} has no section ${number}`)
      return bytes
    })
  }

  /** Reads sections without caching them, adjacent ones at once. @param numbers ascending */
  sections(frame: Frame, numbers: readonly number[]): Awaitable<readonly Uint8Array[]> {
    return whenReady(this.head(frame), (head) => {
      const read: Awaitable<readonly Uint8Array[]>[] = []
      for (let at = 0; at < numbers.length; ) {
        const first = numbers[at] ?? 0
        let end = first
        while (numbers[at] === end) [at, end] = [at + 1, end + 1]
        read.push(this.#adjacent(frame.name, head.slice(first, end)))
      }
      return whenAllReady(read, (runs) => runs.flat())
    })
  }

  /** Reads sections that will be cached. */
  #batch(frame: Frame): Batch {
    const numbers = new Set<number>()
    const read = Promise.resolve().then(async () => {
      this.#batches.delete(frame.name)
      const sorted = [...numbers].sort((a, b) => a - b)
      const sections = await this.sections(frame, sorted)
      return new Map(
        sections.map((bytes, at) => {
          const number = sorted[at] ?? 0
          this.cache.set(sectionKey(frame, number), bytes, bytes.length + entryBytes)
          return [number, bytes]
        }),
      )
    })
    const batch = { numbers, read }
    this.#batches.set(frame.name, batch)
    return batch
  }

  /** Reads adjacent sections at once. */
  #adjacent(name: string, sections: readonly Section[]): Awaitable<readonly Uint8Array[]> {
    const [from = 0, to = 0] = [sections[0]?.start, sections.at(-1)?.end]
    const read = from === to ? new Uint8Array(0) : this.#storage.read(name, from, to)
    return whenReady(read, (bytes) => {
      if (bytes.length !== to - from) throw changed(name)
      const verified = sections.map(({ start, end, digest }) =>
        // A copy: a view would keep the whole range in memory as long as its part.
        this.#verified(name, bytes.slice(start - from, end - from), digest),
      )
      return whenAllReady(verified, (all) => all)
    })
  }

  #verified(name: string, bytes: Uint8Array, expected: Uint8Array): Awaitable<Uint8Array> {
    return whenReady(sha256In(this.#storage, bytes), (digest) => {
      for (let at = 0; at < digestBytes; at++) {
        if (digest[at] !== expected[at]) throw changed(name)
      }
      return bytes
    })
  }

  /** Verifies bytes against the hash in a name. */
  #named(name: string, bytes: Uint8Array): Awaitable<Uint8Array> {
    return whenReady(sha256In(this.#storage, bytes), (digest) => {
      if (!name.includes(`-${contentHash(digest)}.`)) throw changed(name)
      return bytes
    })
  }
}

/** Sections of one frame that are read together. */
interface Batch {
  readonly numbers: Set<number>
  readonly read: Promise<ReadonlyMap<number, Uint8Array>>
}

/** Approximate size of an entry of the cache without its bytes. */
const entryBytes = 100

function sectionKey({ name }: Frame, number: number): string {
  return `${name} ${number}`
}
