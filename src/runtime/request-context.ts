// One request on its way through a responder: its parts, its count, and the headers that its response will have.
import { whenReady } from '../api/awaitable.ts'
import { ApiError } from '../api/errors.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { rateHeaders } from './headers.ts'
import type { Header, HttpRequest } from './http.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'

/** A request on its way, and the headers that its reply will have whatever it is. */
export class RequestContext {
  readonly request: HttpRequest
  readonly path: string
  readonly query: string
  /** Headers that are known once. */
  readonly #fixed: Header[]
  /** The headers of the last count. */
  #rate: readonly Header[] = []
  /** Who counts this request, and how much is left; null where nobody does. */
  #counted: {
    readonly limiter: RateLimiter
    readonly bucket: string
    readonly limit: number
  } | null = null

  constructor(request: HttpRequest, requestId: string) {
    this.#fixed = [['x-request-id', requestId]]
    const { target } = request
    const mark = target.indexOf('?')
    this.request = request
    this.path = mark === -1 ? target : target.slice(0, mark)
    this.query = mark === -1 ? '' : target.slice(mark + 1)
  }

  /** All that are known by now. */
  get headers(): readonly Header[] {
    return [...this.#fixed, ...this.#rate]
  }

  /** Adds headers that stay, however often the request is counted. */
  addHeaders(headers: readonly Header[]): void {
    this.#fixed.push(...headers)
  }

  /** Counts the request once, before anything is known of its response. */
  count(limiter: RateLimiter | undefined, bucket: string): Awaitable<void> {
    return whenReady(limiter?.take(bucket) ?? null, (state) => {
      if (limiter !== undefined && state !== null) {
        this.#counted = { limiter, bucket, limit: state.limit }
      }
      this.#requireRoom(state)
    })
  }

  /**
   * Counts the request as several, once its cost is known: as the whole limit at most, so that a client that
   * requests nothing else gets any list.
   */
  charge(cost: number): Awaitable<void> {
    if (this.#counted === null) return undefined
    const { limiter, bucket, limit } = this.#counted
    const more = Math.min(cost, limit) - 1
    if (more < 1) return undefined
    return whenReady(limiter.take(bucket, more), (state) => this.#requireRoom(state))
  }

  /** The error of a request that comes too soon; its response says when there is room again. */
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
