// How often somebody may ask.
// Knows neither HTTP nor where the counts are kept.
import type { Awaitable } from '../api/snapshot.ts'

/** The decision of a limiter on one more request. */
export interface RateState {
  readonly isAllowed: boolean
  /** Requests in a window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** Whole seconds until there is room again, at least 1. */
  readonly resetSeconds: number
}

/** Counts requests in windows. */
export interface RateLimiter {
  /**
   * Counts requests: all of them or, where that is more than are left, none.
   *
   * @param bucket whose requests are counted together
   * @param count 1 to the limit @default 1
   * @returns null when there is no limit, or the counts cannot be reached: the request passes
   */
  take(bucket: string, count?: number): Awaitable<RateState | null>
}

/** Limits on requests. */
export interface RateLimits {
  /** The limiter of one key, or of one address in one workspace. */
  readonly requests: RateLimiter
  /** Keys that were refused, of one address. */
  readonly failures: RateLimiter
}
