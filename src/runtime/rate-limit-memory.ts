// Counts requests in the memory of one process: a sliding window for each bucket, and a bounded number of them.
// Knows neither HTTP nor other instances.
import type { RateLimiter, RateLimits, RateState } from './rate-limit.ts'
import { Generations } from './rate-limit-generations.ts'
import { RequestLog } from './rate-limit-log.ts'
import { failedKeyRate, parseRateLimit, type Rate } from './rate-limit-setting.ts'

/** A limiter that answers at once, and always. */
export interface MemoryRateLimiter extends RateLimiter {
  take(bucket: string, count?: number): RateState
}

/** Options of a limiter in memory. */
export interface MemoryRateLimitOptions extends Rate {
  /** Buckets kept at most, at least 4. @default 10,000 */
  readonly maxBuckets?: number
  /** Milliseconds. @default the clock */
  readonly now?: () => number
}

/**
 * A limiter that keeps when each allowed request came, so that no window of `windowSeconds`, wherever it
 * begins, holds more than `limit` of them. Refused requests do not count.
 *
 * Buckets beyond `maxBuckets` are forgotten, and then start again. A flood of addresses pushes out only
 * its like: buckets that used more than half of their limit are kept apart, and one of them goes only
 * when `maxBuckets / 4` others have come to use more than half of theirs. That takes far more requests
 * than it gives back.
 *
 * Cost: O(1) a request; some 8 to 24 bytes for each request of the last two windows, and the bucket's key.
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
 * The limits that a setting asks for, in memory.
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
