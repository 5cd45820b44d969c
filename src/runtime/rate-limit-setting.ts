// The rate of requests: defaults and the syntax of the setting.

/** A number of requests per number of seconds. */
export interface Rate {
  /** Requests per window. */
  readonly limit: number
  readonly windowSeconds: number
}

/** Per key, or per client address and workspace: 200 requests in 10 s. */
export const defaultRate: Rate = { limit: 200, windowSeconds: 10 }

/** Failed keys per address: 20 in 10 s. */
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
  if (rate.limit <= limitMax && rate.windowSeconds <= windowSecondsMax) return rate
  throw new RangeError(
    `It must be "off" or COUNT/SECONDS, such as 200/10, with 1 to ${limitMax} requests in 1 to ${windowSecondsMax} seconds.`,
  )
}

const limitMax = 1_000_000
const windowSecondsMax = 86_400
