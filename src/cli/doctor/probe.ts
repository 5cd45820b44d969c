// Requests every private file and every draft of a deployment without permission, and reports those that are served.
import pMap from 'p-map'
import { requestOfFile } from '../../api/paths.ts'
import { includesPosts } from '../../api/request.ts'
import type { Manifest } from '../../emit/manifest.ts'
import type { ApiResponse, Asking, Client } from './client.ts'
import {
  type BuiltDraft,
  type DraftRequest,
  draftFileTargets,
  draftRequests,
  listRequests,
  showsDraft,
} from './drafts.ts'
import { fileTargets, routeTargets } from './spellings.ts'

/** The findings of a probe. */
export interface ProbeReport {
  /** Number of requested files. */
  readonly files: number
  readonly drafts: number
  readonly requests: number
  readonly leaks: readonly Leak[]
}

/** Content that was served without permission. */
export interface Leak {
  readonly target: string
  readonly status: number
  readonly asker: 'no key' | "another workspace's key" | "its workspace's key"
}

/** Options of a probe. */
export interface ProbeOptions {
  readonly client: Client
  readonly manifest: Manifest
  /** In clear; used for requests for other workspaces. */
  readonly key?: string | undefined
  /** Workspace of the key. */
  readonly keyWorkspace?: string | undefined
  /** True if the key has the scope for drafts. */
  readonly keyReadsDrafts: boolean
  readonly drafts: readonly BuiltDraft[]
  /** Maximum number of files, and of drafts, to request, evenly distributed. @default all */
  readonly filesMax?: number | undefined
  readonly connections: number
}

/** A request, and the text that the response must not contain. */
interface Attempt extends Asking {
  readonly target: string
  readonly asker: Leak['asker']
  isLeak(response: ApiResponse): boolean
}

/** Deployment files that contain more than one response. */
const wholes = ['manifest.json', 'deployment.json', 'files.json', 'wrangler.jsonc', 'index.bin']

/** Requests every private file and every draft, by every spelling. */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  const { client, manifest, connections, filesMax = Number.POSITIVE_INFINITY } = options
  const closed = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
  const files = spread(closed, filesMax)
  const drafts = spread(options.drafts, filesMax)
  const before = client.count()
  const leaks: Leak[] = []
  const paths = [...files, ...wholes, ...wholes.map((name) => `${name}.0`)]
  const all = function* () {
    yield* attempts(paths, options)
    yield* draftAttempts(drafts, options)
  }
  await pMap(
    all(),
    async (attempt) => {
      const response = await follow(client, attempt)
      if (!attempt.isLeak(response)) return
      leaks.push({ target: attempt.target, status: response.status, asker: attempt.asker })
    },
    { concurrency: connections },
  )
  leaks.sort((a, b) => (a.target < b.target ? -1 : 1))
  return { files: files.length, drafts: drafts.length, requests: client.count() - before, leaks }
}

/** Yields requests for drafts without a key, and with a key without permission. */
function* draftAttempts(
  drafts: readonly BuiltDraft[],
  { key, keyWorkspace, keyReadsDrafts }: ProbeOptions,
): Generator<Attempt> {
  for (const draft of drafts) yield* refused('no key', {}, draftFileTargets(draft))
  yield* shownAttempts(drafts, 'no key', true)
  if (key === undefined) return
  const own = drafts.filter(({ workspace }) => workspace === keyWorkspace)
  const others = drafts.filter(({ workspace, isUnique }) => workspace !== keyWorkspace && isUnique)
  yield* shownAttempts(own, "its workspace's key", !keyReadsDrafts, key)
  yield* shownAttempts(others, "another workspace's key", true, key)
}

