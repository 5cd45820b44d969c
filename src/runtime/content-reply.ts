// Replies to admitted content requests: from the cache of recent responses, from a written file, or from the index.
import { type ApiResponse, bodyBytes, bodyRuns, bodySize, hostEtagOf } from '../api/api-response.ts'
import { documentTable, isDocumentKind } from '../api/documents.ts'
import { ApiError } from '../api/errors.ts'
import { parseParameters } from '../api/parameters.ts'
import { filePath } from '../api/paths.ts'
import { type ApiRequest, includesPosts } from '../api/request.ts'
import { respond } from '../api/respond.ts'
import { splitQuery } from '../api/routes.ts'
import { type Awaitable, type Snapshot, whenReady } from '../api/snapshot.ts'
import { type Visibility, visibilityAt } from '../api/visibility.ts'
import { requestsOf, type Work } from '../api/work.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import {
  type CacheTimes,
  cacheControl,
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
  type ReplySource,
} from './http.ts'
import { contentReply, movedReply } from './replies.ts'
import { forbidden, type RouteMatch } from './request-context.ts'
import { type ClosedSite, openSite, type ServedSite, type ServedWorkspace } from './site.ts'

/** Options of content replies. */
export interface ContentOptions {
  /**
   * Reads a file of the same build, on hosts whose deployments are replaced as a whole.
   *
   * @param path relative to the output folder: `public/v1/acme/posts/index.json`
   * @returns null when the file does not exist
   */
  readonly readFile?: (path: string) => Awaitable<Uint8Array | null>
  /** Size of the reply cache in bytes; 0 disables it. @default 16 MiB */
  readonly replyCacheBytes?: number
  /** Cache times for clients and shared caches. */
  readonly cacheTimes?: CacheTimes
}

/** Longer bodies are sent in fragments; in bytes. */
export const streamedFrom: number = 1024 * 1024

interface ContentRequest extends RouteMatch {
  readonly site: ServedSite | ClosedSite
  /** Milliseconds since 1970. */
  readonly now: number
}

interface RequestContext {
  readonly request: HttpRequest
  readonly path: string
  readonly query: string
  /** Headers of every reply to this request. */
  readonly headers: readonly Header[]
  /**
   * Charges the request as several requests, less those that were charged before.
   *
   * @throws ApiError 429 when fewer are left
   */
  charge(cost: number): Awaitable<void>
}

/** Returns the function that replies to admitted requests. */
export function locateContent(
  options: ContentOptions,
): (context: RequestContext, contentRequest: ContentRequest) => Awaitable<HttpReply> {
  const cache = new ReplyCache(options.replyCacheBytes)
  const make = async (
    context: RequestContext,
    contentRequest: ContentRequest,
    key: string,
  ): Promise<HttpReply> => {
    const made = await makeContent(context, contentRequest, options)
    if (made.movedTo !== undefined) return movedReply(context, contentRequest, made, options)
    if (made.status !== 200) return refusal(context, made)
    // A long list is cached by its ETag only: conditional and HEAD requests then cost no more work.
    const body = made.body instanceof Uint8Array ? made.body : null
    if (made.source !== 'none' && made.hasDrafts !== true)
      cache.set(contentRequest.site.build, key, { ...made, body })
    return reply(context, contentRequest, options, made)
  }
  return (context, contentRequest) => {
    const { site, now } = contentRequest
    const key = replyKey(contentRequest, context.request.target)
    const kept = cache.get(site.build, key, now)
    const isWanted = kept !== undefined && hasBody(context.request, kept.etag)
    if (kept === undefined || (isWanted && kept.body === null))
      return make(context, contentRequest, key)
    const send = () =>
      reply(context, contentRequest, options, { ...kept, status: 200, source: 'cache' })
    return isWanted ? whenReady(context.charge(kept.cost), send) : send()
  }
}

interface Content extends Omit<CachedReply, 'body'> {
  readonly status: number
  /** Null when the client needs no body. */
  readonly body: Uint8Array | AsyncIterable<Uint8Array> | null
  readonly length: number
  readonly source: ReplySource
  /** The target of a 308. */
  readonly movedTo?: string | undefined
  /** True for a request for drafts, whose response no cache stores. @default false */
  readonly hasDrafts?: boolean
}

/**
 * @throws ApiError for invalid parameters, posts that the key may not read, unknown workspaces or resources, and
 *   pages beyond the last
 */
