// The function that responds to any request for content. Builds write its responses to files; the runtime computes the
// others.
import type { Pagination } from '#client'
import type { ApiResponse, Piece } from './api-response.ts'
import { type FeedKind, isDocumentKind, isFeedKind, sitemapMax } from './documents.ts'
import { ApiError, errorJson } from './errors.ts'
import {
  facetsJson,
  itemPieces,
  linkedPieces,
  readPosts,
  statusMember,
  withMatches,
} from './include.ts'
import { type ApiRequest, hasRows, includesPosts, type Parameters } from './request.ts'
import { languageKeys, type Post, postKeys, singular, type TermKind } from './resources.ts'
import type { Alias, Assets, MediaItem, PostPart, Snapshot } from './snapshot.ts'
import { isVisibleTerm, partitionPoint, viewAt, visibleTerms } from './visibility.ts'
import { mapInBatches, type OnWork, postBytes } from './work.ts'

/**
 * Returns the snapshot that `respond` reads for a request, and from which its response is sent. Few requests need more
 * than the stored rows, so that code is in a separate file.
 */
export async function snapshotOf(
  request: ApiRequest,
  snapshot: Snapshot,
  now: number,
  onWork?: OnWork,
): Promise<Snapshot> {
  const { targets, status } = request.parameters
  const isPlain = targets.length === 0 && status === 'published' && !request.isSdk
  if (isPlain && snapshot.language === undefined && snapshot.areReferencesLasting) return snapshot
  const { snapshotFor } = await import('./feeds.ts')
  return snapshotFor(request, snapshot, now, onWork)
}

/** @returns 200; 308 for a former slug; 404 for an unknown resource; 400 beyond the last page */
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
    const view = viewAt(snapshot, now, status)
    if (isFeedKind(resource)) return ok(await feed(resource, request, view, onWork))
    if (resource === 'changes') {
      const { changesJson } = await import('./feeds.ts')
      const changes = await changesJson(request.parameters.since, snapshot, now, request)
      if (changes !== null) return ok([changes])
      throw new ApiError(410, 'The changes since this build are no longer recorded.')
    }
    if (isDocumentKind(resource))
      return ok([redirectsJson(view.aliases.filter(({ post }) => view.isShown(post)))])
    if (resource === 'collections') return ok([await collectionsJson(snapshot, now)])
    return await response({ ...request, resource }, view, onWork)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return errorResponse(request, error)
  }
}

function errorResponse({ isSdk, version, resource }: ApiRequest, error: ApiError): ApiResponse {
  // The vendor's clients expect this status for a page of images beyond the last.
  const isPage = resource === 'media' && error.status === 400
  return { status: isPage ? 404 : error.status, body: [errorJson(isSdk ? 'sdk' : version, error)] }
}

/** @throws ApiError 404 if the URLs of posts are not absolute; 400 beyond the last page */
async function feed(
  kind: FeedKind,
  { parameters }: ApiRequest,
  view: Snapshot,
  onWork?: OnWork,
): Promise<readonly Piece[]> {
  const { channel, shown } = view
  if (channel === null) {
    throw new ApiError(
      404,
      'The workspace has no feeds, because `links.post` is not an absolute URL.',
    )
  }
  const size = kind === 'sitemap.xml' ? sitemapMax : 'all'
  const { start, end } = pageOf(shown.length, size, parameters.page)
  if (kind === 'sitemap.xml' || /^llms/.test(kind)) await onWork?.({ posts: end - start })
  // Such requests are rare, so a function has this code in a separate file.
  const { feedText } = await import('./feeds.ts')
  const posts = shown.subarray(start, end)
  if (kind !== 'llms-full.txt') return [await feedText(kind, channel, view, posts)]
  const texts = await mapInBatches(
    posts,
    () => postBytes,
    (group) => textPieces(group, view),
  )
  return texts.flatMap((text) => [...text, '\n\n'])
}

type ContentRequest = ApiRequest & { readonly resource: keyof typeof singular }

function response(
  request: ContentRequest,
  snapshot: Snapshot,
  onWork?: OnWork,
): ApiResponse | Promise<ApiResponse> {
  const { resource, identifier } = request
  if (hasRows(resource) || resource === 'singletons') {
    if (identifier === null) return listPosts(request, snapshot, onWork)
    return getPost(identifier, request, snapshot)
  }
  return respondTerms(resource, request, snapshot)
}