/** Yields requests whose response may have content, but no draft. */
function* shownAttempts(
  drafts: readonly BuiltDraft[],
  asker: Leak['asker'],
  isStatused: boolean,
  key?: string,
): Generator<Attempt> {
  const attempt = (asking: DraftRequest, hidden: readonly BuiltDraft[]): Attempt => ({
    ...asking,
    asker,
    headers: {
      ...asking.headers,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    isLeak: (reply) => hidden.some((draft) => showsDraft(draft, asking.target, reply)),
  })
  for (const draft of drafts) {
    for (const asking of draftRequests(draft, isStatused)) yield attempt(asking, [draft])
  }
  for (const id of new Set(drafts.map(({ workspace }) => workspace))) {
    const hidden = drafts.filter(({ workspace }) => workspace === id)
    for (const asking of listRequests(id, isStatused)) yield attempt(asking, hidden)
  }
}

function* attempts(paths: readonly string[], options: ProbeOptions): Generator<Attempt> {
  for (const path of paths) {
    yield* refused('no key', {}, fileTargets(path))
    const route = routeOf(path)
    if (route === null) continue
    yield* refused('no key', {}, routeTargets(route.target))
    if (options.key === undefined || route.workspace === options.keyWorkspace) continue
    yield* foreignAttempts(path, route, options)
  }
}

/** Yields targets that must have no content for this client. */
function* refused(
  asker: Leak['asker'],
  headers: Readonly<Record<string, string>>,
  targets: readonly string[],
): Generator<Attempt> {
  const isLeak = ({ status }: ApiResponse) => status >= 200 && status < 300 && status !== 204
  for (const target of targets) yield { target, asker, headers, isLeak }
}

/** Yields requests for resources of workspaces other than the key's. */
function* foreignAttempts(
  path: string,
  { target: route, workspace }: Route,
  { manifest, key, keyWorkspace }: ProbeOptions,
): Generator<Attempt> {
  const asker = "another workspace's key"
  const headers = { authorization: `Bearer ${key}` }
  const own = path.replace(`/${workspace}/`, `/${keyWorkspace}/`)
  const sha256 = manifest.files.get(path)?.sha256
  // Both workspaces may have the same path, even with the same bytes.
  const isLeak = (response: ApiResponse) =>
    response.sha256 === sha256 && manifest.files.get(own)?.sha256 !== sha256
  for (const target of routeTargets(route)) yield { target, asker, headers, isLeak }
  yield* refused(asker, headers, fileTargets(path))
}

/** A v2 request. */
interface Route {
  readonly target: string
  readonly workspace: string
}

/** Returns the v2 request of a private file. */
function routeOf(path: string): Route | null {
  const request = requestOfFile(path)
  if (request === null) return null
  const { resource, identifier, parameters, workspace } = request
  const query = [
    ...(parameters.limit === 10 ? [] : [`limit=${parameters.limit}`]),
    ...(parameters.page === 1 ? [] : [`page=${parameters.page}`]),
    ...(parameters.format === 'html' ? [] : [`format=${parameters.format}`]),
    ...(includesPosts(parameters) ? ['include=posts'] : []),
  ].join('&')
  const place = identifier === null ? '' : `/${encodeURIComponent(identifier)}`
  return { target: `/v2/${resource}${place}${query === '' ? '' : `?${query}`}`, workspace }
}

/** Follows redirects: the content of their target counts. */
async function follow(
  client: Client,
  { target, isLeak, ...asking }: Attempt,
): Promise<ApiResponse> {
  let response = await client.send(target, asking)
  for (let hops = 0; hops < 3 && !isLeak(response); hops++) {
    const location = response.header('location')
    if (response.status < 300 || response.status > 308 || !location?.startsWith('/'))
      return response
    response = await client.send(sendable(location), asking)
  }
  return response
}

/** Makes a location valid in a request: one leading slash, and no byte that HTTP forbids. */
function sendable(location: string): string {
  return `/${location.replace(/^\/+/, '')}`.replace(/[^!-~]/gu, encodeURIComponent)
}

/** Returns at most `max` items, evenly distributed. */
function spread<T>(all: readonly T[], max: number): readonly T[] {
  const step = Math.max(1, all.length / max)
  return all.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step))
}
