// The plan of a workspace's files: every canonical request that is written down, and where to.
// Pure: knows counts and names, neither bodies nor the disk.
import { filePath } from '../api/paths.ts'
import {
  type ApiRequest,
  defaultParameters,
  type Format,
  type Parameters,
  type Version,
} from '../api/request.ts'
import { type ResourceKind, resourceKinds, type TermKind, termKinds } from '../api/resources.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { postsFrom, visibilityAt, visibleTerms } from '../api/visibility.ts'
import type { Workspace } from '../model/library.ts'

/** What is written down. */
export interface Precompute {
  readonly versions: readonly Version[]
  readonly formats: readonly Format[]
  /** Page sizes of lists, 1 to 100. */
  readonly pageSizes: readonly number[]
  /** Also a file for each id. */
  readonly ids: boolean
}

/** One answer to write. */
export interface PlannedFile {
  readonly request: ApiRequest
  /** Ordinal of the post that it is the answer for; null for an answer that is not one post. */
  readonly post: number | null
  /** The posts whose bodies it holds. */
  readonly bodies: OrdinalRange
  /** Every file that holds these bytes, below the output folder; at least one. */
  readonly paths: readonly string[]
  /** Lists name other resources: they are published after them. */
  readonly stage: 'resource' | 'list'
}

/** Ordinals from one up to, but not including, another. */
export interface OrdinalRange {
  readonly start: number
  readonly end: number
}

/**
 * Every file of a workspace at a moment; resources before lists within each kind.
 *
 * @param isWanted leaves out answers by the bodies that they hold
 */
export function* planWorkspace(
  workspace: Workspace,
  snapshot: Snapshot,
  precompute: Precompute,
  now: number,
  isWanted: (bodies: OrdinalRange) => boolean = () => true,
): Generator<PlannedFile> {
  const versions = precompute.versions.filter((name) => name === 'v2' || !workspace.isV1Private)
  const [version] = versions
  if (version === undefined) return
  for (const planned of planRequests(workspace, snapshot, precompute, now)) {
    const { isList, post, bodies, resource, identifiers, parameters } = planned
    if (!isWanted(bodies)) continue
    const [identifier = null] = identifiers
    const request = { version, workspace: workspace.id, resource, identifier, parameters }
    const paths: string[] = []
    for (const name of versions) {
      for (const other of identifiers) {
        paths.push(pathOf({ ...request, version: name, identifier: other }))
      }
    }
    yield { request, post, bodies, paths, stage: isList ? 'list' : 'resource' }
  }
}

/** A request without its version, under every name that is written. */
interface PlannedRequest {
  readonly resource: ResourceKind
  readonly identifiers: readonly (string | null)[]
  readonly parameters: Parameters
  readonly post: number | null
  readonly bodies: OrdinalRange
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
  for (const format of precompute.formats) {
    const variants = { format }
    for (const [index, { post }] of workspace.posts.slice(scheduled).entries()) {
      const ordinal = scheduled + index
      const bodies = { start: ordinal, end: ordinal + 1 }
      yield { ...single('posts', names(post), variants), post: ordinal, bodies }
    }
  }
  const terms: Partial<Record<ResourceKind, readonly number[]>> = {}
  for (const kind of termKinds) {
    const ordinals = visibleTerms(kind, snapshot, scheduled)
    terms[kind] = ordinals
    for (const ordinal of ordinals) {
      const term = workspace[kind][ordinal]
      if (term === undefined) continue
      const { length } = postsFrom(snapshot.postsOf(kind, ordinal), scheduled)
      yield single(kind, names(term), {})
      yield* includedPages(kind, names(term), length, precompute)
    }
  }
  for (const resource of resourceKinds) {
    if (resource === 'posts')
      yield* postPages({ start: scheduled, end: scheduled + posts }, precompute)
    else yield* termPages(resource, terms[resource]?.length ?? 0, precompute)
  }
}

function single(
  resource: ResourceKind,
  identifiers: readonly string[],
  variant: Partial<Parameters>,
): PlannedRequest {
  const parameters = { ...defaultParameters, ...variant }
  return { resource, identifiers, parameters, post: null, bodies: none, isList: false }
}

function* includedPages(
  resource: TermKind,
  identifiers: readonly string[],
  posts: number,
  { pageSizes }: Precompute,
): Generator<PlannedRequest> {
  for (const parameters of pages(posts, pageSizes, { includePosts: true })) {
    yield { resource, identifiers, parameters, post: null, bodies: none, isList: true }
  }
}

/** @param posts those that are published */
function* postPages(
  { start, end }: OrdinalRange,
  { formats, pageSizes }: Precompute,
): Generator<PlannedRequest> {
  for (const format of formats) {
    for (const parameters of pages(end - start, pageSizes, { format })) {
      const first = start + (parameters.page - 1) * parameters.limit
      const bodies = { start: first, end: Math.min(end, first + parameters.limit) }
      yield { resource: 'posts', identifiers: [null], parameters, post: null, bodies, isList: true }
    }
  }
}

function* termPages(
  resource: TermKind,
  total: number,
  { pageSizes }: Precompute,
): Generator<PlannedRequest> {
  for (const includePosts of [false, true]) {
    for (const parameters of pages(total, pageSizes, { includePosts })) {
      yield { resource, identifiers: [null], parameters, post: null, bodies: none, isList: true }
    }
  }
}

function* pages(
  total: number,
  pageSizes: readonly number[],
  variant: Partial<Parameters>,
): Generator<Parameters & { readonly limit: number }> {
  for (const limit of pageSizes) {
    // Page 1 exists even when there is nothing on it.
    const last = Math.max(1, Math.ceil(total / limit))
    for (let page = 1; page <= last; page++) {
      yield { ...defaultParameters, ...variant, limit, page }
    }
  }
}

const none: OrdinalRange = { start: 0, end: 0 }

function pathOf(request: ApiRequest): string {
  const path = filePath(request)
  if (path === null) throw new RangeError('only canonical requests are planned')
  return path
}