async function listPosts(
  request: ContentRequest,
  snapshot: Snapshot,
  onWork?: OnWork,
): Promise<ApiResponse> {
  const { parameters, resource } = request
  const selection = await snapshot.select(parameters, parameters)
  const { posts } = selection
  const { include, query, select } = parameters
  const page = pageOf(posts.length, parameters.limit, parameters.page)
  const shown = posts.subarray(page.start, page.end)
  const hasMatches = query !== '' && include.includes('matches')
  const refs = Array.from(hasMatches ? shown : [], (ordinal) => {
    return { of: 'posts', part: 'html', ordinal } as const
  })
  const sums = await snapshot.sums(refs)
  const sizes = new Map(refs.map(({ ordinal }, at) => [ordinal, sums[at]?.size ?? 0]))
  const searched = sums.reduce((sum, { size }) => sum + size, 0)
  await onWork?.({ posts: shown.length, searched })
  // Other lists read no post before the body is sent.
  const bytes = hasMatches || select.length > 0 ? postBytes : 0
  const items = await mapInBatches(
    shown,
    (post) => bytes + (sizes.get(post) ?? 0),
    async (group) => {
      const pieces = await postPieces(group, request, snapshot)
      return hasMatches ? withMatches(group, pieces, selection, snapshot) : pieces
    },
  )
  const body = envelope(resource, items, page)
  if (!include.includes('facets')) return ok(body)
  // The last piece closes the body.
  body.push(`${String(body.pop()).slice(0, -1)},"facets":${facetsJson(selection, snapshot)}}`)
  return ok(body)
}

async function getPost(
  identifier: string,
  request: ContentRequest,
  snapshot: Snapshot,
): Promise<ApiResponse> {
  const { version, resource, parameters } = request
  const ordinal = snapshot.findPost(identifier)
  if (ordinal === -1) {
    const alias = findAlias(snapshot, identifier)
    if (alias !== undefined) return { status: 308, body: [], movedTo: alias.to }
    const hasText = version === 'v1' && resource === 'posts' && identifier.endsWith('.md')
    const text = hasText ? snapshot.findPost(identifier.slice(0, -'.md'.length)) : -1
    if (text === -1) throw notFound(resource)
    const contentType = 'text/markdown; charset=utf-8'
    const [body = []] = await textPieces([text], snapshot)
    return { status: 200, contentType, body }
  }
  const [post = []] = await postPieces([ordinal], request, snapshot)
  const opening = `{"${singular[resource]}":`
  return ok([opening, ...post, ...linkedPieces(ordinal, parameters, snapshot), '}'])
}

/** The collections of a workspace, in order of definition, with the number of their visible items. */
async function collectionsJson({ spaces }: Snapshot, now: number): Promise<string> {
  const all: object[] = []
  for (const [name, open] of spaces) {
    if (name === '') continue
    const { shown } = viewAt(await open(), now)
    all.push({ name, count: { items: shown.length } })
  }
  return JSON.stringify({ collections: all })
}

/** The Markdown of posts, with their titles as headings. */
async function textPieces(
  ordinals: readonly number[],
  snapshot: Snapshot,
): Promise<readonly (readonly Piece[])[]> {
  const posts = await readPosts(ordinals, snapshot)
  return posts.map(({ title }, at) => {
    const heading = `# ${title.replace(/\s+/gu, ' ')}\n\n`
    return [heading, { of: 'posts', part: 'markdown', ordinal: ordinals[at] ?? 0, isText: true }]
  })
}

/** Returns terms with the count of their published posts and, if requested, a page of these. */
function respondTerms(
  kind: TermKind,
  { identifier, parameters, isSdk = false }: ContentRequest,
  snapshot: Snapshot,
): ApiResponse {
  const piecesOf = (term: number, { limit, page }: Pick<Parameters, 'limit' | 'page'>): Piece[] => {
    const posts = snapshot.postsOf(kind, term)
    const body: Piece[] = [{ of: kind, part: 'resource', ordinal: term }]
    if (kind !== 'authors' || isSdk) body.push(`,"count":{"posts":${posts.length}}`)
    if (includesPosts(parameters)) {
      const included = pageOf(posts.length, limit, page)
      const items = Array.from(posts.subarray(included.start, included.end), itemPieces)
      body.push(',"posts":', ...envelope('data', items, included))
    }
    return [...body, '}']
  }
  if (identifier !== null) {
    const term = snapshot.findTerm(kind, identifier)
    if (term === -1 || !isVisibleTerm(kind, term, snapshot)) throw notFound(kind)
    const body = piecesOf(term, parameters)
    return ok(isSdk ? [`{"${singular[kind]}":`, ...body, '}'] : body)
  }
  // The vendor lists only authors with posts.
  const isListed = (term: number) =>
    !isSdk || kind !== 'authors' || snapshot.postsOf(kind, term).length > 0
  const terms = visibleTerms(kind, snapshot).filter(isListed)
  const page = pageOf(terms.length, parameters.limit, parameters.page)
  const first = { limit: 10, page: 1 }
  const shown = terms.subarray(page.start, page.end)
  const items = Array.from(shown, (term) => piecesOf(term, first))
  return ok(envelope(kind, items, page))
}

async function postPieces(
  ordinals: readonly number[],
  { isSdk = false, resource, parameters }: ContentRequest,
  snapshot: Snapshot,
): Promise<readonly (readonly Piece[])[]> {
  const { excludeContent, format, select } = parameters
  const hasStatus = (isSdk && resource === 'posts') || parameters.status !== 'published'
  const selected = select.length > 0 ? await readPosts(ordinals, snapshot) : []
  return ordinals.map((ordinal, at) => {
    const hasContent = !excludeContent && !snapshot.isData(ordinal)
    const piece = (part: PostPart): Piece => ({ of: 'posts', part, ordinal })
    const status = hasStatus ? statusMember(ordinal, snapshot) : ''
    const post = selected[at]
    if (post !== undefined)
      return [...selectedPieces(post, select, hasContent ? piece(format) : null), `${status}}`]
    const content = hasContent ? [',"content":', piece(format)] : []
    return [piece('head'), status, ...content, piece('tail')]
  })
}

