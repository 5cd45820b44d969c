// Responds to HTTP requests: route, key, rate, scope, method, parameters, look-up, in this order. Bodies always come
// from `respond`.

import { ApiError } from '../api/errors.ts'
import type { Target } from '../api/request.ts'
import { resourceKinds } from '../api/resources.ts'
import {
  errorFormOf,
  isSdkPath,
  matchRoute,
  targetLengthMax,
  targetTooLong,
} from '../api/routes.ts'
import { type Awaitable, whenReady } from '../api/snapshot.ts'
import { agentPath, agentPreflight, agentSource, type LoadAgents } from './agents.ts'
import { type ContentOptions, locateContent } from './content-reply.ts'
import { type HttpReply, type HttpRequest, ignoredHeaders } from './http.ts'
import type { ApiKey, Keyring } from './keys.ts'
import type { RateLimits } from './rate-limit.ts'
import {
  agentMethodReply,
  documentReply,
  errorReply,
  internalError,
  jsonReply,
  preflightReply,
  redirectReply,
  ServiceDocuments,
  statusJson,
  unauthorized,
  wantsPage,
} from './replies.ts'
import { forbidden, RequestContext, type RouteMatch } from './request-context.ts'
import { type ClosedSite, openSite, type ServedSite, type SiteHead } from './site.ts'

