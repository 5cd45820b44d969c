// Bytes that are made of something else and made again only when that is another: the cache behind one function.
// Knows nothing of what is made.
import { hash } from 'node:crypto'
import type { Cache } from './cache.ts'

/**
 * What `make` gives, kept under its name and all that it depends on.
 *
 * @param name of what is made @param input stands for all that it is made of: a hash of it
 */
export type Derive = (name: string, input: string, make: () => Uint8Array) => Uint8Array

/** Derives by way of a cache. @param version changes with the code that makes things */
export function deriveWith(cache: Cache, version: string): Derive {
  return (name, input, make) => {
    const key = hash('sha256', `derived ${version} ${name} ${input}`)
    const record = cache.find(key) ?? cache.add(key, { bytes: make() })
    return record.read('bytes')
  }
}
