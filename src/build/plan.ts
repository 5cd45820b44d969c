// The plan of a workspace: every canonical request whose response is written to files, and the paths of these files.
import { type DocumentKind, feedKinds, isFeedKind, sitemapPages } from '../api/documents.ts'
import { defaultParameters } from '../api/parameters.ts'
import { filePath, textPath } from '../api/paths.ts'
import type { ApiRequest, Format, OwnKind, Parameters, Version } from '../api/request.ts'
import { type Author, type ResourceKind, type Term, termKinds } from '../api/resources.ts'
import type { Snapshot } from '../api/snapshot.ts'
import { viewAt, visibilityAt, visibleTerms } from '../api/visibility.ts'
import type { Precompute } from '../config/names.ts'
import { type Collection, hasHiddenTranslations, type Workspace } from '../model/library.ts'
import { rowsOf } from '../runtime/content-reply.ts'
import type { ServedSite } from '../runtime/open-build.ts'

/** A response to write. */
export interface PlannedFile {
  readonly request: ApiRequest
  /** Paths of all files with these bytes, below the output folder; at least one. */
  readonly paths: readonly string[]
}

/**
 * Yields every response of a site at a point in time, by the snapshot from which it is made; none names a later one.
 *
 * @param served the workspaces as a function serves them
 */
export async function* planSite(
  workspaces: readonly Workspace[],
  served: ServedSite,
  precompute: Precompute,
  now: number,
): AsyncGenerator<{ readonly snapshot: Snapshot; readonly files: Iterable<PlannedFile> }> {
  for (const workspace of workspaces.flatMap((each) => [...each.collections, each])) {
    const { kind = 'posts', name = '' } = workspace.collection ?? {}
    const own = served.workspaces.get(workspace.id)
    const rows = own && rowsOf({ resource: kind, collection: name }, own)
    if (rows === undefined) continue
    const snapshot = await rows.open()
    yield { snapshot, files: planWorkspace(workspace, snapshot, precompute, now) }
  }
}

function* planWorkspace(
  workspace: Workspace,
  snapshot: Snapshot,
  precompute: Precompute,
  now: number,
): Generator<PlannedFile> {
  const open = precompute.versions.filter((name) => name === 'v2' || !workspace.isV1Private)
  const { collection } = workspace
  const planned = collection
    ? ownRequests(workspace, collection, snapshot, precompute, now)
    : requestsOf(workspace, snapshot, precompute, now)
  const own = collection?.kind === 'items' ? { collection: collection.name } : {}
  const hides = hasHiddenTranslations(workspace)
  for (const { resource, names, parameters } of planned) {
    const isServed = (version: Version) => version === 'v1' || !isFeedKind(resource)
    const byVersion = open.filter(isServed).map((version) =>
      names.map((identifier): ApiRequest => {
        return { version, workspace: workspace.id, resource, ...own, identifier, parameters }
      }),
    )
    for (const requests of hides ? byVersion : [byVersion.flat()]) {
      const [request] = requests
      if (request !== undefined) yield { request, paths: requests.map(pathOf) }
    }
  }
  const hasTexts = open.includes('v1') && precompute.formats.includes('markdown')
  if (hasTexts && workspace.collection === null) yield* texts(workspace, snapshot, now)
}

/** Yields the responses to `changes` without `since`. */
export function* planChanges(
  workspaces: readonly Workspace[],
  versions: readonly Version[],
): Generator<PlannedFile> {
  const of = { resource: 'changes', identifier: null, parameters: defaultParameters } as const
  for (const { id, isV1Private } of workspaces)
    for (const version of versions.filter((each) => each === 'v2' || !isV1Private)) {
      const request = { ...of, workspace: id, version }
      yield { request, paths: [pathOf(request)] }
    }
}

/** Yields the Markdown of each post, unless another post has the slug `SLUG.md`. */
function* texts(workspace: Workspace, snapshot: Snapshot, now: number): Generator<PlannedFile> {
  const { first } = visibilityAt(snapshot, now)
  for (const { post } of workspace.posts.slice(first)) {
    const identifier = `${post.slug}.md`
    if (snapshot.findPost(identifier) !== -1) continue
    const parameters = defaultParameters
    const path = textPath(workspace.id, post.slug)
    const target = { version: 'v1', workspace: workspace.id, resource: 'posts' } as const
    yield { request: { ...target, identifier, parameters }, paths: [path] }
  }
}

function pathOf(request: ApiRequest): string {
  const path = filePath(request)
  if (path === null) throw new RangeError('only canonical requests are planned')
  return path
}

