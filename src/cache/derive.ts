// Bytes that are made of something else and made again only when that is another: the cache behind one function.
// Knows nothing of what is made.
import { hash } from 'node:crypto'
import type { Cache } from './cache.ts'
import type { StoredBytes } from './stored-bytes.ts'

/** What was made of something, by its name and a hash of all that it was made of. */
export interface Derive {
  /** What `make` gives: made when it is not there. */
  get(name: string, input: string, make: () => Uint8Array): Uint8Array
  /** Where it is, when it is there. */
  find(name: string, input: string): StoredBytes | undefined
  /** Keeps what was made. */
  keep(name: string, input: string, bytes: Uint8Array): void
}

/** Derives by way of a cache. @param version changes with the code that makes things */
export function deriveWith(cache: Cache, version: string): Derive {
  const keyOf = (name: string, input: string) =>
    hash('sha256', `derived ${version} ${name} ${input}`)
  return {
    get(name, input, make) {
      const key = keyOf(name, input)
      return (cache.find(key) ?? cache.add(key, { bytes: make() })).read('bytes')
    },
    find: (name, input) => cache.find(keyOf(name, input))?.stored('bytes'),
    keep: (name, input, bytes) => {
      cache.add(keyOf(name, input), { bytes })
    },
  }
}
