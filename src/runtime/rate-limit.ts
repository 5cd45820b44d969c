// The interface of rate limiters.
import type { Awaitable } from '../api/snapshot.ts'

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
   * Counts `count` requests, or none when fewer are left.
   *
   * @param bucket requests of one bucket are counted together
   * @param count 1 to the limit. @default 1
   * @returns null when there is no limit, or the counts are unavailable: the request passes
   */
  take(bucket: string, count?: number): Awaitable<RateState | null>
}

/** Limits on requests. */
export interface RateLimits {
  /** Limits requests per key, or per address and workspace. */
  readonly requests: RateLimiter
  /** Limits refused keys per address. */
  readonly failures: RateLimiter
}
