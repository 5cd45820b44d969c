// How many requests a window holds: the defaults, and how a setting says otherwise.
// Knows neither where the setting comes from nor who counts.

/** So many requests in so many seconds. */
export interface Rate {
  /** Requests in a window. */
  readonly limit: number
  readonly windowSeconds: number
}

/** For each key, or client address and workspace: 200 requests in 10 s. */
export const defaultRate: Rate = { limit: 200, windowSeconds: 10 }

/** For the failed keys of one address: 20 in 10 s. */
export const failedKeyRate: Rate = { limit: 20, windowSeconds: 10 }

/**
 * The rate that a setting asks for.
 *
 * @param text `off`, or `COUNT/SECONDS` in plain digits: 1 to 1,000,000 requests in 1 to 86,400 seconds
 * @returns `defaultRate` when `text` is undefined; null for `off`: no limit
 * @throws RangeError that says what was expected, for anything else
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
