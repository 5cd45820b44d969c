// A bounded cache of recent responses.

import { RecentValues } from './recent-values.ts'
import type { RouteMatch } from './route-match.ts'

/** Default size of the cache, in bytes. */
export const replyCacheBytesDefault: number = 16 * 1024 * 1024

/** A cached response. */
export interface CachedReply {
  readonly etag: string
  /** Null for a response that is too long to be cached, or whose body was not requested. */
  readonly body: Uint8Array | null
  /** The size of the body, in bytes. */
  readonly length: number
  /** The number of requests that the response counts as. */
  readonly cost: number
  /** Start of validity, in milliseconds since 1970: a clock may be set back. */
  readonly validFrom: number
  /** End of validity, in milliseconds since 1970. */
  readonly validUntil: number
}

/** Responses of one build, with LRU eviction. */
export class ReplyCache {
  readonly #bytesMax: number
  readonly #responses: RecentValues<CachedReply>
  #build = ''

  constructor(bytesMax: number = replyCacheBytesDefault) {
    this.#bytesMax = bytesMax
    this.#responses = new RecentValues(bytesMax)
  }

  /** Returns a cached response that is valid at `now`; undefined when there is none. */
  get(build: string, key: string, now: number): CachedReply | undefined {
    if (build !== this.#build) {
      this.#responses.clear()
      this.#build = build
    }
    const kept = this.#responses.get(key)
    if (kept === undefined) return undefined
    return now >= kept.validFrom && now < kept.validUntil ? kept : undefined
  }

  /** Caches a response, unless it is large relative to the bound or belongs to a replaced build. */
  set(build: string, key: string, response: CachedReply): void {
    const size = weight(key, response)
    if (build === this.#build && size <= this.#bytesMax / 32)
      this.#responses.set(key, response, size)
  }
}

/** The key of a cached response. Clients with different rights share no response. */
export function replyKey(
  { target: { version }, workspace, mayReadPosts }: RouteMatch,
  target: string,
): string {
  return `${version}${mayReadPosts ? '' : '-'} ${workspace} ${target}`
}

/** The approximate size of an entry, in bytes. */
function weight(key: string, { body }: CachedReply): number {
  return (body?.length ?? 0) + 2 * key.length + 200
}
