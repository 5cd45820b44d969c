// Replies to admitted content requests: from the cache of recent replies, a precomputed response, or the
// index.
import { bodyBytes, bodyRuns, bodySize, etagOf } from '../api/api-response.ts'
import { documentTable, isDocumentKind } from '../api/documents.ts'
import { ApiError } from '../api/errors.ts'
import { type Scope, scopeOf } from '../api/keys.ts'
import { parseParameters } from '../api/parameters.ts'
import { type ApiRequest, includesPosts, type Target, type Version } from '../api/request.ts'
import { respond, snapshotOf } from '../api/respond.ts'
import type { Pairs } from '../api/routes.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { visibilityAt } from '../api/visibility.ts'
import { costOf, type Work } from '../api/work.ts'
import { RecentValues } from '../snapshot/storage.ts'
import {
  cacheControl,
  corsHeaders,
  type Header,
  type HttpReply,
  type HttpRequest,
  matchesEtag,
} from './http.ts'
import type { ServedRows, ServedSite, ServedWorkspace } from './open-build.ts'
import {
  contentReply,
  forbidden,
  type RequestContext,
  type RouteMatch,
  type StoredResponse,
} from './replies.ts'

/** Options of content replies. */
export interface ContentOptions {
  /** Finds the precomputed response to a request; null if the index is needed. @default finds none */
  readonly findStored?: (
    request: ApiRequest,
    rows: ServedRows,
    now: number,
  ) => Promise<StoredResponse | null>
  /** Called with each valid request and its rows, before its content is looked up. */
  readonly onRequest?: ((request: ApiRequest, rows: ServedRows) => void) | undefined
  /** Size of the cache of replies in bytes; 0 disables it. @default 16 MiB */
  readonly replyCacheBytes?: number
}

/** Bodies of more bytes are sent in pieces. */
export const streamedFrom: number = 1024 * 1024

/** An admitted request. */
export interface ContentRequest extends RouteMatch {
  readonly context: RequestContext
  /** The parameters of the query, without `locale` if it selected the workspace. */
  readonly pairs: Pairs
}

/** A response, and the period in which it is valid. The period has a start because a clock may be set back. */
interface Content extends Omit<StoredResponse, 'body'>, Pick<HttpReply, 'status' | 'source'> {
  /** Null if the client needs no body. */
  readonly body: HttpReply['body']
  /** The size of the body, in bytes. */
  readonly length: number
  /** @default the media type of JSON, or of the document */
  readonly contentType?: string | undefined
  /** The current slug of the post, if the request names a former slug. */
  readonly movedTo?: string | undefined
  /** True for a request for drafts, whose response no cache stores. @default false */
  readonly hasDrafts?: boolean
}

/** Returns the function that replies to admitted requests. */
export function contentReplies(
  options: ContentOptions,
): (request: ContentRequest) => Promise<HttpReply> {
  const { replyCacheBytes = 16 * 1024 * 1024 } = options
  const cache = new RecentValues<Content>(replyCacheBytes)
  return async (admitted) => {
    const { context, target, workspace, scopes } = admitted
    const { request, site } = context
    // Clients with different rights share no cached response.
    const key = `${site.build} ${target.version} ${scopes?.join() ?? ''} ${workspace} ${request.target}`
    const cached = await findUsable(cache.get(key), context)
    if (cached !== undefined) return okReply(admitted, cached)
    const content = await makeContent(admitted, options)
    if (content.movedTo !== undefined) return movedReply(admitted, content)
    if (content.status !== 200) {
      const headers: Header[] = [...context.headers, ['cache-control', 'no-store']]
      return contentReply(request, { ...content, headers })
    }
    // A long list is cached without its body, so that conditional and HEAD requests cost no more work.
    const body = content.body instanceof Uint8Array ? content.body : null
    const size = (body?.length ?? 0) + 2 * key.length + 200
    if (!content.hasDrafts && size <= replyCacheBytes / 32)
      cache.set(key, { ...content, body, source: 'cache' }, size)
    return okReply(admitted, content)
  }
}

/** Returns cached content if it is valid and has the body that the client needs. Charges its cost. */
async function findUsable(
  cached: Content | undefined,
  { request, now, charge }: RequestContext,
): Promise<Content | undefined> {
  if (cached === undefined || now < cached.validFrom || now >= cached.validUntil) return undefined
  if (!hasBody(request, cached.etag)) return cached
  if (cached.body === null) return undefined
  await charge(cached.cost)
  return cached
}

