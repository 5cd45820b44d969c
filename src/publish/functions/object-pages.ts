// Reads objects of a bucket in pages, and caches recent pages. Objects never change.

import {
  leaseMilliseconds,
  type MemoryBounds,
  requestBytesMax,
} from '../../platforms/memory-bounds.ts'
import { RecentValues } from '../../runtime/recent-values.ts'
import { ByteGate } from '../byte-gate.ts'
import type { Bucket } from './bucket.ts'

/** Pages begin at multiples of this. */
export const pageBytes: number = 256 * 1024

/** Number of unneeded pages that are read between two needed ones, because a second request takes longer. */
const gapMax = 2

/** No file of a build is larger. */
const objectBytesMax = 2 ** 31

interface Wanted {
  readonly key: string
  readonly page: number
  readonly resolve: (bytes: Uint8Array | PromiseLike<Uint8Array>) => void
}

/** Reads objects in pages. Concurrent readers of a page share one request. */
export class ObjectPages {
  readonly #bucket: Bucket
  readonly #kept: RecentValues<Uint8Array>
  readonly #gate: ByteGate
  /** Pages whose requests are in progress. */
  readonly #reads = new Map<string, Promise<Uint8Array>>()
  /** Pages to request at the end of the current microtask. */
  #wanted: Wanted[] = []

  constructor(bucket: Bucket, bounds: Pick<MemoryBounds, 'pages' | 'requests'>) {
    this.#bucket = bucket
    this.#kept = new RecentValues(bounds.pages)
    this.#gate = new ByteGate(bounds.requests, leaseMilliseconds)
  }

  /** @throws RangeError when the object is shorter; Error when it does not exist or cannot be read */
  async read(key: string, offset: number, length: number): Promise<Uint8Array> {
    const first = Math.floor(offset / pageBytes)
    const last = Math.ceil((offset + length) / pageBytes) - 1
    const bytes = new Uint8Array(length)
    let read = 0
    await Promise.all(
      Array.from({ length: last - first + 1 }, async (_, index) => {
        const start = (first + index) * pageBytes
        const page = await this.#page(key, first + index)
        const part = page.subarray(Math.max(0, offset - start), offset + length - start)
        // A copy, because a view would keep the whole page in memory.
        bytes.set(part, Math.max(0, start - offset))
        read += part.length
      }),
    )
    if (read < length) throw new RangeError(`${key} ends before byte ${offset + length}`)
    return bytes
  }

  /** Reads a whole object without caching it. @throws Error when it does not exist or cannot be read */
  async readAll(key: string): Promise<Uint8Array> {
    const { bytes, size } = await this.#request(key, 0, requestBytesMax)
    if (bytes.length === size) return bytes
    if (size > objectBytesMax) throw new RangeError(`${key} has ${size} bytes`)
    const whole = new Uint8Array(size)
    whole.set(bytes)
    const starts = Array.from(
      { length: Math.ceil(size / requestBytesMax) - 1 },
      (_, index) => (index + 1) * requestBytesMax,
    )
    await Promise.all(
      starts.map(async (start) => {
        const part = await this.#request(key, start, Math.min(requestBytesMax, size - start))
        whole.set(part.bytes, start)
      }),
    )
    return whole
  }

  /** Drops all pages, because one of them may be damaged. */
  forget(): void {
    this.#kept.clear()
    this.#reads.clear()
  }

  #page(key: string, page: number): Awaited<Uint8Array> | Promise<Uint8Array> {
    const name = `${key}:${page}`
    const known = this.#kept.get(name) ?? this.#reads.get(name)
    if (known !== undefined) return known
    if (this.#wanted.length === 0) queueMicrotask(() => this.#requestWanted())
    const read = new Promise<Uint8Array>((resolve) => {
      this.#wanted.push({ key, page, resolve })
    })
    this.#reads.set(name, read)
    const isOver = () => {
      if (this.#reads.get(name) === read) this.#reads.delete(name)
    }
    read.then(isOver, isOver)
    return read
  }

  #requestWanted(): void {
    const wanted = this.#wanted
    this.#wanted = []
    if (!this.#bucket.sharesReads) this.#reads.clear()
    for (const run of runsOf(wanted)) this.#requestRun(run)
  }

  /** @param run pages of one object, ascending */
  #requestRun(run: readonly Wanted[]): void {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) return
    const { key } = first
    const count = last.page - first.page + 1
    const read = this.#request(key, first.page * pageBytes, count * pageBytes)
    for (const { page, resolve } of run) {
      resolve(
        read.then(({ bytes }) => {
          // Copies of several pages, because views would keep all of them in memory.
          const start = (page - first.page) * pageBytes
          const part = count === 1 ? bytes : bytes.slice(start, start + pageBytes)
          this.#kept.set(`${key}:${page}`, part, part.length)
          return part
        }),
      )
    }
  }

  #request(key: string, offset: number, length: number) {
    return this.#gate.run(length, async () => {
      const part = await this.#bucket.read(key, { offset, length })
      if (part === null) throw new Error(`The bucket has no ${key}.`)
      return part
    })
  }
}

/** Groups neighbouring pages of an object, one group for each request. */
function runsOf(wanted: readonly Wanted[]): readonly (readonly Wanted[])[] {
  const runs: Wanted[][] = []
  const sorted = wanted.toSorted((a, b) =>
    a.key < b.key ? -1 : a.key > b.key ? 1 : a.page - b.page,
  )
  for (const one of sorted) {
    const run = runs.at(-1)
    const [first, before] = [run?.[0], run?.at(-1)]
    const isNear = before?.key === one.key && one.page - before.page <= gapMax + 1
    const fits = one.page - (first?.page ?? 0) < requestBytesMax / pageBytes
    if (run !== undefined && isNear && fits) run.push(one)
    else runs.push([one])
  }
  return runs
}
