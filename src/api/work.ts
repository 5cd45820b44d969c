// The work of a response in requests: how many a request counts as for the rate limit, and when it lets others in.

import { limitMax } from './parameter-values.ts'

/** Work that is known before it is done. Absent kinds are 0. */
export interface Work {
  /** Posts that are listed, or read for a feed, a sitemap or a list for language models. */
  readonly posts?: number
  /** Bytes of HTML that are read and searched for `matches`. */
  readonly searched?: number
  /** Bytes of the body. */
  readonly body?: number
}

/**
 * The work that one request pays for, by kind. Each takes at most 10 ms of processor time, compression included:
 * `npm run bench:hostile` measures it.
 */
const paid: Required<Work> = { posts: limitMax, searched: 32 * 1024, body: 256 * 1024 }

/** Returns the number of requests that the work counts as, at least 1: the kind that counts most decides. */
export function requestsOf({ posts = 0, searched = 0, body = 0 }: Work): number {
  const shares = [posts / paid.posts, searched / paid.searched, body / paid.body]
  return Math.max(1, ...shares.map(Math.ceil))
}

/**
 * Maps values in order. After each 64 KiB of work, the event loop turns, so that other requests wait for no more.
 *
 * @param bytesOf the work for a value, in bytes that are read
 */
export async function mapInTurns<T, R>(
  values: Iterable<T>,
  bytesOf: (value: T) => number,
  map: (value: T) => R | PromiseLike<R>,
): Promise<R[]> {
  const results: R[] = []
  let group: (R | PromiseLike<R>)[] = []
  let bytes = 0
  for (const value of values) {
    group.push(map(value))
    bytes += bytesOf(value)
    if (bytes < turnBytes) continue
    results.push(...(await Promise.all(group)))
    await nextTurn()
    group = []
    bytes = 0
  }
  return results.concat(await Promise.all(group))
}

/** The work after which the event loop turns, and the size of a piece of a body, in bytes. */
export const turnBytes: number = 64 * 1024

/** The work of reading a post without its content, in bytes. */
export const postBytes = 1024

/** Resolves after other events had their turn. */
export function nextTurn(): Promise<void> {
  const { setImmediate: defer = setTimeout } = globalThis as {
    readonly setImmediate?: (run: () => void) => unknown
  }
  return new Promise((resolve) => void defer(resolve))
}
