// The function that responds to any request for content. Builds write its responses to files; the runtime computes the
// others.
import { findAlias, redirectsJson } from './aliases.ts'
import type { ApiResponse, Chunk } from './api-response.ts'
import { whenAllReady, whenReady } from './awaitable.ts'
import { changesJson } from './changes.ts'
import { type FeedKind, isDocumentKind, isFeedKind, sitemapMax } from './documents.ts'
import { ApiError, errorJson } from './errors.ts'
import { facetsJson } from './facets.ts'
import { itemChunks, linkedChunks } from './linked-posts.ts'
import { withMatches } from './matches.ts'
import { type Page, pageOf } from './pagination.ts'
import { selectedChunks } from './post-select.ts'
import { withStatus, withStatuses } from './post-status.ts'
import { type ApiRequest, includesPosts, type Parameters } from './request.ts'
import type { ResourceKind, TermKind } from './resources.ts'
import { respondAssets } from './respond-assets.ts'
import { sdkBody } from './sdk.ts'
import type { Awaitable, Snapshot } from './snapshot.ts'
import { isVisibleTerm, postsFrom, visibilityAt, visibleTerms } from './visibility.ts'
import { mapInTurns, postBytes, type Work } from './work.ts'

/** Messages of the 404s for resources, by kind. */
export const notFoundMessages: Readonly<Record<ResourceKind, string>> = {
  posts: 'Post not found.',
  categories: 'Category not found.',
  tags: 'Tag not found.',
  authors: 'Author not found.',
}

/**
 * Responds to a request at a point in time.
 *
 * @param snapshot the workspace that the request names
 * @param now milliseconds since 1970; posts published later do not exist yet
 * @param onWork called with the work before it is done; may throw an ApiError
 * @returns 200; 308 for a former slug of a post; 404 for an unknown resource; 400 beyond the last page
 */
export async function respond(
  request: ApiRequest,
  snapshot: Snapshot,
  now: number,
  onWork?: OnWork,
): Promise<ApiResponse> {
  try {
    const { resource } = request
    if (resource === 'media' || resource === 'fields')
      return respondAssets(request, await snapshot.assets(), now)
    const { status } = request.parameters
    const shown = status === 'published' ? snapshot : withStatus(snapshot, status, now)
    const { first } = visibilityAt(shown, now)
    if (isFeedKind(resource)) return ok([await feed(resource, request, shown, first, onWork)])
    if (resource === 'changes')
      return ok([await changesJson(request.parameters.since, shown, first)])
    if (isDocumentKind(resource)) return ok([redirectsJson(shown.aliases(), first)])
    const content = { ...request, resource }
    const built = await response(content, shown, first, onWork)
    if (request.isSdk) return { ...built, body: await sdkBody(content, built.body, shown) }
    return shown === snapshot ? built : { ...built, body: await withStatuses(built.body, shown) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      status: error.status,
      body: [errorJson(request.isSdk ? 'sdk' : request.version, error)],
    }
  }
}

/**
 * Returns the body of a feed, a sitemap or a list for language models.
 *
 * @throws ApiError 404 if the URLs of posts are not absolute; 400 beyond the last page
 */
async function feed(
  kind: FeedKind,
  { parameters }: ApiRequest,
  snapshot: Snapshot,
  first: number,
  onWork?: OnWork,
): Promise<string> {
  const { channel, postCount } = snapshot
  if (channel === null) {
    throw new ApiError(
      404,
      'The workspace has no feeds, because `links.post` is not an absolute URL.',
    )
  }
  const size = kind === 'sitemap.xml' ? sitemapMax : 'all'
  const { start, end } = pageOf(postCount - first, size, parameters.page)
  if (kind === 'sitemap.xml' || kind === 'llms.txt') await onWork?.({ posts: end - start })
  // Feed requests are rare, so a function has this code in a separate file.
  const { feedText } = await import('./feeds.ts')
  return feedText(kind, channel, snapshot, { first: first + start, end: first + end })
}

/** Called with work before it is done; throws to reject the request. */
export type OnWork = (work: Work) => Awaitable<void>

/** A request for posts or terms. */
type ContentRequest = ApiRequest & { readonly resource: ResourceKind }

/** @param first ordinal of the latest published post */
function response(
  request: ContentRequest,
  snapshot: Snapshot,
  first: number,
  onWork?: OnWork,
): ApiResponse | Promise<ApiResponse> {
  const { resource, identifier, parameters, isSdk = false } = request
  if (resource === 'posts') {
    if (identifier === null) return listPosts(parameters, snapshot, first, onWork)
    return getPost(identifier, parameters, snapshot, first)
  }
  const terms: Terms = { kind: resource, snapshot, first, isSdk }
  return identifier === null ? listTerms(parameters, terms) : getTerm(identifier, parameters, terms)
}

