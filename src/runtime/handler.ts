// Answers every HTTP request: route, method, parameters, look-up, in this order, and the headers around it.
// Knows no host and no storage; a body always comes from `respond`.
import { type Answer, bodyBytes, etagOf } from '../api/answer.ts'
import { ApiError, errorJson } from '../api/errors.ts'
import { parseParameters } from '../api/parameters.ts'
import type { Target } from '../api/request.ts'
import { respond } from '../api/respond.ts'
import { matchRoute, operations, splitQuery, targetLengthMax, versionOf } from '../api/routes.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { cacheControl, corsHeaders, matchesEtag, preflightHeaders } from './headers.ts'
import type { Header, HttpReply, HttpRequest } from './http.ts'

/** The workspaces of one build. */
export interface ServedSite {
  /** The build's id. */
  readonly build: string
  readonly workspaces: ReadonlyMap<string, ServedWorkspace>
}

/** A workspace as it is served. */
export interface ServedWorkspace {
  readonly snapshot: Snapshot
  /** Nothing of it is served under v1. */
  readonly isV1Private: boolean
}

/** What a handler needs to know of its surroundings. */
export interface HandlerOptions {
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
  /** Told of every fault of ours, with the request's id. */
  readonly onError?: (error: unknown, requestId: string) => void
}

/** Answers a request; never rejects. */
export type Handler = (request: HttpRequest) => Promise<HttpReply>

/**
 * A handler over a site.
 *
 * @param site asked once a request, so that a new build is picked up as a whole
 */
export function createHandler(site: () => ServedSite, options: HandlerOptions = {}): Handler {
  const { now = Date.now, onError = () => {} } = options
  return async (request) => {
    const [path = '', query = ''] = splitTarget(request.target)
    try {
      return await handle(request, { path, query }, site(), now())
    } catch (error) {
      const known = error instanceof ApiError ? error : internalError(error, onError)
      return errorReply(request, path, known)
    }
  }
}

interface Address {
  readonly path: string
  readonly query: string
}

async function handle(
  request: HttpRequest,
  { path, query }: Address,
  site: ServedSite,
  now: number,
): Promise<HttpReply> {
  if (request.target.length > targetLengthMax) {
    throw new ApiError(414, `The target is longer than ${targetLengthMax} characters.`)
  }
  if (request.method === 'OPTIONS') return { status: 204, headers: preflightHeaders, body: null }
  if (path.length > 1 && path.endsWith('/')) return redirect(path, query)
  const service = serviceAnswer(path, site)
  const target = service === null ? matchRoute(path) : null
  if (service === null && target === null) throw new ApiError(404, 'There is no such path.')
  if (target?.version === 'v2') throw new ApiError(401, 'Missing or invalid API key.')
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError(405, 'Only GET, HEAD and OPTIONS are answered.')
  }
  if (target === null) return jsonReply(request, encoder.encode(service ?? ''))
  return contentReply(request, target, query, site, now)
}

async function contentReply(
  request: HttpRequest,
  target: Target,
  query: string,
  site: ServedSite,
  now: number,
): Promise<HttpReply> {
  const parameters = parseParameters(target, splitQuery(query))
  const workspace = target.workspace === null ? undefined : site.workspaces.get(target.workspace)
  if (target.workspace === null || workspace === undefined || workspace.isV1Private) {
    throw new ApiError(404, 'There is no such workspace.')
  }
  const { snapshot } = workspace
  const answer = await respond(
    { ...target, workspace: target.workspace, parameters },
    snapshot,
    now,
  )
  return answerReply(request, target, answer, snapshot, now)
}

async function answerReply(
  request: HttpRequest,
  target: Target,
  answer: Answer,
  snapshot: Snapshot,
  now: number,
): Promise<HttpReply> {
  if (answer.status !== 200) {
    const body = await bodyBytes(answer.body, snapshot)
    return withoutBodyOnHead(request, {
      status: answer.status,
      headers: errorHeaders(answer.status),
      body,
    })
  }
  const etag = etagOf(answer.body, snapshot)
  const headers: Header[] = [
    ...corsHeaders,
    ['etag', etag],
    ['cache-control', cacheControl(target.version, answer.validUntil, now)],
  ]
  if (matchesEtag(request.header('if-none-match'), etag))
    return { status: 304, headers, body: null }
  const body = await bodyBytes(answer.body, snapshot)
  headers.push(['content-type', 'application/json'])
  return withoutBodyOnHead(request, { status: 200, headers, body })
}

/** Answers about the service itself; null for every other path. */
function serviceAnswer(path: string, site: ServedSite): string | null {
  if (path === '/status') return JSON.stringify({ status: 'ok', build: site.build })
  if (path !== '/') return null
  return JSON.stringify({
    service: 'quarry',
    build: site.build,
    operations: operations.map(({ template }) => `GET ${template}`),
  })
}

function redirect(path: string, query: string): HttpReply {
  // One leading slash: `//host/` would be another site's address.
  const location = `/${path.replace(/^\/+|\/+$/g, '')}${query === '' ? '' : `?${query}`}`
  return { status: 308, headers: [...corsHeaders, ['location', location]], body: null }
}

function jsonReply(request: HttpRequest, body: Uint8Array): HttpReply {
  const headers: Header[] = [
    ...corsHeaders,
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
  ]
  return withoutBodyOnHead(request, { status: 200, headers: headers, body })
}

function errorReply(request: HttpRequest, path: string, error: ApiError): HttpReply {
  const body = encoder.encode(errorJson(versionOf(path), error))
  return withoutBodyOnHead(request, {
    status: error.status,
    headers: errorHeaders(error.status),
    body,
  })
}

function errorHeaders(status: number): Header[] {
  const headers: Header[] = [
    ...corsHeaders,
    ['content-type', 'application/json'],
    ['cache-control', 'no-store'],
  ]
  if (status === 401) headers.push(['www-authenticate', 'Bearer'])
  if (status === 405) headers.push(['allow', 'GET, HEAD, OPTIONS'])
  return headers
}

function internalError(error: unknown, onError: (error: unknown, id: string) => void): ApiError {
  const id = crypto.randomUUID()
  onError(error, id)
  return new ApiError(500, `Something went wrong on our side. Request ${id}.`)
}

function withoutBodyOnHead(request: HttpRequest, reply: HttpReply): HttpReply {
  if (request.method !== 'HEAD' || reply.body === null) return reply
  const length: Header = ['content-length', String(reply.body.length)]
  return { ...reply, headers: [...reply.headers, length], body: null }
}

function splitTarget(target: string): readonly [string, string] {
  const mark = target.indexOf('?')
  return mark === -1 ? [target, ''] : [target.slice(0, mark), target.slice(mark + 1)]
}

const encoder = new TextEncoder()
