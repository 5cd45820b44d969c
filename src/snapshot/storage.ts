// The storage of a snapshot's files, the verification of their bytes, and a cache of recent values.
import { hex, hostHash, sha256 } from '../api/bytes.ts'
import type { Awaitable } from '../api/snapshot.ts'

/**
 * Reads files by their name relative to the function's folder: `root.json`, `data/part-….bin`.
 *
 * A storage verifies nothing. Readers verify all bytes, on every host.
 */
export interface Storage {
  /**
   * Reads a whole file, or its bytes from `from` to `to`, exclusive; fewer bytes of a shorter file.
   *
   * @throws when the file does not exist
   */
  read(name: string, from?: number, to?: number): Awaitable<Uint8Array>
  /** Makes the next read of a file skip caches, whose copy may be damaged. Absent without caches. */
  readonly skipCaches?: (name: string) => void
  /** Number of unneeded bytes to read rather than request another range. @default 256 */
  readonly gap?: number
}

/** Returns a SHA-256. Elsewhere than in Node, Web Crypto is ten times as fast at 100 kB (2026-11). */
export function fastSha256(bytes: Uint8Array): Awaitable<Uint8Array> {
  if (hostHash || bytes.length < 16 * 1024) return sha256(bytes)
  // The bytes are never in shared memory.
  const digest = crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return digest.then((buffer) => new Uint8Array(buffer))
}

/** Returns the part of a file's name that identifies its bytes: 32 hexadecimal digits. */
export function contentHash(sha256: Uint8Array): string {
  return hex(sha256.subarray(0, 16))
}

/** The bytes of a file differ from those of the build. */
export class ChangedError extends Error {
  constructor(name: string) {
    super(`${name} was cut short or changed after it was built. Deploy the build again.`)
  }
}

/** A cache with LRU eviction: a Map keeps its keys in the order of their last use. */
export class RecentValues<V> {
  readonly #weightMax: number
  readonly #values = new Map<string, { readonly value: V; readonly weight: number }>()
  #weight = 0

  /** @param weightMax total weight of all values, in the unit of `set`; 0 disables the cache */
  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  /** Returns a value; undefined if it is absent or was evicted. */
  get(key: string): V | undefined {
    const found = this.#values.get(key)
    if (found === undefined) return undefined
    this.#values.delete(key)
    this.#values.set(key, found)
    return found.value
  }

  /** Stores or replaces a value, unless it weighs more than the bound. */
  set(key: string, value: V, weight: number): void {
    this.remove(key)
    if (weight > this.#weightMax) return
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight > this.#weightMax) this.remove(oldest)
      else break
    }
  }

  /** Removes a value. */
  remove(key: string): void {
    this.#weight -= this.#values.get(key)?.weight ?? 0
    this.#values.delete(key)
  }
}