/** Options of `createResponder`. */
export interface ResponderOptions extends ContentOptions {
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
  /**
   * Reads the page that `/` shows to browsers; null when there is none. @default `public/index.html` of `readFile`
   */
  readonly readPage?: () => Awaitable<Uint8Array | null>
  /** The keys of the served site. @default none: every v2 request is refused */
  readonly keyring?: (site: SiteHead) => Keyring
  /** Rate limits. @default unlimited */
  readonly limits?: RateLimits
  /** Loads the responder for `POST /mcp`. @default the path does not exist */
  readonly loadAgents?: LoadAgents | undefined
  /** Called with every internal error, and the request's id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Responds to a request, synchronously when everything is in memory; never throws or rejects. */
export type Responder = (request: HttpRequest) => Awaitable<HttpReply>

/**
 * Returns a responder for a site.
 *
 * @param site called once per request, so that a new build is picked up as a whole
 */
export function createResponder(
  site: () => ServedSite | ClosedSite,
  options: ResponderOptions = {},
): Responder {
  const response = locateContent(options)
  const documents = new ServiceDocuments()
  const respond: Responder = (request) => {
    const requestId = crypto.randomUUID()
    const context = new RequestContext(request, requestId)
    const refuse = (error: unknown): HttpReply => {
      if (!(error instanceof ApiError)) options.onError?.(error, requestId)
      const known = error instanceof ApiError ? error : internalError(requestId)
      return errorReply(request, errorFormOf(context.path), known, context.headers)
    }
    try {
      const reply = handle(context, site(), options, { response, documents, respond })
      return reply instanceof Promise ? reply.catch(refuse) : reply
    } catch (error) {
      return refuse(error)
    }
  }
  return respond
}

/** The components of a responder. */
interface Parts {
  readonly response: ReturnType<typeof locateContent>
  readonly documents: ServiceDocuments
  readonly respond: Responder
}

function handle(
  context: RequestContext,
  site: ServedSite | ClosedSite,
  options: ResponderOptions,
  { response, documents, respond }: Parts,
): Awaitable<HttpReply> {
  const { request, path, query } = context
  const now = options.now?.() ?? Date.now()
  if (request.target.length > targetLengthMax) throw targetTooLong()
  const { loadAgents } = path === agentPath ? options : {}
  if (request.method === 'OPTIONS') {
    return preflightReply(context.headers, loadAgents === undefined ? undefined : agentPreflight)
  }
  if (path.length > 1 && path.endsWith('/'))
    return whenReady(countService(context, options), () => redirectReply(context))
  if (path === '/status') {
    requireReading(request)
    return jsonReply(request, statusJson(site), context.headers)
  }
  if (path === '/' || path === '/openapi.json') {
    requireReading(request)
    return describeService(context, site, options, documents)
  }
  if (loadAgents !== undefined) {
    return respondToAgent(context, site, { ...options, loadAgents }, now, respond)
  }
  const isKeyed = path === '/v2' || path.startsWith('/v2/') || isSdkPath(path)
  const admit = isKeyed ? admitKeyed : admitOpen
  return whenReady(admit(context, site, options, now), (match) => {
    requireReading(request)
    context.addHeaders(ignoredHeaders(match.target, query))
    return response(context, { site, now, ...match })
  })
}

/** Counts the request per address, like content requests. */
function describeService(
  context: RequestContext,
  site: ServedSite | ClosedSite,
  options: ResponderOptions,
  documents: ServiceDocuments,
): Awaitable<HttpReply> {
  const { request, path } = context
  return whenReady(countService(context, options), () => {
    const page = path === '/' && wantsPage(request) ? readPage(options) : null
    return whenReady(page, (bytes) =>
      whenReady(openSite(site), async (opened) => {
        const document = await documents.find(path, opened, bytes)
        if (document === null) throw new ApiError(404, 'There is no such path.')
        return documentReply(request, document, context.headers)
      }),
    )
  })
}

function countService(context: RequestContext, { limits }: ResponderOptions): Awaitable<void> {
  const { clientAddress } = context.request
  const limiter = clientAddress === '' ? undefined : limits?.requests
  return context.count(limiter, `service ${clientAddress}`)
}

/** Counts a message per address; the requests of its tools are counted like any others. */
async function respondToAgent(
  context: RequestContext,
  site: SiteHead,
  options: ResponderOptions & { readonly loadAgents: LoadAgents },
  now: number,
  respond: Responder,
): Promise<HttpReply> {
  const { request } = context
  const hasKey = request.header('authorization') !== null
  const key = hasKey ? await requireKey(context, site, options, now) : null
  await countService(context, options)
  if (request.method !== 'POST') return agentMethodReply(request, context.headers)
  const agents = await options.loadAgents()
  return agents(request, agentSource(site, request, key, respond), context.headers)
}

function readPage({ readPage, readFile }: ResponderOptions): Awaitable<Uint8Array | null> {
  return readPage?.() ?? readFile?.('public/index.html') ?? null
}

/** v1 needs no key; requests are counted per address and workspace. */
function admitOpen(
  context: RequestContext,
  site: SiteHead,
  { limits }: ResponderOptions,
): Awaitable<RouteMatch> {
  const target = requireRoute(context.path)
  const workspace = target.workspace ?? ''
  // Unserved workspaces share one count: made-up names must not buy more requests, and the count must not distinguish
  // a closed workspace from a missing one.
  const isOpen = site.workspaces.get(workspace)?.isV1Private === false
  const { clientAddress } = context.request
  const match: RouteMatch = { target, workspace, mayReadPosts: true, mayReadDrafts: false }
  // Clients without an address cannot be counted separately.
  if (limits === undefined || clientAddress === '') return match
  const bucket = `v1 ${clientAddress} ${isOpen ? workspace : ''}`
  return whenReady(context.count(limits.requests, bucket), () => match)
}

/** v2 and the vendor's SDKs: without a key, everything is a 401, whether or not it exists. */
function admitKeyed(
  context: RequestContext,
  site: SiteHead,
  options: ResponderOptions,
  now: number,
): Awaitable<RouteMatch> {
  return whenReady(requireKey(context, site, options, now), (key) => {
    const bucket = `v2 ${key.workspace} ${key.id}`
    return whenReady(context.count(options.limits?.requests, bucket), () => {
      const target = requireRoute(context.path)
      const mayReadPosts = key.scopes.includes('posts:read')
      const mayReadDrafts = key.scopes.includes('drafts:read')
      // Images, custom fields and documents belong to posts.
      const kind = resourceKinds.find((name) => name === target.resource) ?? 'posts'
      const mayRead = key.scopes.includes(`${kind}:read`)
      if (!mayRead) throw new ApiError(403, forbidden)
      return { target, workspace: key.workspace, mayReadPosts, mayReadDrafts }
    })
  })
}

function requireRoute(path: string): Target {
  const target = matchRoute(path)
  if (target === null) throw new ApiError(404, 'There is no such path.')
  return target
}

function requireKey(
  context: RequestContext,
  site: SiteHead,
  options: ResponderOptions,
  now: number,
): Awaitable<ApiKey> {
  const { request } = context
  const key = options.keyring?.(site).find(authorizationOf(context), now) ?? null
  if (key !== null) return key
  const { clientAddress } = request
  const limiter = clientAddress === '' ? undefined : options.limits?.failures
  return whenReady(limiter?.take(`key ${clientAddress}`) ?? null, (state) => {
    if (state !== null && !state.isAllowed) throw context.tooMany(state)
    throw unauthorized()
  })
}

/** The vendor's SDKs send the key without a scheme. */
function authorizationOf({ request, path }: RequestContext): string | null {
  const sent = request.header('authorization')
  return sent !== null && isSdkPath(path) && !sent.includes(' ') ? `Bearer ${sent}` : sent
}

function requireReading({ method }: HttpRequest): void {
  if (method !== 'GET' && method !== 'HEAD') {
    throw new ApiError(405, 'Only GET, HEAD and OPTIONS are supported.')
  }
}
