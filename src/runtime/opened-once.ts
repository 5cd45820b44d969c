// Opens a resource on first use.
import type { Awaitable } from '../api/snapshot.ts'

/** Milliseconds after which a call no longer waits for the opening of another one. */
const patience = 10_000

/** Milliseconds between two looks at the opening of another call. */
const lookMilliseconds = 5

/** An opening in progress. */
interface Opening<T> {
  readonly since: number
  /** Undefined while it is in progress. */
  outcome?: { readonly value: T } | { readonly error: unknown }
}

/**
 * Opens with the first call and caches the result; a failure is retried by the next call.
 *
 * Calls during an opening share its outcome, but not its promise. In a worker of Cloudflare, code after an `await` of
 * another request's promise runs as a part of that request: it must not read, and stops with it. So each call waits with
 * timers of its own, and opens by itself when the opening takes 10 s: the host may have stopped the request that began it.
 */
export function openedOnce<T>(open: () => Awaitable<T>): () => Awaitable<T> {
  let opened: { readonly value: T } | undefined
  let opening: Opening<T> | undefined
  const start = (): Awaitable<T> => {
    const value = open()
    if (!(value instanceof Promise)) {
      opened = { value }
      return value
    }
    const mine: Opening<T> = { since: Date.now() }
    opening = mine
    const end = (outcome: NonNullable<Opening<T>['outcome']>) => {
      mine.outcome = outcome
      if ('value' in outcome) opened = outcome
      if (opening === mine) opening = undefined
    }
    value.then(
      (value) => end({ value }),
      (error: unknown) => end({ error }),
    )
    return value
  }
  const wait = async (other: Opening<T>): Promise<T> => {
    while (opened === undefined && other.outcome === undefined) {
      if (Date.now() - other.since >= patience) {
        if (opening === other) opening = undefined
        return call()
      }
      await pause(lookMilliseconds)
    }
    // By any opening, such as one that took long.
    if (opened !== undefined) return opened.value
    throw (other.outcome as { readonly error: unknown }).error
  }
  const call = (): Awaitable<T> => {
    if (opened !== undefined) return opened.value
    return opening === undefined ? start() : wait(opening)
  }
  return call
}

/** Resolves after a time. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