async function makeContent(
  context: RequestContext,
  { site, target, workspace: id, mayReadPosts, mayReadDrafts, now }: ContentRequest,
  options: ContentOptions,
): Promise<Content> {
  const { limitAll } = site
  const found = site.workspaces.get(id)
  // Without a key, a private workspace is unknown: its parameters must not reveal its fields.
  const known = target.version === 'v1' && found?.isV1Private ? undefined : found
  // Lists for the vendor's SDKs have at most 100 posts.
  const parameters = parseParameters(
    { ...target, limitAll: limitAll && !target.isSdk, fields: known?.fields },
    splitQuery(context.query),
  )
  if (parameters.status !== 'published' && !mayReadDrafts) throw new ApiError(403, forbidden)
  if (includesPosts(parameters) && !mayReadPosts) throw new ApiError(403, forbidden)
  if (known === undefined) throw new ApiError(404, 'There is no such workspace.')
  const apiRequest: ApiRequest = { ...target, workspace: id, parameters }
  const stored = 'open' in site ? await storedContent(context, apiRequest, site, now) : null
  if (stored !== null) return stored
  const workspace = (await openSite(site)).workspaces.get(id)
  if (workspace === undefined) throw new Error(`The index has no workspace ${id}.`)
  return respondContent(context, apiRequest, workspace, now, options)
}

/** Returns the precomputed response; null when the index is needed. */
async function storedContent(
  context: RequestContext,
  apiRequest: ApiRequest,
  site: ClosedSite,
  now: number,
): Promise<Content | null> {
  const interval = site.workspaces.get(apiRequest.workspace)?.truthAt(apiRequest, now) ?? null
  const found = interval === null ? null : await site.findResponse(apiRequest)
  if (interval === null || found === null) return null
  await context.charge(found.cost)
  const { body, ...head } = found
  const sent = hasBody(context.request, found.etag) ? body : null
  return { ...head, ...interval, status: 200, body: sent, length: body.length, source: 'file' }
}

/** Returns the response of the index. */
async function respondContent(
  context: RequestContext,
  apiRequest: ApiRequest,
  workspace: ServedWorkspace,
  now: number,
  options: ContentOptions,
): Promise<Content> {
  const hasDrafts = apiRequest.parameters.status !== 'published'
  const snapshot = await (hasDrafts ? workspace.openDrafts() : workspace.open())
  const visibility = visibilityAt(snapshot, now)
  let cost = 1
  // Work is charged before it is done, even if the client has the content: the ETag of a long list costs work, too.
  const charge = (work: Work) => {
    cost = Math.max(cost, requestsOf(work))
    return context.charge(cost)
  }
  const response = await respond(apiRequest, snapshot, now, charge)
  const length = await bodySize(response.body, snapshot)
  await charge({ body: length })
  const etag = await hostEtagOf(response.body, snapshot)
  const { status } = response
  const { validFrom, validUntil } = visibility
  const { movedTo } = response
  const content = { status, etag, validFrom, validUntil, length, cost, movedTo, hasDrafts }
  if (status !== 200)
    return { ...content, body: await bodyBytes(response.body, snapshot), source: 'none' }
  if (!hasBody(context.request, etag)) return { ...content, body: null, source: 'index' }
  const file = await readWritten(apiRequest, workspace, visibility, options)
  if (file !== null && file.length === length) return { ...content, body: file, source: 'file' }
  return { ...content, body: await bodyOf(response, snapshot, length), source: 'index' }
}

/** False for HEAD, and for a client that already has the content. */
function hasBody(request: HttpRequest, etag: string): boolean {
  return request.method !== 'HEAD' && !matchesEtag(request.header('if-none-match'), etag)
}

/** Reads the file of a canonical request while the file is still valid. */
async function readWritten(
  request: ApiRequest,
  { scheduled }: ServedWorkspace,
  { first }: Visibility,
  { readFile }: ContentOptions,
): Promise<Uint8Array | null> {
  if (readFile === undefined) return null
  // Only an identifier that the index contains is safe in a path.
  const path = first === scheduled ? filePath(request) : null
  return path === null ? null : readFile(path)
}

function bodyOf(
  response: ApiResponse,
  snapshot: Snapshot,
  length: number,
): Awaitable<Uint8Array> | AsyncIterable<Uint8Array> {
  return length > streamedFrom
    ? bodyRuns(response.body, snapshot)
    : bodyBytes(response.body, snapshot)
}

/** Replies with an error response such as that for an unknown slug; its body already exists. */
function refusal(
  { request, headers: earned }: RequestContext,
  { status, body, length }: Content,
): HttpReply {
  const headers: Header[] = [...earned, ['cache-control', 'no-store']]
  return contentReply(request, { status, headers, body, length, source: 'none' })
}

function reply(
  { request, headers: earned }: RequestContext,
  { target, now }: ContentRequest,
  options: ContentOptions,
  { etag, validUntil, body, length, source, hasDrafts }: Content,
): HttpReply {
  const headers: Header[] = [
    ...earned,
    ['etag', etag],
    [
      'cache-control',
      target.isSdk || hasDrafts
        ? 'private, no-store'
        : cacheControl(target.version, validUntil, now, options.cacheTimes),
    ],
  ]
  if (target.version === 'v2') headers.push(['vary', 'Authorization'])
  if (matchesEtag(request.header('if-none-match'), etag)) {
    return { status: 304, headers: [...corsHeaders, ...headers], body: null, source }
  }
  const { resource } = target
  const contentType = isDocumentKind(resource) ? documentTable[resource].contentType : undefined
  return contentReply(request, { status: 200, headers, body, length, source, contentType })
}

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
