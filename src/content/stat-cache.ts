// Metadata of a content folder at its last scan: cached listings and hashes are valid while it is unchanged.
import type { Cache } from '../cache/cache.ts'
import { HashCache } from './hash-cache.ts'
import { ListingCache } from './listing-cache.ts'
import type { Mount } from './mounts.ts'

/** Listings and hashes of one content folder. */
export class StatCache {
  readonly hashes: HashCache
  readonly listings: ListingCache

  /** @param root absolute, with links resolved @param version entries of other versions are not loaded */
  constructor(root: string, version: string, mounts: readonly Mount[]) {
    this.hashes = new HashCache(root, version)
    this.listings = new ListingCache(root, version, mounts)
  }

  /** @throws CacheDamageError when the cache is damaged */
  load(cache: Cache): void {
    this.hashes.load(cache)
    this.listings.load(cache)
  }

  /** @param paths of the existing files @returns false if nothing was stored */
  store(cache: Cache, paths: Iterable<string>): boolean {
    const stored = [this.hashes.store(cache, paths), this.listings.store(cache)]
    return stored.includes(true)
  }
}
