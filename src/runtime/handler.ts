// Answers every HTTP request: route, key, rate, scope, method, parameters, look-up, in this order.
// Knows no host and no storage; a body always comes from `respond`.
import { ApiError } from '../api/errors.ts'
import type { Target } from '../api/request.ts'
import { matchRoute, targetLengthMax, versionOf } from '../api/routes.ts'
import { type ContentOptions, type Located, locateContent } from './content-reply.ts'
import { rateHeaders } from './headers.ts'
import type { Header, HttpReply, HttpRequest } from './http.ts'
import type { ApiKey, Keyring } from './keys.ts'
import type { RateLimiter, RateState } from './rate-limit.ts'
import { errorReply, internalError, jsonReply, preflightReply, redirectReply } from './replies.ts'
import { serviceJson } from './service.ts'
import type { ServedSite } from './site.ts'

/** What a handler needs to know of its surroundings. */
export interface HandlerOptions extends ContentOptions {
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
  /** The keys of the site that is served. @default none: nothing under v2 is answered */
  readonly keyring?: (site: ServedSite) => Keyring
  /** How often somebody may ask. @default as often as they like */
  readonly limits?: RateLimits
  /** Told of every fault of ours, with the request's id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Limits on requests. */
export interface RateLimits {
  /** Of one key, or of one address in one workspace. */
  readonly requests: RateLimiter
  /** Keys that were refused, of one address. */
  readonly failures: RateLimiter
}

/** Answers a request; never rejects. */
export type Handler = (request: HttpRequest) => Promise<HttpReply>

/**
 * A handler over a site.
 *
 * @param site asked once a request, so that a new build is picked up as a whole
 */
export function createHandler(site: () => ServedSite, options: HandlerOptions = {}): Handler {
  const answer = locateContent(options)
  return async (request) => {
    const requestId = crypto.randomUUID()
    const exchange = new Exchange(request)
    let reply: HttpReply
    try {
      reply = await handle(exchange, site(), options, answer)
    } catch (error) {
      if (!(error instanceof ApiError)) options.onError?.(error, requestId)
      const known = error instanceof ApiError ? error : internalError(requestId)
      reply = errorReply(request, versionOf(exchange.path), known, exchange.headers)
    }
    return { ...reply, headers: [...reply.headers, ['x-request-id', requestId]] }
  }
}

/** A request on its way, and the headers that it has earned so far. */
class Exchange {
  readonly request: HttpRequest
  readonly path: string
  readonly query: string
  readonly headers: Header[] = []

  constructor(request: HttpRequest) {
    const { target } = request
    const mark = target.indexOf('?')
    this.request = request
    this.path = mark === -1 ? target : target.slice(0, mark)
    this.query = mark === -1 ? '' : target.slice(mark + 1)
  }
}

async function handle(
  exchange: Exchange,
  site: ServedSite,
  options: HandlerOptions,
  answer: ReturnType<typeof locateContent>,
): Promise<HttpReply> {
  const { request, path, query } = exchange
  const now = options.now?.() ?? Date.now()
  if (request.target.length > targetLengthMax) {
    throw new ApiError(414, `The target is longer than ${targetLengthMax} characters.`)
  }
  if (request.method === 'OPTIONS') return preflightReply
  if (path.length > 1 && path.endsWith('/')) return redirectReply(path, query)
  const service = serviceJson(path, site)
  if (service !== null) {
    requireReading(request)
    return jsonReply(request, service)
  }
  const { target, workspace } = await admit(exchange, site, options, now)
  requireReading(request)
  return answer(exchange, { site, target, workspace, now })
}

/** Who asks, whether they may, and what for. */
async function admit(
  exchange: Exchange,
  site: ServedSite,
  options: HandlerOptions,
  now: number,
): Promise<Located> {
  const isKeyed = exchange.path === '/v2' || exchange.path.startsWith('/v2/')
  if (!isKeyed) {
    const target = requireRoute(exchange.path)
    const workspace = target.workspace ?? ''
    // Workspaces that do not exist are counted as one: made-up names must not buy more requests.
    const counted = site.workspaces.has(workspace) ? workspace : ''
    const { clientAddress } = exchange.request
    await countRequest(exchange, options.limits?.requests, `v1 ${clientAddress} ${counted}`)
    return { target, workspace }
  }
  // Without a key everything is 401, whether it exists or not.
  const key = await requireKey(exchange, site, options, now)
  await countRequest(exchange, options.limits?.requests, `v2 ${key.workspace} ${key.id}`)
  const target = requireRoute(exchange.path)
  if (!key.scopes.includes(`${target.resource}:read`)) {
    throw new ApiError(403, 'Insufficient permissions for this resource.')
  }
  return { target, workspace: key.workspace }
}

function requireRoute(path: string): Target {
  const target = matchRoute(path)
  if (target === null) throw new ApiError(404, 'There is no such path.')
  return target
}

async function requireKey(
  exchange: Exchange,
  site: ServedSite,
  options: HandlerOptions,
  now: number,
): Promise<ApiKey> {
  const { request } = exchange
  const key = options.keyring?.(site).find(request.header('authorization'), now) ?? null
  if (key !== null) return key
  const state = (await options.limits?.failures.take(`key ${request.clientAddress}`)) ?? null
  if (state !== null && !state.isAllowed) throw tooMany(exchange, state)
  throw new ApiError(401, 'Missing or invalid API key.')
}

async function countRequest(
  exchange: Exchange,
  limiter: RateLimiter | undefined,
  bucket: string,
): Promise<void> {
  const taken = limiter?.take(bucket) ?? null
  const state = taken instanceof Promise ? await taken : taken
  if (state !== null && !state.isAllowed) throw tooMany(exchange, state)
  exchange.headers.push(...rateHeaders(state))
}

function tooMany(exchange: Exchange, state: RateState): ApiError {
  exchange.headers.push(...rateHeaders(state))
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
