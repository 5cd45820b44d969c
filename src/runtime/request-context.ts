// The state of one request in a responder: its parts, its rights, its count, and the headers of its response.

import { isDocumentKind } from '../api/documents.ts'
import { ApiError } from '../api/errors.ts'
import type { Scope } from '../api/keys.ts'
import type { Target } from '../api/request.ts'
import { resourceKinds } from '../api/resources.ts'
import { decodeUnreserved } from '../api/routes.ts'
import { type Header, type HttpRequest, rateHeaders } from './http.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'

/** A request in progress, and the headers of every reply to it. */
export class RequestContext {
  readonly request: HttpRequest
  /** Unreserved characters are decoded. */
  readonly path: string
  readonly query: string
  /** Headers that do not change. */
  readonly #fixed: Header[]
  /** The headers of the last count. */
  #rate: readonly Header[] = []
  /** The limiter that counts this request, and the requests that were counted so far. */
  #counted: {
    readonly limiter: RateLimiter
    readonly bucket: string
    readonly limit: number
    charged: number
  } | null = null

  constructor(request: HttpRequest, requestId: string) {
    this.#fixed = [['x-request-id', requestId]]
    const { target } = request
    const mark = target.indexOf('?')
    this.request = request
    this.path = decodeUnreserved(mark === -1 ? target : target.slice(0, mark))
    this.query = mark === -1 ? '' : target.slice(mark + 1)
  }

  /** All headers known so far. */
  get headers(): readonly Header[] {
    return [...this.#fixed, ...this.#rate]
  }

  /** Adds headers that further counts do not replace. */
  addHeaders(headers: readonly Header[]): void {
    this.#fixed.push(...headers)
  }

  /** Counts the request once, before the cost of its response is known. */
  async count(limiter: RateLimiter | undefined, bucket: string): Promise<void> {
    const state = (await limiter?.take(bucket)) ?? null
    if (limiter === undefined || state === null) return
    this.#counted = { limiter, bucket, limit: state.limit, charged: 1 }
    this.#requireRoom(state)
  }

  /**
   * Charges the cost of the response as far as it is known, less what was charged before. A response never costs more
   * than the whole limit, so that a client without other requests can get any list.
   */
  async charge(cost: number): Promise<void> {
    if (this.#counted === null) return
    const { limiter, bucket, limit, charged } = this.#counted
    const more = Math.min(cost, limit) - charged
    if (more < 1) return
    this.#counted.charged += more
    this.#requireRoom(await limiter.take(bucket, more))
  }

  /** Returns the error of a request over the limit; its response states when requests are allowed again. */
  tooMany(state: RateState): ApiError {
    this.#rate = rateHeaders(state)
    const { resetSeconds } = state
    return new ApiError(429, `Rate limit exceeded. Try again in ${resetSeconds} s.`, {
      retryAfterSeconds: resetSeconds,
    })
  }

  #requireRoom(state: RateState | null): void {
    if (state !== null && !state.isAllowed) throw this.tooMany(state)
    this.#rate = rateHeaders(state)
  }
}

/** The target of a request, its workspace, and the client's rights. */
export interface RouteMatch {
  readonly target: Target
  readonly workspace: string
  /** The scopes of the key; null without a key, for everything that is public. */
  readonly scopes: readonly Scope[] | null
}

/** Returns the scope that a kind of content needs. Images, custom fields and documents belong to posts. */
export function scopeOf(kind: string): Scope {
  const own = resourceKinds.find((name) => name === kind)
  if (own !== undefined) return `${own}:read`
  const isPublicKind = isDocumentKind(kind) || kind === 'media' || kind === 'fields'
  return isPublicKind ? 'posts:read' : 'collections:read'
}

/** The message for a key without the scope of its request. */
export const forbidden = 'Insufficient permissions for this resource.'
