// The plan of a workspace's response files: every canonical request that is written, and its paths.
import {
  type DocumentKind,
  documentTable,
  feedKinds,
  isDocumentKind,
  sitemapPages,
} from '../api/documents.ts'
import { filePath } from '../api/paths.ts'
import { type ApiRequest, defaultParameters, type Format, type Parameters } from '../api/request.ts'
import { type ResourceKind, resourceKinds, type TermKind, termKinds } from '../api/resources.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { postsFrom, type TermOrdinals, visibilityAt, visibleTerms } from '../api/visibility.ts'
import type { Precompute } from '../config/precompute.ts'
import type { Workspace } from '../model/library.ts'

/** A response to write. */
export interface PlannedFile {
  readonly request: ApiRequest
  /** Paths of all files with these bytes, below the output folder; at least one. */
  readonly paths: readonly string[]
  /** Lists name other resources, so they are published later. */
  readonly stage: 'resource' | 'list'
}

/** Yields every file of a workspace at a point in time; resources before lists within each kind. */
export function* planWorkspace(
  workspace: Workspace,
  snapshot: Snapshot,
  precompute: Precompute,
  now: number,
): Generator<PlannedFile> {
  const versions = precompute.versions.filter((name) => name === 'v2' || !workspace.isV1Private)
  for (const planned of planRequests(workspace, snapshot, precompute, now)) {
    const { isList, resource, identifiers, parameters } = planned
    const [identifier = null] = identifiers
    const having = isDocumentKind(resource)
      ? versions.filter((name) => documentTable[resource].versions.includes(name))
      : versions
    const [version] = having
    if (version === undefined) continue
    const request = { version, workspace: workspace.id, resource, identifier, parameters }
    const paths: string[] = []
    for (const name of having) {
      for (const other of identifiers) {
        paths.push(pathOf({ ...request, version: name, identifier: other }))
      }
    }
    yield { request, paths, stage: isList ? 'list' : 'resource' }
  }
}

/** A request without its version, with every name that is written. */
interface PlannedRequest {
  readonly resource: ResourceKind | DocumentKind
  readonly identifiers: readonly (string | null)[]
  readonly parameters: Parameters
  readonly isList: boolean
}

function* planRequests(
  workspace: Workspace,
  snapshot: Snapshot,
  precompute: Precompute,
  now: number,
): Generator<PlannedRequest> {
  const names = ({ slug, id }: { slug: string; id: string }) =>
    precompute.ids && id !== slug ? [slug, id] : [slug]
  const { first: scheduled } = visibilityAt(snapshot, now)
  const posts = workspace.posts.length - scheduled
  for (const { post } of workspace.posts.slice(scheduled)) {
    yield* singlePosts(names(post), precompute)
  }
  const terms: Partial<Record<ResourceKind, TermOrdinals>> = {}
  for (const kind of termKinds) {
    const ordinals = visibleTerms(kind, snapshot, scheduled)
    terms[kind] = ordinals
    for (const ordinal of ordinals.slice()) {
      const term = workspace[kind][ordinal]
      if (term === undefined) continue
      const { length } = postsFrom(snapshot.postsOf(kind, ordinal), scheduled)
      yield single(kind, names(term), {})
      yield* includedPages(kind, names(term), length, precompute)
    }
  }
  yield* documents(snapshot, scheduled)
  for (const resource of resourceKinds) {
    if (resource === 'posts') yield* postPages(posts, precompute)
    else yield* termPages(resource, terms[resource]?.length ?? 0, precompute)
  }
}

/** Formats of a post or page are consecutive, so that its record is read from the cache once. */
function* singlePosts(
  identifiers: readonly string[],
  { formats, neighbours }: Precompute,
): Generator<PlannedRequest> {
  for (const format of formats) {
    yield single('posts', identifiers, { format })
    if (!neighbours) continue
    // Counts as a list: it changes with other posts.
    const variant = { format, include: ['neighbours'] as const }
    yield { ...single('posts', identifiers, variant), isList: true }
  }
}

function single(
  resource: ResourceKind,
  identifiers: readonly string[],
  variant: Partial<Parameters>,
): PlannedRequest {
  const parameters = { ...defaultParameters, ...variant }
  return { resource, identifiers, parameters, isList: false }
}

/** @param scheduled number of scheduled posts; the others are published */
function* documents(snapshot: Snapshot, scheduled: number): Generator<PlannedRequest> {
  if (snapshot.aliases().some(({ post }) => post >= scheduled)) yield document('redirects')
  if (snapshot.channel === null) return
  for (const kind of feedKinds) yield document(kind)
  const pages = sitemapPages(snapshot.postCount - scheduled)
  for (let page = 2; page <= pages; page++) yield document('sitemap.xml', page)
}

function document(resource: DocumentKind, page = 1): PlannedRequest {
  const parameters = { ...defaultParameters, page }
  return { resource, identifiers: [null], parameters, isList: true }
}

function* includedPages(
  resource: TermKind,
  identifiers: readonly string[],
  posts: number,
  { pageSizes }: Precompute,
): Generator<PlannedRequest> {
  for (const parameters of pages(posts, pageSizes, { include: ['posts'] })) {
    yield { resource, identifiers, parameters, isList: true }
  }
}

/** @param posts number of published posts */
function* postPages(
  posts: number,
  { formats, pageSizes, lists }: Precompute,
): Generator<PlannedRequest> {
  for (const list of lists) {
    const { variant, inFormats } = variantsOf(list, formats)
    const paged = variant.limit === 'all' ? [variant] : pages(posts, pageSizes, variant)
    for (const page of paged) {
      for (const format of inFormats) {
        const parameters = { ...page, format }
        yield { resource: 'posts', identifiers: [null], parameters, isList: true }
      }
    }
  }
}

/** Posts without content are the same in every format. */
function variantsOf(
  list: string,
  formats: readonly Format[],
): { readonly variant: Parameters; readonly inFormats: readonly Format[] } {
  const parts = list.split('+')
  const excludeContent = parts.includes('excludeContent')
  const order = parts.includes('asc') ? 'asc' : 'desc'
  const limit = parts.includes('all') ? 'all' : defaultParameters.limit
  const variant: Parameters = { ...defaultParameters, order, excludeContent, limit }
  return { variant, inFormats: excludeContent ? [defaultParameters.format] : formats }
}

function* termPages(
  resource: TermKind,
  total: number,
  { pageSizes }: Precompute,
): Generator<PlannedRequest> {
  for (const include of [[], ['posts']] as const) {
    for (const parameters of pages(total, pageSizes, { include })) {
      yield { resource, identifiers: [null], parameters, isList: true }
    }
  }
}

function* pages(
  total: number,
  pageSizes: readonly number[],
  variant: Partial<Parameters>,
): Generator<Parameters & { readonly limit: number }> {
  for (const limit of pageSizes) {
    // Page 1 exists even if it is empty.
    const last = Math.max(1, Math.ceil(total / limit))
    for (let page = 1; page <= last; page++) {
      yield { ...defaultParameters, ...variant, limit, page }
    }
  }
}

function pathOf(request: ApiRequest): string {
  const path = filePath(request)
  if (path === null) throw new RangeError('only canonical requests are planned')
  return path
}
