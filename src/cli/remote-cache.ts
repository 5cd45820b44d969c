// The remote cache of a command: read before its work, written after it.
import type { CacheAccess } from '../cache/cache-access.ts'

/** A command with a cache. */
export interface CachedWork {
  /** The folder of the cache; null for none. */
  readonly cache: string | null
  readonly caching: CacheAccess
  /** Number of the list that it writes; null writes nothing. */
  readonly part: number | null
  /** Reads no pack. @default false */
  readonly isUnread?: boolean | undefined
}

/**
 * Runs a command's work between reading from the remote cache and writing to it. Failed work writes nothing.
 *
 * @throws UseError for an address that is none; what the work throws
 */
export async function withRemoteCache<Result>(
  { cache, caching, part, isUnread }: CachedWork,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!process.env['QUARRY_CACHE_REMOTE'] || cache === null) return work()
  // Loaded only here: most builds have none.
  const { openRemoteCache } = await import('../remote-cache/remote-cache.ts')
  const remote = openRemoteCache(cache, { ...caching, part: part ?? 0, isUnread }, process.env)
  await remote.pull()
  const result = await work()
  if (part !== null) await remote.push()
  return result
}
