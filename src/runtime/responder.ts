// Responds to HTTP requests. Checks route, key, rate, scope, method and parameters, in this order, and looks up the
// response. `respond` makes every body.
import { ApiError } from '../api/errors.ts'
import { scopeOf } from '../api/keys.ts'
import type { Target } from '../api/request.ts'
import { isSdkPath, matchRoute, splitQuery, targetLengthMax, targetTooLong } from '../api/routes.ts'
import type { Awaitable } from '../api/snapshot.ts'
import { agentPath, agentPreflight, agentSource, type LoadAgents } from './agents.ts'
import { type ContentOptions, contentReplies, inLanguage } from './content-reply.ts'
import {
  forOrigin,
  type HttpReply,
  type HttpRequest,
  ignoredHeaders,
  preflightHeaders,
} from './http.ts'
import type { ApiKey, Keyring } from './keys.ts'
import type { ServedSite } from './open-build.ts'
import type { RateLimits } from './rate-limit.ts'
import {
  agentMethodReply,
  badMethod,
  documentReply,
  errorReply,
  forbidden,
  internalError,
  RequestContext,
  type RouteMatch,
  redirectReply,
  statusReply,
  unauthorized,
} from './replies.ts'

/** Options of `createResponder`. */
export interface ResponderOptions extends ContentOptions {
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
  /** Reads the page that `/` shows to browsers; null if there is none. @default no page */
  readonly readPage?: () => Awaitable<Uint8Array | null>
  /** The keys of the served site. @default none: every v2 request is refused */
  readonly keyring?: (site: ServedSite) => Keyring
  /** Rate limits. @default unlimited */
  readonly limits?: RateLimits | null
  /** Loads the responder for `POST /mcp`. @default the path does not exist */
  readonly loadAgents?: LoadAgents | undefined
  /** Milliseconds since 1970, when reading a newer build first failed; null without a failure. @default null */
  readonly failingSince?: () => number | null
  /** Called with every internal error, and the request's id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

const servicePaths: ReadonlySet<string> = new Set(['/', '/openapi.json', '/status'])

/** Responds to a request; never rejects. */
export type Responder = (request: HttpRequest) => Awaitable<HttpReply>

/** @param site called once per request, so that a new build is picked up as a whole */
export function createResponder(
  site: () => ServedSite,
  options: ResponderOptions = {},
): (request: HttpRequest) => Promise<HttpReply> {
  const { keyring, limits, loadAgents, now = Date.now } = options
  const replyWithContent = contentReplies(options)
  const etags = new WeakMap<Uint8Array, string>()

  const respond = async (request: HttpRequest): Promise<HttpReply> => {
    const context = new RequestContext(request, site(), now())
    const reply = await handle(context).catch((error) => {
      if (!(error instanceof ApiError)) options.onError?.(error, context.id)
      const known = error instanceof ApiError ? error : internalError(context.id)
      return errorReply(request, known, context.headers)
    })
    const { cors } = context.site.http ?? {}
    const origin = request.header('origin') ?? ''
    return cors === undefined ? reply : forOrigin(reply, cors.includes(origin) ? origin : null)
  }

  const handle = async (context: RequestContext): Promise<HttpReply> => {
    const { request, path } = context
    if (request.target.length > targetLengthMax) throw targetTooLong()
    const load = path === agentPath ? loadAgents : undefined
    if (request.method === 'OPTIONS') {
      const own = load === undefined ? preflightHeaders : agentPreflight
      return { status: 204, headers: [...own, ...context.headers], body: null, source: 'none' }
    }
    if (servicePaths.has(path) || path.endsWith('/')) return describeService(context)
    return load === undefined ? respondWithContent(context) : respondToAgent(context, load)
  }

  const respondWithContent = async (context: RequestContext): Promise<HttpReply> => {
    const { request, path, query, site } = context
    const match = await (isKeyedPath(path) ? admitKeyed(context) : admitOpen(context))
    requireReading(request)
    const chosen = await inLanguage(match, site, splitQuery(query))
    context.addHeaders(ignoredHeaders(match.target, chosen.pairs))
    return replyWithContent({ context, ...match, ...chosen })
  }

  /** Replies about the service. Requests are counted per address, like content requests, except for `/status`. */
  const describeService = async (context: RequestContext): Promise<HttpReply> => {
    const { request, path } = context
    const isSlashed = !servicePaths.has(path)
    if (!isSlashed) requireReading(request)
    if (path === '/status') return statusReply(context, options.failingSince?.() ?? null)
    await countService(context)
    if (isSlashed) return redirectReply(context)
    // Browsers name HTML in `Accept`; programs accept any type.
    const isBrowser = /\btext\/html\b/i.test(request.header('accept') ?? '')
    const page = isBrowser && path === '/' ? await options.readPage?.() : null
    return documentReply(context, page ?? null, etags)
  }

  const respondToAgent = async (context: RequestContext, load: LoadAgents): Promise<HttpReply> => {
    const { request, site } = context
    const key = request.header('authorization') === null ? null : await requireKey(context)
    // Counts the message per address; the requests of its tools are counted like any others.
    await countService(context)
    if (request.method !== 'POST') return agentMethodReply(request, context.headers)
    const agents = await load()
    return agents(request, agentSource(site, request, key, respond), context.headers)
  }

  const countService = (context: RequestContext): Promise<void> => {
    const { clientAddress } = context.request
    return context.count(counted(clientAddress, 'requests'), `service ${clientAddress}`)
  }

  /** Clients without an address cannot be counted separately. */
  const counted = (clientAddress: string, name: keyof RateLimits) =>
    clientAddress === '' ? undefined : limits?.[name]

  /** Admits a request of v1, which needs no key. Requests are counted per address and workspace. */
  const admitOpen = async (context: RequestContext): Promise<RouteMatch> => {
    const target = requireRoute(context.path)
    const workspace = target.workspace ?? ''
    const { clientAddress } = context.request
    // Unserved workspaces share one count: made-up names must not allow more requests, and the count must not
    // distinguish a closed workspace from a missing one.
    const isOpen = context.site.workspaces.get(workspace)?.isV1Private === false
    const bucket = `v1 ${clientAddress} ${isOpen ? workspace : ''}`
    await context.count(counted(clientAddress, 'requests'), bucket)
    return { target, workspace, scopes: null }
  }

  /** Admits a request of v2 or of the vendor's SDKs. Without a key, every response is a 401, even for unknown paths. */
  const admitKeyed = async (context: RequestContext): Promise<RouteMatch> => {
    const { workspace, id, scopes } = await requireKey(context)
    await context.count(limits?.requests, `v2 ${workspace} ${id}`)
    const target = requireRoute(context.path)
    if (!scopes.includes(scopeOf(target.resource))) throw new ApiError(403, forbidden)
    return { target, workspace, scopes }
  }

  const requireKey = async (context: RequestContext): Promise<ApiKey> => {
    const { request, path, site, now } = context
    const sent = request.header('authorization')
    // The vendor's SDKs send the key without a scheme.
    const isBare = sent !== null && isSdkPath(path) && !sent.includes(' ')
    const key = keyring?.(site).find(isBare ? `Bearer ${sent}` : sent, now) ?? null
    if (key !== null) return key
    const { clientAddress } = request
    const state = await counted(clientAddress, 'failures')?.take(`key ${clientAddress}`)
    throw state?.isAllowed === false ? context.tooMany(state) : unauthorized()
  }

  return respond
}

/** Reports whether a path is in v2 or in the vendor's SDK API. */
function isKeyedPath(path: string): boolean {
  return path === '/v2' || path.startsWith('/v2/') || isSdkPath(path)
}

function requireRoute(path: string): Target {
  const target = matchRoute(path)
  if (target === null) throw new ApiError(404, 'There is no such path.')
  return target
}

function requireReading({ method }: HttpRequest): void {
  if (method !== 'GET' && method !== 'HEAD') throw badMethod
}