/** Returns the content of a request. @throws ApiError as `requestFor` and `respond` do */
async function makeContent(
  admitted: ContentRequest,
  { findStored, onRequest }: ContentOptions,
): Promise<Content> {
  const { context, target } = admitted
  const { now } = context
  const { request, rows } = requestFor(admitted)
  onRequest?.(request, rows)
  const hasDrafts = request.parameters.status !== 'published'
  // Precomputed responses are those of v1, which leave out translations that v2 may name.
  const isMore = target.version === 'v2' && rows.hidesTranslations === true
  const file = namesPosts(target) || isMore ? null : await findStored?.(request, rows, now)
  if (file) {
    await context.charge(file.cost)
    const body = hasBody(context.request, file.etag) ? file.body : null
    return { ...file, status: 200, body, length: file.body.length, source: 'file' }
  }
  let cost = 1
  // Work is charged before it is done, even if the client has the content: to compute an ETag is work, too.
  const charge = (work: Work) => {
    cost = Math.max(cost, costOf(work))
    return context.charge(cost)
  }
  const stored = await (hasDrafts ? rows.openDrafts() : rows.open())
  const snapshot = await snapshotOf(request, stored, now, charge)
  const { validFrom, validUntil } = await validityOf(target, snapshot, now, rows, isMore)
  const { status, body, movedTo, contentType } = await respond(request, snapshot, now, charge)
  const length = await bodySize(body, snapshot)
  await charge({ body: length })
  const etag = await etagOf(body, snapshot)
  const about = { contentType, movedTo, hasDrafts }
  const content = { status, etag, validFrom, validUntil, length, cost, ...about }
  if (status !== 200) return { ...content, body: await bodyBytes(body, snapshot), source: 'none' }
  if (!hasBody(context.request, etag)) return { ...content, body: null, source: 'index' }
  const isLong = length > streamedFrom
  const sent = isLong ? bodyRuns(body, snapshot) : await bodyBytes(body, snapshot)
  return { ...content, body: sent, source: 'index' }
}

/** Returns the workspace that `locale` names, and the other parameters. @throws ApiError 404 for an unknown language; 400 for two */
export async function inLanguage(
  { target, workspace }: RouteMatch,
  site: ServedSite,
  pairs: Pairs,
): Promise<Pick<ContentRequest, 'workspace' | 'pairs'>> {
  const stated = pairs.filter(([name]) => name === 'locale')
  // Requests cannot find out whether a private workspace exists.
  const { group } = workspaceIn(site, target, workspace) ?? {}
  if (stated.length === 0 || group === undefined) return { workspace, pairs }
  const locales = stated.flatMap(([, value]) => (value === '' ? [] : (value?.toLowerCase() ?? '')))
  const [locale, ...others] = new Set(locales)
  if (others.length > 0) {
    const details = [{ field: 'locale', message: 'is given more than once with different values' }]
    throw new ApiError(400, 'Invalid query parameters: locale.', { details })
  }
  const rest = pairs.filter(([name]) => name !== 'locale')
  if (locale === undefined) return { workspace, pairs: rest }
  const { workspaceOfLocale } = await import('../api/feeds.ts')
  const found = workspaceOfLocale(locale, group, site.workspaces, target.version)
  if (found === null) throw new ApiError(404, 'There is no such locale.')
  return { workspace: found, pairs: rest }
}

/** Returns a workspace; undefined for a private one on v1, where nothing may reveal its fields or its language. */
function workspaceIn({ workspaces }: ServedSite, { version }: Target, id: string) {
  const found = workspaces.get(id)
  return version === 'v1' && found?.isV1Private ? undefined : found
}