async function listPosts(
  parameters: Parameters,
  snapshot: Snapshot,
  first: number,
  onWork?: OnWork,
): Promise<ApiResponse> {
  const selection = await snapshot.select(parameters, first, parameters.orderBy)
  const { posts } = selection
  const { include, query, select } = parameters
  const page = pageOf(posts.length, parameters.limit, parameters.page)
  // `asc` is the exact reverse, so its pages are counted from the end.
  const shown =
    parameters.order === 'desc'
      ? posts.slice(page.start, page.end)
      : posts.slice(posts.length - page.end, posts.length - page.start).reverse()
  const hasMatches = query !== '' && include.includes('matches')
  const sizes = new Map<number, number>()
  for (const ordinal of hasMatches ? shown : []) {
    sizes.set(ordinal, await snapshot.size({ of: 'posts', part: 'html', ordinal }))
  }
  const searchedIn = (ordinal: number) => sizes.get(ordinal) ?? 0
  const searched = shown.reduce((sum, post) => sum + searchedIn(post), 0)
  await onWork?.({ posts: shown.length, searched })
  const chunksOf = (ordinal: number) =>
    whenReady(postChunks(ordinal, parameters, snapshot), (post) =>
      hasMatches ? withMatches(ordinal, post, selection, snapshot) : post,
    )
  // Other lists read no post before the body is sent.
  const items =
    hasMatches || select.length > 0
      ? await mapInTurns(shown, (post) => postBytes + searchedIn(post), chunksOf)
      : await whenAllReady(Array.from(shown, chunksOf), (posts) => posts)
  const body = envelope('posts', items, page)
  if (!include.includes('facets')) return ok(body)
  // The last chunk closes the body.
  body.push(`${String(body.pop()).slice(0, -1)},"facets":${await facetsJson(selection, snapshot)}}`)
  return ok(body)
}

async function getPost(
  identifier: string,
  parameters: Parameters,
  snapshot: Snapshot,
  first: number,
): Promise<ApiResponse> {
  const ordinal = snapshot.findPost(identifier)
  if (ordinal < first) {
    const alias = findAlias(snapshot.aliases(), identifier, first)
    if (alias !== undefined) return { status: 308, body: [], movedTo: alias.to }
    throw notFound('posts')
  }
  const post = await postChunks(ordinal, parameters, snapshot)
  return ok(['{"post":', ...post, ...linkedChunks(ordinal, parameters, snapshot, first), '}'])
}

/** The terms of a kind at a point in time. */
interface Terms {
  readonly kind: TermKind
  readonly snapshot: Snapshot
  /** Ordinal of the latest published post. */
  readonly first: number
  readonly isSdk: boolean
}

function listTerms(parameters: Parameters, among: Terms): ApiResponse {
  const { kind, snapshot, first, isSdk } = among
  const visible = visibleTerms(kind, snapshot, first)
  // The vendor lists only authors with posts.
  const terms =
    isSdk && kind === 'authors'
      ? visible.slice().filter((term) => postsFrom(snapshot.postsOf(kind, term), first).length > 0)
      : visible
  const page = pageOf(terms.length, parameters.limit, parameters.page)
  const included = includesPosts(parameters) ? { limit: 10, page: 1 } : null
  const items = terms.slice(page.start, page.end).map((term) => termChunks(term, included, among))
  return ok(envelope(kind, items, page))
}

function getTerm(identifier: string, parameters: Parameters, among: Terms): ApiResponse {
  const { kind, snapshot, first } = among
  const term = snapshot.findTerm(kind, identifier)
  if (term === -1 || !isVisibleTerm(kind, term, snapshot, first)) throw notFound(kind)
  const included = includesPosts(parameters) ? numbered(parameters) : null
  return ok(termChunks(term, included, among))
}

/** Returns a term with the count of its published posts and, if requested, a page of them. */
function termChunks(
  term: number,
  included: { readonly limit: number; readonly page: number } | null,
  { kind, snapshot, first, isSdk }: Terms,
): Chunk[] {
  const posts = postsFrom(snapshot.postsOf(kind, term), first)
  const body: Chunk[] = [{ of: kind, part: 'resource', ordinal: term }]
  if (kind !== 'authors' || isSdk) body.push(`,"count":{"posts":${posts.length}}`)
  if (included !== null) {
    const page = pageOf(posts.length, included.limit, included.page)
    const items = Array.from(posts.subarray(page.start, page.end), itemChunks)
    body.push(',"posts":', ...envelope('data', items, page))
  }
  body.push('}')
  return body
}

function postChunks(
  ordinal: number,
  parameters: Parameters,
  snapshot: Snapshot,
): Awaitable<readonly Chunk[]> {
  const { excludeContent, format, select } = parameters
  if (select.length > 0) return selectedChunks(ordinal, parameters, snapshot)
  const of = 'posts'
  const head: Chunk = { of, part: 'head', ordinal }
  const tail: Chunk = { of, part: 'tail', ordinal }
  return excludeContent ? [head, tail] : [head, ',"content":', { of, part: format, ordinal }, tail]
}

function envelope(name: string, items: readonly (readonly Chunk[])[], page: Page): Chunk[] {
  const body: Chunk[] = [`{"${name}":[`]
  items.forEach((item, index) => {
    if (index > 0) body.push(',')
    body.push(...item)
  })
  body.push(`],"pagination":${JSON.stringify(page.pagination)}}`)
  return body
}

function ok(body: readonly Chunk[]): ApiResponse {
  return { status: 200, body }
}

function notFound(kind: ResourceKind): ApiError {
  return new ApiError(404, notFoundMessages[kind])
}

/** The list of a single term has no `all`: the parser rejects it. */
function numbered({ limit, page }: Parameters): { readonly limit: number; readonly page: number } {
  return { limit: limit === 'all' ? 10 : limit, page }
}
