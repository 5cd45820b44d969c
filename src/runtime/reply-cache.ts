// Answers that were given lately, kept within a bound, so that what is asked again is not made again.

import { RecentValues } from './recent-values.ts'
import type { RouteMatch } from './route-match.ts'

/** Bytes that are kept where nothing else is said. */
export const replyCacheBytesDefault: number = 16 * 1024 * 1024

/** A response that is kept. */
export interface CachedReply {
  readonly etag: string
  /** Null for a response that is too long to be kept, and for one whose body nobody wanted. */
  readonly body: Uint8Array | null
  /** The size of the body, in bytes. */
  readonly length: number
  /** Requests that the response counts as. */
  readonly cost: number
  /** From when on the response is true, milliseconds since 1970: a clock may be put back. */
  readonly validFrom: number
  /** Until when the response is true, milliseconds since 1970. */
  readonly validUntil: number
}

/** Answers of one build; those that nobody asks for leave first. */
export class ReplyCache {
  readonly #bytesMax: number
  readonly #responses: RecentValues<CachedReply>
  #build = ''

  constructor(bytesMax: number = replyCacheBytesDefault) {
    this.#bytesMax = bytesMax
    this.#responses = new RecentValues(bytesMax)
  }

  /** A kept answer that is still true; undefined when there is none. */
  get(build: string, key: string, now: number): CachedReply | undefined {
    if (build !== this.#build) {
      this.#responses.clear()
      this.#build = build
    }
    const kept = this.#responses.get(key)
    if (kept === undefined) return undefined
    return now >= kept.validFrom && now < kept.validUntil ? kept : undefined
  }

  /** Keeps a response unless it is large next to the bound, or of a build that is served no more. */
  set(build: string, key: string, response: CachedReply): void {
    const size = weight(key, response)
    if (build === this.#build && size <= this.#bytesMax / 32)
      this.#responses.set(key, response, size)
  }
}

/** The key of a cached response: clients with different rights share no response. */
export function replyKey(
  { target: { version }, workspace, mayReadPosts }: RouteMatch,
  target: string,
): string {
  return `${version}${mayReadPosts ? '' : '-'} ${workspace} ${target}`
}

/** Bytes that an entry holds, roughly. */
function weight(key: string, { body }: CachedReply): number {
  return (body?.length ?? 0) + 2 * key.length + 200
}
