// Frames: files of many byte sequences, each of which is read and verified alone.
//
//   head       sections
//   ┌────────┬─────────┬─────────┬─────────┬───
//   │ rows   │ 0       │ 1       │ 2       │ …
//   └────────┴─────────┴─────────┴─────────┴───
//   a row: length (u32, little-endian), first 16 bytes of the SHA-256
//
// A frame is named by the hash of its head, which has the hashes of all sections.

import { digestBytes, joinBytes } from '../api/bytes.ts'
import { type Awaitable, whenAllReady, whenReady } from '../api/snapshot.ts'
import { RecentValues } from './recent-values.ts'
import { changed, contentHash, type Storage, sha256In } from './storage.ts'

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

/** Encodes a frame. @param head of its sections */
export function frameBytes(head: Uint8Array, sections: readonly Uint8Array[]): Uint8Array {
  return joinBytes([head, ...sections])
}

/** The number of sections of a head. */
export function sectionCount(head: Uint8Array): number {
  return head.length / rowBytes
}

const rowBytes = 4 + digestBytes

/** The head of a frame. */
export class FrameHead {
  readonly #bytes: Uint8Array
  /** Offset of each section in the file, and the end of the last one. */
  readonly #starts: Float64Array

  constructor(bytes: Uint8Array) {
    const count = sectionCount(bytes)
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    this.#bytes = bytes
    this.#starts = new Float64Array(count + 1)
    this.#starts[0] = bytes.length
    for (let number = 0; number < count; number++) {
      this.#starts[number + 1] = this.start(number) + view.getUint32(number * rowBytes, true)
    }
  }

  /** The offset of a section in the file; of the end, for the number after the last one. */
  start(number: number): number {
    return this.#starts[number] ?? Number.NaN
  }

  size(number: number): number {
    return this.start(number + 1) - this.start(number)
  }

  /** The first 16 bytes of a section's SHA-256. */
  digest(number: number): Uint8Array {
    return this.#bytes.subarray(number * rowBytes + 4, (number + 1) * rowBytes)
  }
}

/** Default size of the cache of a site's data, in bytes. */
export const cacheBytesDefault: number = 32 * 1024 * 1024

/** Reads data files, verifies all bytes, and caches recent ones: heads, sections, and values made of them. */
export class DataFiles {
  readonly #storage: Storage
  /** One bound for all kinds of values. */
  readonly cache: RecentValues<unknown>
  readonly #heads = new Map<string, Awaitable<FrameHead>>()
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
  head({ name, count }: Frame): Awaitable<FrameHead> {
    const known = this.cache.get(name) ?? this.#heads.get(name)
    if (known !== undefined) return known as Awaitable<FrameHead>
    const bytes = this.#storage.read(name, 0, count * rowBytes)
    const head = whenReady(bytes, (read) =>
      whenReady(this.#named(name, read), () => {
        const decoded = new FrameHead(read)
        this.cache.set(name, decoded, read.length * 2)
        return decoded
      }),
    )
    this.#share(this.#heads, name, head)
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
      const read = runsOf(numbers).map((run) => this.#readRun(frame, head, run))
      return whenAllReady(read, (runs) => runs.flat())
    })
  }

  #batch(frame: Frame): Batch {
    const numbers = new Set<number>()
    const read = Promise.resolve().then(async () => {
      this.#batches.delete(frame.name)
      const sorted = [...numbers].sort((a, b) => a - b)
      const sections = await this.sections(frame, sorted)
      for (const [at, bytes] of sections.entries()) {
        this.cache.set(sectionKey(frame, sorted[at] ?? 0), bytes, bytes.length + entryBytes)
      }
      return new Map(sections.map((bytes, at) => [sorted[at] ?? 0, bytes]))
    })
    const batch = { numbers, read }
    this.#batches.set(frame.name, batch)
    return batch
  }

  /** Reads adjacent sections at once. */
  #readRun(
    { name }: Frame,
    head: FrameHead,
    { first, end }: Run,
  ): Awaitable<readonly Uint8Array[]> {
    const [from, to] = [head.start(first), head.start(end)]
    const read = from === to ? new Uint8Array(0) : this.#storage.read(name, from, to)
    return whenReady(read, (bytes) => {
      if (bytes.length !== to - from) throw changed(name)
      const sections: Awaitable<Uint8Array>[] = []
      for (let number = first; number < end; number++) {
        // A copy: a view would keep the whole range in memory as long as its part.
        const part = bytes.subarray(head.start(number) - from, head.start(number + 1) - from)
        const own = end - first === 1 ? part : new Uint8Array(part)
        sections.push(this.#verified(name, own, head.digest(number)))
      }
      return whenAllReady(sections, (verified) => verified)
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

  /**
   * Shares a read with the callers of this microtask. Not longer: a host may stop the request that reads, and others
   * would wait for ever.
   */
  #share<T>(shared: Map<string, Awaitable<T>>, key: string, read: Awaitable<T>): void {
    if (!(read instanceof Promise)) return
    shared.set(key, read)
    queueMicrotask(() => shared.delete(key))
  }
}

/** Sections of one frame that are read together. */
interface Batch {
  readonly numbers: Set<number>
  readonly read: Promise<ReadonlyMap<number, Uint8Array>>
}

/** Adjacent sections, `end` exclusive. */
interface Run {
  readonly first: number
  readonly end: number
}

/** @param numbers ascending */
function runsOf(numbers: readonly number[]): readonly Run[] {
  const runs: { first: number; end: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.end === number) last.end += 1
    else runs.push({ first: number, end: number + 1 })
  }
  return runs
}

/** Approximate size of an entry of the cache without its bytes. */
const entryBytes = 100

function sectionKey({ name }: Frame, number: number): string {
  return `${name} ${number}`
}
