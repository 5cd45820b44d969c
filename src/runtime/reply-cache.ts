// Answers that were given lately, kept within a bound, so that what is asked again is not made again.
// Knows nothing of who asks: an entry belongs to a workspace, a version, a target and what may be shown.

import { RecentValues } from './recent-values.ts'
import type { RouteMatch } from './route-match.ts'

/** Bytes that are kept where nothing else is said. */
export const replyCacheBytesDefault: number = 16 * 1024 * 1024

/** An answer that is kept. */
export interface CachedReply {
  readonly etag: string
  /** Null for a response that is too long to be kept, and for one whose body nobody wanted. */
  readonly body: Uint8Array | null
  /** Of the body, in bytes. */
  readonly length: number
  /** Requests that the answer counts as. */
  readonly cost: number
  /** From when on the response is true, milliseconds since 1970: a clock may be put back. */
  readonly validFrom: number
  /** Until when the response is true, milliseconds since 1970. */
  readonly validUntil: number
}

/** Answers of one build; those that nobody asks for leave first. */
export class ReplyCache {
  readonly #bytesMax: number
  readonly #answers: RecentValues<CachedReply>
  #build = ''

  constructor(bytesMax: number = replyCacheBytesDefault) {
    this.#bytesMax = bytesMax
    this.#answers = new RecentValues(bytesMax)
  }

  /** A kept answer that is still true; undefined when there is none. */
  get(build: string, key: string, now: number): CachedReply | undefined {
    if (build !== this.#build) {
      this.#answers.clear()
      this.#build = build
    }
    const kept = this.#answers.get(key)
    if (kept === undefined) return undefined
    return now >= kept.validFrom && now < kept.validUntil ? kept : undefined
  }

  /** Keeps an answer unless it is large beside the bound, or of a build that is served no more. */
  set(build: string, key: string, answer: CachedReply): void {
    const size = weight(key, answer)
    if (build === this.#build && size <= this.#bytesMax / 32) this.#answers.set(key, answer, size)
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