/** Returns the selected keys of a post. The caller adds the closing `}`. */
function selectedPieces(post: Post, select: readonly string[], content: Piece | null): Piece[] {
  const isWanted = (key: string) =>
    (key === 'id' || select.includes(key)) &&
    (key === 'content' ? content !== null : Object.hasOwn(post, key))
  const keys = [...postKeys, ...languageKeys].filter(isWanted)
  return keys.flatMap((key, at) => {
    const name = `${at === 0 ? '{' : ','}"${key}":`
    if (key === 'content' && content !== null) return [name, content]
    return [name + JSON.stringify(post[key as keyof Post])]
  })
}

function envelope(name: string, items: readonly (readonly Piece[])[], page: Page): Piece[] {
  const joined = items.flatMap((item, at) => (at === 0 ? item : [',', ...item]))
  return [`{"${name}":[`, ...joined, `],"pagination":${JSON.stringify(page.pagination)}}`]
}

function ok(body: readonly Piece[]): ApiResponse {
  return { status: 200, body }
}

function notFound(kind: ContentRequest['resource']): ApiError {
  const name = singular[kind]
  return new ApiError(404, `${name.charAt(0).toUpperCase()}${name.slice(1)} not found.`)
}

/** Responds to `/v1/media` and `/v1/fields`. Cost: O(images): only these two lists would need an index. */
function respondAssets(
  { resource, identifier, parameters }: ApiRequest,
  { media, fields, expiries = {} }: Assets,
  now: number,
): ApiResponse {
  if (resource === 'fields') {
    if (identifier === null) return ok([JSON.stringify({ fields })])
    const field = fields.find(({ id, key }) => id === identifier || key === identifier)
    return ok([JSON.stringify({ field: requireFound(field, 'Field not found.') })])
  }
  const visible = media.filter(
    ({ id, createdAt }) => Date.parse(createdAt) <= now && now < (expiries[id] ?? now + 1),
  )
  if (identifier === null) return ok([JSON.stringify(mediaPage(visible, parameters))])
  const item = visible.find(({ id }) => id === identifier)
  return ok([JSON.stringify({ media: requireFound(item, 'Media asset not found.') })])
}

function mediaPage(visible: readonly MediaItem[], parameters: Parameters): object {
  const text = parameters.query.toLowerCase()
  const matches = visible.filter(
    ({ name, url, mimeType, type }) =>
      (parameters.type === null || type === parameters.type) &&
      [name, url, mimeType].some((part) => part.toLowerCase().includes(text)),
  )
  const ordered = parameters.order === 'asc' ? matches.toReversed() : matches
  const page = pageOf(ordered.length, parameters.limit, parameters.page)
  return { media: ordered.slice(page.start, page.end), pagination: page.pagination }
}

function requireFound<Item>(item: Item | undefined, message: string): Item {
  if (item === undefined) throw new ApiError(404, message)
  return item
}

/** A page: items from `start` to `end`, exclusive. */
export interface Page {
  readonly start: number
  readonly end: number
  readonly pagination: Pagination
}

/** @throws ApiError 400 beyond the last page; page 1 of an empty list is an empty page */
export function pageOf(totalItems: number, limit: number | 'all', page: number): Page {
  const isWhole = limit === 'all'
  const size = isWhole ? totalItems : limit
  const totalPages = isWhole ? Math.min(totalItems, 1) : Math.ceil(totalItems / limit)
  const currentPage = isWhole ? 1 : page
  if (currentPage > Math.max(totalPages, 1)) {
    const pages = totalPages === 1 ? 'is 1 page' : `are ${totalPages} pages`
    const message = `Page ${page} does not exist: there ${pages}.`
    throw new ApiError(400, message, { details: { message, totalPages, requestedPage: page } })
  }
  return {
    start: (currentPage - 1) * size,
    end: Math.min(currentPage * size, totalItems),
    pagination: {
      limit: size,
      currentPage,
      nextPage: currentPage < totalPages ? currentPage + 1 : null,
      previousPage: currentPage > 1 ? currentPage - 1 : null,
      totalPages,
      totalItems,
    },
  }
}

/** Returns the alias with a name if its post is visible. Cost: O(log aliases). */
function findAlias({ aliases, isShown }: Snapshot, name: string): Alias | undefined {
  const found = aliases[partitionPoint(aliases.length, (at) => (aliases[at]?.from ?? '') < name)]
  return found?.from === name && isShown(found.post) ? found : undefined
}

/** Returns the JSON of aliases: `{"redirects":[{"from":…,"to":…}]}`. */
export function redirectsJson(aliases: readonly Alias[]): string {
  return JSON.stringify({ redirects: aliases.map(({ from, to }) => ({ from, to })) })
}
