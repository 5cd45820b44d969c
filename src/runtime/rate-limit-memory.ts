// Counts requests in the memory of one process: a sliding window per bucket, for a bounded number of buckets.
import type { RateLimiter, RateLimits, RateState } from './rate-limit.ts'
import { Generations } from './rate-limit-generations.ts'
import { RequestLog } from './rate-limit-log.ts'
import { failedKeyRate, parseRateLimit, type Rate } from './rate-limit-setting.ts'

/** A limiter that always decides synchronously. */
export interface MemoryRateLimiter extends RateLimiter {
  take(bucket: string, count?: number): RateState
}

/** Options of a limiter in memory. */
export interface MemoryRateLimitOptions extends Rate {
  /** Maximum number of buckets, at least 4. @default 10,000 */
  readonly maxBuckets?: number
  /** Milliseconds. @default the clock */
  readonly now?: () => number
}

/**
 * Returns a limiter that stores the time of each allowed request. No window of `windowSeconds`, wherever it begins,
 * contains more than `limit` of them. Refused requests do not count.
 *
 * Buckets beyond `maxBuckets` are forgotten, and start again from zero. A flood of addresses evicts only other idle
 * buckets: buckets that used more than half of their limit are stored separately. One of those is evicted only after
 * `maxBuckets / 4` others have used more than half of theirs. Such an attack takes far more requests than it gains.
 *
 * Cost: O(1) per request; about 8 to 24 bytes for each request of the last two windows, and the bucket's key.
 */
export function createMemoryRateLimiter({
  limit,
  windowSeconds,
  maxBuckets = 10_000,
  now = Date.now,
}: MemoryRateLimitOptions): MemoryRateLimiter {
  const windowMs = windowSeconds * 1000
  const room = { sizeMax: maxBuckets / 2, ageMs: windowMs }
  const quiet = new Generations<RequestLog>(room)
  const busy = new Generations<RequestLog>(room)
  return {
    take: (bucket, requests = 1) => {
      const time = now()
      quiet.age(time)
      busy.age(time)
      const log = busy.remove(bucket) ?? quiet.remove(bucket) ?? new RequestLog(windowMs)
      const state = count(log, { limit, windowSeconds }, time, requests)
      const shelf = log.count * 2 > limit ? busy : quiet
      shelf.add(bucket, log)
      return state
    },
  }
}

/**
 * Parses a setting and returns limiters in memory.
 *
 * @param setting the value of `QUARRY_RATE_LIMIT`; undefined for the default
 * @returns null for no limit
 * @throws RangeError when the setting is malformed
 */
export function memoryLimits(setting: string | undefined): RateLimits | null {
  const rate = parseRateLimit(setting)
  return rate === null
    ? null
    : {
        requests: createMemoryRateLimiter(rate),
        failures: createMemoryRateLimiter(failedKeyRate),
      }
}

function count(
  log: RequestLog,
  { limit, windowSeconds }: Rate,
  now: number,
  requests: number,
): RateState {
  log.forget(now)
  const missing = log.count + requests - limit
  const isAllowed = missing <= 0
  if (isAllowed) log.add(now, requests)
  const resetSeconds = isAllowed ? windowSeconds : Math.ceil(log.roomInMs(now, missing) / 1000)
  return { isAllowed, limit, remaining: limit - log.count, resetSeconds: Math.max(1, resetSeconds) }
}
