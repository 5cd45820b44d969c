// The work of a response: what it costs, how many requests it counts as, and how it is cut so that others get a turn.
import { limitMax } from './parameter-values.ts'

/** Amounts of work, known before the work is done. Absent amounts are 0. */
export interface Work {
  /** Number of posts that are listed, or read for a feed, a sitemap or a list for language models. */
  readonly posts?: number
  /** Bytes of HTML that are read and searched for `matches`. */
  readonly searched?: number
  /** Bytes of the body. */
  readonly body?: number
}

/** Called with work before it is done; throws to reject the request. */
export type OnWork = (work: Work) => void | Promise<void>

/** The work of one request, by kind: at most 10 ms of processor time each (`npm run bench:hostile` measures it). */
const paid: Required<Work> = { posts: limitMax, searched: 32 * 1024, body: 256 * 1024 }

/** Returns the number of requests that the work counts as, at least 1: the kind that counts most decides. */
export function costOf({ posts = 0, searched = 0, body = 0 }: Work): number {
  const shares = [posts / paid.posts, searched / paid.searched, body / paid.body]
  return Math.max(1, ...shares.map(Math.ceil))
}

/** Maps values in order, in groups of 64 KiB of work. Other requests get a turn after each group. */
export async function mapInBatches<T, R>(
  values: Iterable<T>,
  bytesOf: (value: T) => number,
  map: (group: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const results: R[] = []
  let group: T[] = []
  let bytes = 0
  for (const value of values) {
    group.push(value)
    bytes += bytesOf(value)
    if (bytes < batchBytes) continue
    results.push(...(await map(group)))
    await nextTurn()
    group = []
    bytes = 0
  }
  return results.concat(await map(group))
}

/** The work after which the event loop turns, and the size of a piece of a body, in bytes. */
export const batchBytes: number = 64 * 1024

/** The work of reading a post without its content, in bytes. */
export const postBytes = 1024

/** Resolves after other pending events have been handled. */
function nextTurn(): Promise<void> {
  const { setImmediate: defer = setTimeout } = globalThis as {
    readonly setImmediate?: (run: () => void) => unknown
  }
  return new Promise((resolve) => void defer(resolve))
}
