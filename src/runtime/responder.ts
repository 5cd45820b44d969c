// Answers every HTTP request: route, key, rate, scope, method, parameters, look-up, in this order.
// Knows no host and no storage; a body always comes from `respond`.
import { whenReady } from '../api/awaitable.ts'
import { ApiError } from '../api/errors.ts'
import type { Target } from '../api/request.ts'
import { matchRoute, targetLengthMax, targetTooLong, versionOf } from '../api/routes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { type ContentOptions, locateContent } from './content-reply.ts'
import { ignoredHeaders, rateHeaders } from './headers.ts'
import type { Header, HttpReply, HttpRequest } from './http.ts'
import type { ApiKey, Keyring } from './keys.ts'
import { forbidden, type Located } from './located.ts'
import type { RateLimiter, RateLimits, RateState } from './rate-limit.ts'
import {
  documentReply,
  errorReply,
  internalError,
  jsonReply,
  preflightReply,
  redirectReply,
} from './replies.ts'
import { ServiceDocuments, statusJson, wantsPage } from './service.ts'
import type { ServedSite } from './site.ts'

/** What a responder needs to know of its surroundings. */
export interface ResponderOptions extends ContentOptions {
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
  /** The page that `/` shows to browsers; null where there is none. @default `public/index.html` of `readFile` */
  readonly readPage?: () => Awaitable<Uint8Array | null>
  /** The keys of the site that is served. @default none: nothing under v2 is answered */
  readonly keyring?: (site: ServedSite) => Keyring
  /** How often somebody may ask. @default as often as they like */
  readonly limits?: RateLimits
  /** Told of every fault of ours, with the request's id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Answers a request, at once where everything is at hand; never throws nor rejects. */
export type Responder = (request: HttpRequest) => Awaitable<HttpReply>

/**
 * A responder over a site.
 *
 * @param site asked once a request, so that a new build is picked up as a whole
 */
export function createResponder(site: () => ServedSite, options: ResponderOptions = {}): Responder {
  const answer = locateContent(options)
  const documents = new ServiceDocuments()
  return (request) => {
    const requestId = crypto.randomUUID()
    const exchange = new Exchange(request, requestId)
    const refuse = (error: unknown): HttpReply => {
      if (!(error instanceof ApiError)) options.onError?.(error, requestId)
      const known = error instanceof ApiError ? error : internalError(requestId)
      return errorReply(request, versionOf(exchange.path), known, exchange.headers)
    }
    try {
      const reply = handle(exchange, site(), options, answer, documents)
      return reply instanceof Promise ? reply.catch(refuse) : reply
    } catch (error) {
      return refuse(error)
    }
  }
}

/** A request on its way, and the headers that its reply will have whatever it is. */
class Exchange {
  readonly request: HttpRequest
  readonly path: string
  readonly query: string
  readonly headers: Header[]
  /** Who counts this request, and how much is left; null where nobody does. */
  #counted: {
    readonly limiter: RateLimiter
    readonly bucket: string
    readonly limit: number
  } | null = null

  constructor(request: HttpRequest, requestId: string) {
    this.headers = [['x-request-id', requestId]]
    const { target } = request
    const mark = target.indexOf('?')
    this.request = request
    this.path = mark === -1 ? target : target.slice(0, mark)
    this.query = mark === -1 ? '' : target.slice(mark + 1)
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

  #requireRoom(state: RateState | null): void {
    if (state !== null && !state.isAllowed) throw tooMany(this, state)
    this.setRate(state)
  }

  /** The headers of the last count, in the place of those of an earlier one. */
  setRate(state: RateState | null): void {
    this.headers.splice(1, this.headers.length, ...rateHeaders(state))
  }
}

function handle(
  exchange: Exchange,
  site: ServedSite,
  options: ResponderOptions,
  answer: ReturnType<typeof locateContent>,
  documents: ServiceDocuments,
): Awaitable<HttpReply> {
  const { request, path, query } = exchange
  const now = options.now?.() ?? Date.now()
  if (request.target.length > targetLengthMax) {
    throw targetTooLong()
  }
  if (request.method === 'OPTIONS') return preflightReply(exchange.headers)
  if (path.length > 1 && path.endsWith('/')) return redirectReply(path, query, exchange.headers)
  if (path === '/status') {
    requireReading(request)
    return jsonReply(request, statusJson(site), exchange.headers)
  }
  if (path === '/' || path === '/openapi.json') {
    requireReading(request)
    return describeService(exchange, site, options, documents)
  }
  const isKeyed = path === '/v2' || path.startsWith('/v2/')
  const admit = isKeyed ? admitKeyed : admitOpen
  return whenReady(admit(exchange, site, options, now), (located) => {
    requireReading(request)
    exchange.headers.push(...ignoredHeaders(located.target, query))
    return answer(exchange, { site, now, ...located })
  })
}