/** @throws ApiError 400 for bad parameters; 403 for a key without the scope; 404 without rows */
function requestFor({ context, target, workspace: id, scopes, pairs }: ContentRequest): {
  readonly request: ApiRequest
  readonly rows: ServedRows
} {
  const { site } = context
  const workspace = workspaceIn(site, target, id)
  const rows = workspace && rowsOf(target, workspace)
  const parameters = parseParameters({ ...target, ...rows, ownOrder: rows?.order }, pairs)
  const { status, targets } = parameters
  const named = rows?.references?.filter(({ name }) => targets.includes(name)) ?? []
  const needed: Scope[] = named.map(({ to }) => scopeOf(to))
  if (includesPosts(parameters)) needed.push('posts:read')
  const isAllowed = scopes === null || needed.every((scope) => scopes.includes(scope))
  if (!isAllowed || (status !== 'published' && scopes?.includes('drafts:read') !== true))
    throw new ApiError(403, forbidden)
  if (workspace === undefined) throw new ApiError(404, 'There is no such workspace.')
  if (rows !== undefined) return { request: { ...target, workspace: id, scopes, parameters }, rows }
  const isItem = target.resource === 'items'
  throw new ApiError(404, isItem ? 'There is no such collection.' : 'Singleton not found.')
}

/** @param isMore true if the response names translations that v1 leaves out */
async function validityOf(
  { resource }: Target,
  snapshot: Snapshot,
  now: number,
  { locale, instants }: ServedRows,
  isMore: boolean,
) {
  const { spaces, references, areReferencesLasting } = snapshot
  const areTargetsChanging = references.length > 0 && (isMore || !areReferencesLasting)
  const named = [snapshot]
  for (const open of areTargetsChanging || namesPosts({ resource }) ? spaces.values() : [])
    named.push(await open())
  const times = named.flatMap((space) => {
    const { validFrom, validUntil } = visibilityAt(space, now)
    // A root does not have the times of translations that v1 leaves out.
    const rows = isMore ? (space.language?.rows.flat() ?? []) : []
    return [validFrom, validUntil, ...rows.flatMap(([, , , from, until]) => [from, until ?? from])]
  })
  if (locale !== undefined) times.push(...instants)
  times.sort((a, b) => a - b)
  return {
    validFrom: times.findLast((time) => time <= now) ?? now,
    validUntil: times.find((time) => time > now) ?? now,
  }
}

/** Reports whether a response also names items. Its file does not: it is not valid for every time and every key. */
function namesPosts({ resource }: Pick<Target, 'resource'>): boolean {
  return resource === 'collections' || resource === 'changes'
}

/** Returns the rows that a request reads; undefined for an unknown collection, or if there are no singletons. */
export function rowsOf(
  { resource, collection = '' }: Pick<Target, 'resource' | 'collection'>,
  workspace: ServedWorkspace,
): ServedRows | undefined {
  if (resource === 'items') return workspace.collections?.get(collection)
  return resource === 'singletons' ? workspace.singletons : workspace
}

/** Reports whether a reply has a body: not for HEAD, nor for a client that already has the content. */
function hasBody(request: HttpRequest, etag: string): boolean {
  return request.method !== 'HEAD' && !matchesEtag(request.header('if-none-match'), etag)
}

function okReply({ context, target }: ContentRequest, content: Content): HttpReply {
  const { request, site } = context
  const { etag, source } = content
  const control = controlOf(target.version, target, content, context.now, site.http?.cacheControl)
  const headers: Header[] = [...context.headers, ['etag', etag], ['cache-control', control]]
  if (target.version === 'v2') headers.push(['vary', 'Authorization'])
  if (matchesEtag(request.header('if-none-match'), etag))
    return { status: 304, headers: [...corsHeaders, ...headers], body: null, source }
  const { resource } = target
  const { contentType } = isDocumentKind(resource) ? documentTable[resource] : content
  return contentReply(request, { ...content, headers, contentType })
}

function controlOf(
  version: Version,
  { isSdk }: Target,
  { hasDrafts, validUntil }: Content,
  now: number,
  control?: string,
): string {
  return isSdk || hasDrafts ? 'private, no-store' : cacheControl(version, validUntil, now, control)
}

/** The redirect is private, because a cache whose keys omit parameters would return the query of another client. */
function movedReply({ context, target }: ContentRequest, content: Content): HttpReply {
  const { path, query } = context
  // The former slug of an item may have several segments.
  const folder = path.split('/').slice(0, -(target.identifier ?? '').split('/').length)
  const slug = content.movedTo?.split('/').map(encodeURIComponent) ?? []
  const headers: Header[] = [
    ...corsHeaders,
    ...context.headers,
    ['location', `${[...folder, ...slug].join('/')}${query === '' ? '' : `?${query}`}`],
    ['cache-control', controlOf('v2', target, content, context.now)],
  ]
  if (target.version === 'v2') headers.push(['vary', 'Authorization'])
  return { status: 308, headers, body: null, source: 'none' }
}
