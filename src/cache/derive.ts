// Bytes that are made of something else and made again only when that is another: the cache behind one function.
// Knows nothing of what is made.
import { hash } from 'node:crypto'
import type { Cache } from './cache.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** What was made of something, by its name and a hash of all that it was made of. */
export interface Derive {
  /** What `make` gives: made when it is not there. */
  get(name: string, input: string, make: () => Uint8Array): Uint8Array
  /** The key of what is made, hexadecimal. */
  keyOf(name: string, input: string): string
  /** Whether it is there; it counts as used. */
  has(key: string): boolean
  /** Where it is, when it is there. */
  find(key: string): StoredBytes | undefined
  /** Keeps what was made; instead of what was kept under this key. */
  keep(key: string, bytes: Uint8Array): void
}

/** Derives by way of a cache. @param version changes with the code that makes things */
export function deriveWith(cache: Cache, version: string): Derive {
  const keyOf = (name: string, input: string) =>
    hash('sha256', `derived ${version} ${name} ${input}`)
  return {
    keyOf,
    get(name, input, make) {
      const key = keyOf(name, input)
      return (cache.find(key) ?? cache.add(key, { bytes: make() })).read('bytes')
    },
    has: (key) => cache.find(key) !== undefined,
    find: (key) => cache.find(key)?.stored('bytes'),
    keep: (key, bytes) => {
      cache.add(key, { bytes })
    },
  }
}