/** Counted for an address, as requests for content are. */
function describeService(
  exchange: Exchange,
  site: ServedSite,
  options: ResponderOptions,
  documents: ServiceDocuments,
): Awaitable<HttpReply> {
  const { request, path } = exchange
  const limiter = request.clientAddress === '' ? undefined : options.limits?.requests
  return whenReady(exchange.count(limiter, `service ${request.clientAddress}`), () => {
    const page = path === '/' && wantsPage(request) ? readPage(options) : null
    return whenReady(page, (bytes) => {
      const document = documents.find(path, site, bytes)
      if (document === null) throw new ApiError(404, 'There is no such path.')
      return documentReply(request, document, exchange.headers)
    })
  })
}

function readPage({ readPage, readFile }: ResponderOptions): Awaitable<Uint8Array | null> {
  return readPage?.() ?? readFile?.('public/index.html') ?? null
}

/** v1: nobody is asked for a key; requests are counted for an address and a workspace. */
function admitOpen(
  exchange: Exchange,
  site: ServedSite,
  { limits }: ResponderOptions,
): Awaitable<Located> {
  const target = requireRoute(exchange.path)
  const workspace = target.workspace ?? ''
  // Workspaces that are not served are counted as one: made-up names must not buy more requests, and the
  // count must not tell a closed workspace from none.
  const isOpen = site.workspaces.get(workspace)?.isV1Private === false
  const { clientAddress } = exchange.request
  const located: Located = { target, workspace, mayReadPosts: true }
  // Somebody who is not known cannot be counted apart from others.
  if (limits === undefined || clientAddress === '') return located
  const bucket = `v1 ${clientAddress} ${isOpen ? workspace : ''}`
  return whenReady(exchange.count(limits.requests, bucket), () => located)
}

/** v2: without a key everything is 401, whether it exists or not. */
function admitKeyed(
  exchange: Exchange,
  site: ServedSite,
  options: ResponderOptions,
  now: number,
): Awaitable<Located> {
  return whenReady(requireKey(exchange, site, options, now), (key) => {
    const bucket = `v2 ${key.workspace} ${key.id}`
    return whenReady(exchange.count(options.limits?.requests, bucket), () => {
      const target = requireRoute(exchange.path)
      if (!key.scopes.includes(`${target.resource}:read`)) {
        throw new ApiError(403, forbidden)
      }
      const mayReadPosts = key.scopes.includes('posts:read')
      return { target, workspace: key.workspace, mayReadPosts }
    })
  })
}

function requireRoute(path: string): Target {
  const target = matchRoute(path)
  if (target === null) throw new ApiError(404, 'There is no such path.')
  return target
}

function requireKey(
  exchange: Exchange,
  site: ServedSite,
  options: ResponderOptions,
  now: number,
): Awaitable<ApiKey> {
  const { request } = exchange
  const key = options.keyring?.(site).find(request.header('authorization'), now) ?? null
  if (key !== null) return key
  const { clientAddress } = request
  const limiter = clientAddress === '' ? undefined : options.limits?.failures
  return whenReady(limiter?.take(`key ${clientAddress}`) ?? null, (state) => {
    if (state !== null && !state.isAllowed) throw tooMany(exchange, state)
    throw new ApiError(401, 'Missing or invalid API key.')
  })
}

function tooMany(exchange: Exchange, state: RateState): ApiError {
  exchange.setRate(state)
  const { resetSeconds } = state
  return new ApiError(429, `Rate limit exceeded. Try again in ${resetSeconds} s.`, {
    retryAfterSeconds: resetSeconds,
  })
}

function requireReading({ method }: HttpRequest): void {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new ApiError(405, 'Only GET, HEAD and OPTIONS are answered.')
  }
}
