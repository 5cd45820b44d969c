// Requests every private file from a deployment without a key, and reports those that are served.
import pMap from 'p-map'
import { requestOfFile } from '../../api/paths.ts'
import { includesPosts } from '../../api/request.ts'
import type { Manifest } from '../../emit/manifest.ts'
import type { ApiResponse, Client } from './client.ts'
import { fileTargets, routeTargets } from './spellings.ts'

/** The findings of a probe. */
export interface ProbeReport {
  /** Files that were asked for. */
  readonly files: number
  readonly requests: number
  readonly leaks: readonly Leak[]
}

/** Content that came without the right to it. */
export interface Leak {
  readonly target: string
  readonly status: number
  readonly asker: 'no key' | "another workspace's key"
}

/** How a deployment is probed. */
export interface ProbeOptions {
  readonly client: Client
  readonly manifest: Manifest
  /** In clear; asked with for what belongs to other workspaces. */
  readonly key?: string | undefined
  /** The key's workspace. */
  readonly keyWorkspace?: string | undefined
  /** Files that are asked for at most, spread evenly. @default all of them */
  readonly filesMax?: number | undefined
  readonly connections: number
}

/** The target of a request, and the text that must not come back. */
interface Attempt {
  readonly target: string
  readonly asker: Leak['asker']
  readonly headers: Readonly<Record<string, string>>
  isLeak(response: ApiResponse): boolean
}

/** Paths of a deployment that hold more than one response. */
const wholes = ['manifest.json', 'deployment.json', 'files.json', 'wrangler.jsonc', 'index.bin']

/** Asks for every file that is private, by every spelling. */
export async function probe(options: ProbeOptions): Promise<ProbeReport> {
  const { client, manifest, connections, filesMax = Number.POSITIVE_INFINITY } = options
  const paths = [...manifest.files.keys()].filter((path) => !path.startsWith('public/'))
  const files = spread(paths, filesMax)
  const before = client.count()
  const leaks: Leak[] = []
  await pMap(
    attempts([...files, ...wholes, ...wholes.map((name) => `${name}.0`)], options),
    async (attempt) => {
      const response = await follow(client, attempt)
      if (!attempt.isLeak(response)) return
      leaks.push({ target: attempt.target, status: response.status, asker: attempt.asker })
    },
    { concurrency: connections },
  )
  leaks.sort((a, b) => (a.target < b.target ? -1 : 1))
  return { files: files.length, requests: client.count() - before, leaks }
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

/** Targets that have no content for this asker at all. */
function* refused(
  asker: Leak['asker'],
  headers: Attempt['headers'],
  targets: readonly string[],
): Generator<Attempt> {
  const isLeak = ({ status }: ApiResponse) => status >= 200 && status < 300 && status !== 204
  for (const target of targets) yield { target, asker, headers, isLeak }
}

/** The resources of other workspaces than the key's. */
function* foreignAttempts(
  path: string,
  { target: route, workspace }: Route,
  { manifest, key, keyWorkspace }: ProbeOptions,
): Generator<Attempt> {
  const asker = "another workspace's key"
  const headers = { authorization: `Bearer ${key}` }
  const own = path.replace(`/${workspace}/`, `/${keyWorkspace}/`)
  const sha256 = manifest.files.get(path)?.sha256
  // The same path may be there in both workspaces, and even with the same bytes.
  const isLeak = (response: ApiResponse) =>
    response.sha256 === sha256 && manifest.files.get(own)?.sha256 !== sha256
  for (const target of routeTargets(route)) yield { target, asker, headers, isLeak }
  yield* refused(asker, headers, fileTargets(path))
}

/** A request of v2. */
interface Route {
  readonly target: string
  readonly workspace: string
}

/** The request of v2 that a private file answers. */
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

/** Where a host leads on, what lies there counts. */
async function follow(client: Client, { target, headers }: Attempt): Promise<ApiResponse> {
  let response = await client.send(target, { headers })
  for (let hops = 0; hops < 3; hops++) {
    const location = response.header('location')
    if (response.status < 300 || response.status > 308 || !location?.startsWith('/'))
      return response
    response = await client.send(sendable(location), { headers })
  }
  return response
}

/** A place as it can be in a request: one slash before it, and no byte that HTTP forbids there. */
function sendable(location: string): string {
  return `/${location.replace(/^\/+/, '')}`.replace(/[^!-~]/gu, encodeURIComponent)
}

/** At most so many, from everywhere. */
function spread(paths: readonly string[], max: number): readonly string[] {
  if (paths.length <= max) return paths
  const step = paths.length / max
  return Array.from({ length: max }, (_, index) => paths[Math.floor(index * step)] ?? '')
}
