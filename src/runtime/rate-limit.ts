// Limits on requests: the setting, the interface of limiters, and the limiter in the memory of one process.
import type { Awaitable } from '../api/snapshot.ts'
import { RecentValues } from '../snapshot/storage.ts'

/** A maximum number of requests in a window of time. */
export interface Rate {
  /** Requests per window. */
  readonly limit: number
  readonly windowSeconds: number
}

/** The decision of a limiter on a request. */
export interface RateState {
  readonly isAllowed: boolean
  /** Requests per window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** Whole seconds until requests are allowed again, at least 1. */
  readonly resetSeconds: number
}

/** Counts requests in windows. */
export interface RateLimiter {
  /**
   * Counts `count` requests, or no request if fewer are left.
   *
   * @param count 1 to the limit. @default 1
   * @returns null if there is no limit or the counts are unavailable; the request is then allowed
   */
  take(bucket: string, count?: number): Awaitable<RateState | null>
}

/** Limits on requests. */
export interface RateLimits {
  /** Limits requests per key, or per address and workspace. */
  readonly requests: RateLimiter
  /** Limits requests with refused keys per address. */
  readonly failures: RateLimiter
}

/** Default limit per key, or per client address and workspace: 200 requests in 10 s. */
export const defaultRate: Rate = { limit: 200, windowSeconds: 10 }

/** Limit of refused keys per address: 20 in 10 s. */
export const failedKeyRate: Rate = { limit: 20, windowSeconds: 10 }

/**
 * Parses a rate.
 *
 * @param text `off`, or `COUNT/SECONDS` in plain digits: 1 to 1,000,000 requests in 1 to 86,400 seconds
 * @returns `defaultRate` when `text` is undefined; null (no limit) for `off`
 * @throws RangeError with the expected syntax for any other text
 */
export function parseRateLimit(text: string | undefined): Rate | null {
  if (text === undefined) return defaultRate
  if (text === 'off') return null
  const [, count, seconds] = /^([1-9][0-9]{0,6})\/([1-9][0-9]{0,4})$/.exec(text) ?? []
  const rate = { limit: Number(count), windowSeconds: Number(seconds) }
  if (count !== undefined) return rate
  throw new RangeError('It must be "off" or COUNT/SECONDS, such as 200/10.')
}

/** Returns limiters in memory; null for no limit. */
export function memoryLimits(rate: Rate | null): RateLimits | null {
  return rate && { requests: memoryLimiter(rate), failures: memoryLimiter(failedKeyRate) }
}

/**
 * Returns a limiter with fixed windows: each begins with the first request of a bucket. Refused requests do not count.
 *
 * A bucket that is evicted starts again from zero. A bucket stays while it keeps asking.
 *
 * @param now returns milliseconds
 */
export function memoryLimiter(
  { limit, windowSeconds }: Rate,
  bucketsMax = 10_000,
  now: () => number = Date.now,
): { take(bucket: string, count?: number): RateState } {
  const windowMs = windowSeconds * 1000
  const buckets = new RecentValues<{ start: number; used: number }>(bucketsMax)
  return {
    take: (bucket, count = 1) => {
      const time = now()
      const window = buckets.get(bucket) ?? { start: time, used: 0 }
      // The distance is absolute because a clock may be set back.
      if (Math.abs(time - window.start) >= windowMs) Object.assign(window, { start: time, used: 0 })
      const isAllowed = window.used + count <= limit
      if (isAllowed) window.used += count
      buckets.set(bucket, window, 1)
      const resetSeconds = Math.max(1, Math.ceil((window.start + windowMs - time) / 1000))
      return { isAllowed, limit, remaining: limit - window.used, resetSeconds }
    },
  }
}
