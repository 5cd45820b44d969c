// The metadata of a content folder when it was last scanned: listings and hashes are valid until it says
// something else.
import type { Cache } from '../cache/cache.ts'
import { HashCache } from './hash-cache.ts'
import { ListingCache } from './listing-cache.ts'
import type { Mount } from './mounts.ts'

/** Listings and hashes of one content folder. */
export class StatCache {
  readonly hashes: HashCache
  readonly listings: ListingCache

  /** @param root absolute, free of links @param version what another version stored is not loaded */
  constructor(root: string, version: string, mounts: readonly Mount[]) {
    this.hashes = new HashCache(root, version)
    this.listings = new ListingCache(root, version, mounts)
  }

  /** @throws CacheDamageError when the cache is damaged */
  load(cache: Cache): void {
    this.hashes.load(cache)
    this.listings.load(cache)
  }

  /** @param paths of the files that are still there @returns false when nothing was stored */
  store(cache: Cache, paths: Iterable<string>): boolean {
    const stored = [this.hashes.store(cache, paths), this.listings.store(cache)]
    return stored.includes(true)
  }
}