/** A request without its version. */
interface Planned {
  readonly resource: ResourceKind | DocumentKind | OwnKind
  /** Every identifier with a file: the slug, and the id if ids have files; null for a list. */
  readonly names: readonly (string | null)[]
  readonly parameters: Parameters
}

function* requestsOf(
  workspace: Workspace,
  snapshot: Snapshot,
  precompute: Precompute,
  now: number,
): Generator<Planned> {
  const { formats, ids, pageSizes, lists } = precompute
  const { first: scheduled } = visibilityAt(snapshot, now)
  const view = viewAt(snapshot, now)
  const posts = workspace.posts.slice(scheduled)
  const namesOf = ({ slug, id }: { readonly slug: string; readonly id: string }) =>
    ids && id !== slug ? [slug, id] : [slug]
  for (const { post } of posts)
    for (const format of formats) yield planned('posts', { format }, namesOf(post))
  const shown = termKinds.map((kind) => ({ kind, ordinals: visibleTerms(kind, view) }))
  for (const { kind, ordinals } of shown) {
    for (const ordinal of ordinals) {
      const names = namesOf(workspace[kind][ordinal] as Term | Author)
      const { length } = view.postsOf(kind, ordinal)
      yield planned(kind, {}, names)
      yield* pages(kind, length, pageSizes, { include: ['posts'] }, names)
    }
  }
  yield* documents(snapshot, scheduled)
  if (workspace.collections.some(({ collection }) => collection?.kind === 'items'))
    yield planned('collections')
  for (const variant of lists.flatMap((list) => variantsOf(list, formats)))
    yield* pages('posts', posts.length, pageSizes, variant)
  for (const { kind, ordinals } of shown) {
    yield* pages(kind, ordinals.length, pageSizes)
    yield* pages(kind, ordinals.length, pageSizes, { include: ['posts'] })
  }
}

/** Yields the items of a collection, only in its own order, or singletons. */
function* ownRequests(
  { posts }: Workspace,
  { kind }: Collection,
  snapshot: Snapshot,
  { formats, ids, pageSizes, lists }: Precompute,
  now: number,
): Generator<Planned> {
  const visible = posts.slice(visibilityAt(snapshot, now).first)
  const isItem = kind === 'items'
  const formatsOf = (isData = false) => (isData ? [defaultParameters.format] : formats)
  for (const { post, isData } of visible) {
    const names = ids && isItem && post.id !== post.slug ? [post.slug, post.id] : [post.slug]
    for (const format of formatsOf(isData)) yield planned(kind, { format }, names)
  }
  const isData = visible.every((item) => item.isData)
  const listed = lists.filter((name) => isItem && !name.split('+').includes('asc'))
  for (const variant of listed.flatMap((list) => variantsOf(list, formatsOf(isData))))
    yield* pages(kind, visible.length, pageSizes, { ...variant, orderBy: 'own' })
}

/** @param scheduled number of scheduled posts, which come first */
function* documents(snapshot: Snapshot, scheduled: number): Generator<Planned> {
  if (snapshot.aliases.some(({ post }) => post >= scheduled)) yield planned('redirects')
  if (snapshot.channel === null) return
  for (const kind of feedKinds) yield planned(kind)
  const count = sitemapPages(snapshot.postCount - scheduled)
  for (let page = 2; page <= count; page++) yield planned('sitemap.xml', { page })
}

function planned(
  resource: Planned['resource'],
  parameters: Partial<Parameters> = {},
  names: Planned['names'] = [null],
): Planned {
  return { resource, names, parameters: { ...defaultParameters, ...parameters } }
}

/** Returns the parameters of a list of posts, which has a name such as `asc+excludeContent`. */
function variantsOf(list: string, formats: readonly Format[]): readonly Partial<Parameters>[] {
  const parts = list.split('+')
  const excludeContent = parts.includes('excludeContent')
  const order = parts.includes('asc') ? 'asc' : 'desc'
  const all = parts.includes('all') ? ({ limit: 'all' } as const) : {}
  // Posts without content are the same in every format.
  const inFormats = excludeContent ? [defaultParameters.format] : formats
  return inFormats.map((format) => ({ ...all, order, excludeContent, format }))
}

function* pages(
  resource: Planned['resource'],
  total: number,
  pageSizes: readonly number[],
  parameters: Partial<Parameters> = {},
  names: Planned['names'] = [null],
): Generator<Planned> {
  if (parameters.limit === 'all') return yield planned(resource, parameters, names)
  for (const limit of pageSizes) {
    // Page 1 exists even if it is empty.
    const last = Math.max(1, Math.ceil(total / limit))
    for (let page = 1; page <= last; page++)
      yield planned(resource, { ...parameters, limit, page }, names)
  }
}
