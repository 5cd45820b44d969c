// Reads objects of a bucket in pages, and caches recent pages. Objects never change.

import { type MemoryBounds, requestBytesMax } from '../../platforms/memory-bounds.ts'
import { RecentValues } from '../../runtime/recent-values.ts'
import { ByteGate } from '../byte-gate.ts'
import type { Bucket, ObjectPart } from './bucket.ts'

/** Pages begin at multiples of this. */
export const pageBytes: number = 256 * 1024

/** Number of unneeded pages that are read between two needed ones, because a second request takes longer. */
const gapMax = 2

/** No file of a build is larger. */
const objectBytesMax = 2 ** 31

interface Wanted {
  readonly key: string
  readonly page: number
  readonly bytes: Promise<Uint8Array>
  readonly resolve: (bytes: Uint8Array | PromiseLike<Uint8Array>) => void
}

/**
 * Reads objects in pages. Readers of the same microtask, such as those of all records of a response, share requests.
 * Others do not: a host may stop a request, and its reads, at any time.
 */
export class ObjectPages {
  readonly #bucket: Bucket
  readonly #bounds: Bounds
  readonly #kept: RecentValues<Uint8Array>
  /** The gate of the current microtask. */
  #current: ByteGate | undefined
  /** Pages to request at the end of the current microtask, by object and number. */
  #wanted = new Map<string, Wanted>()

  constructor(bucket: Bucket, bounds: Bounds) {
    this.#bucket = bucket
    this.#bounds = bounds
    this.#kept = new RecentValues(bounds.pages)
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
    const gate = this.#gate()
    const { bytes, size } = await this.#request(gate, key, 0, requestBytesMax)
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
        const length = Math.min(requestBytesMax, size - start)
        whole.set((await this.#request(gate, key, start, length)).bytes, start)
      }),
    )
    return whole
  }

  /** Drops all pages, because one of them may be damaged. */
  forget(): void {
    this.#kept.clear()
  }

  #page(key: string, page: number): Uint8Array | Promise<Uint8Array> {
    const name = `${key}:${page}`
    const known = this.#kept.get(name) ?? this.#wanted.get(name)?.bytes
    if (known !== undefined) return known
    if (this.#wanted.size === 0) queueMicrotask(() => this.#requestWanted())
    let resolve: Wanted['resolve'] = () => {}
    const bytes = new Promise<Uint8Array>((settle) => {
      resolve = settle
    })
    this.#wanted.set(name, { key, page, bytes, resolve })
    return bytes
  }

  #requestWanted(): void {
    const wanted = [...this.#wanted.values()]
    this.#wanted = new Map()
    const gate = this.#gate()
    for (const run of runsOf(wanted)) this.#requestRun(gate, run)
  }

  /** @param run pages of one object, ascending */
  #requestRun(gate: ByteGate, run: readonly Wanted[]): void {
    const [first, last] = [run[0], run.at(-1)]
    if (first === undefined || last === undefined) return
    const { key } = first
    const count = last.page - first.page + 1
    const read = this.#request(gate, key, first.page * pageBytes, count * pageBytes)
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

  /** The gate of the reads that begin in this microtask. Those of different requests never wait for each other. */
  #gate(): ByteGate {
    if (this.#current !== undefined) return this.#current
    this.#current = new ByteGate(this.#bounds.requests)
    queueMicrotask(() => {
      this.#current = undefined
    })
    return this.#current
  }

  #request(gate: ByteGate, key: string, offset: number, length: number): Promise<ObjectPart> {
    return gate.run(length, async () => {
      const part = await this.#bucket.read(key, { offset, length })
      if (part === null) throw new Error(`The bucket has no ${key}.`)
      return part
    })
  }
}

type Bounds = Pick<MemoryBounds, 'pages' | 'requests'>

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
