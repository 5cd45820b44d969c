// The function in a browser, or in any program with `fetch`. Reads the public view of a site from its host.
import { hex, sha256 } from '../api/bytes.ts'
import { filePath, publicFolder } from '../api/paths.ts'
import type { ContentOptions } from '../runtime/content-reply.ts'
import { requestOf, responseOf } from '../runtime/handler.ts'
import { allRows, type ServedSite, type ServedWorkspace } from '../runtime/open-build.ts'
import { errorReply, internalError } from '../runtime/replies.ts'
import { createResponder } from '../runtime/responder.ts'
import { rootName } from '../snapshot/format.ts'
import { bytesOf, type Fetch, followBuild, httpStorage } from './origin.ts'

/** Options of `createFunction`. */
export interface BrowserOptions {
  /** URL of the folder that contains `site/`, with a slash at its end. */
  readonly base: string
  /** @default the global `fetch`, with a cache for data if the platform has one */
  readonly fetch?: Fetch
  /** Responds to canonical requests with the files of the host. @default false: uses only the public view */
  readonly files?: boolean
}

/** Responds to v1 requests. Never rejects: responds with 500 if data is damaged or cannot be read. */
export interface BrowserFunction {
  (request: Request | string): Promise<Response>
  /** Fetches all data of a workspace, so that queries need no network. @throws what `fetch` throws, or on bad data */
  sync(workspace: string): Promise<void>
}

/** Returns a function that responds from the files of a host that has no function. */
export default function createFunction({
  base,
  fetch = cachedFetch,
  files = false,
}: BrowserOptions): BrowserFunction {
  const folder = new URL(base)
  const { href } = new URL('site/', folder)
  // Only browsers have a cache of responses. In Next.js, the setting would make a page dynamic.
  const isBrowser = 'document' in globalThis || 'WorkerGlobalScope' in globalThis
  const storage = httpStorage({
    url: href,
    fetch,
    ...(isBrowser && { cache: 'no-cache' as const }),
  })
  const { latest, look } = followBuild(storage)
  let served: ServedSite | undefined
  let pruned = ''
  const responder = createResponder(
    () => served as ServedSite,
    files ? { findStored: fileFinder(folder, fetch) } : {},
  )
  const respond = async (given: Request | string): Promise<Response> => {
    // A string is a path of the API, whatever folder the site is in.
    const sent =
      typeof given === 'string' ? new Request(new URL(given.replace(/^\//, ''), folder)) : given
    const url = new URL(sent.url)
    const isInside = url.pathname.startsWith(folder.pathname)
    if (isInside) url.pathname = url.pathname.slice(folder.pathname.length - 1)
    const { method, headers } = sent
    const request = requestOf(new Request(url, { method, headers }), '')
    try {
      // Only the host has the changes between builds.
      if (/^\/v1\/[^/]+\/changes$/.test(url.pathname)) return await fetch(sent.url)
      served = await latest()
      let reply = await responder(request)
      if (reply.status === 500) {
        // A new build may have removed the data of the previous one.
        await look()
        served = await latest()
        reply = await responder(request)
      }
      if (fetch === cachedFetch && served.build !== pruned) {
        pruned = served.build
        // Errors of the cache are ignored.
        prune(href, served).catch(() => {})
      }
      return responseOf(reply)
    } catch {
      return responseOf(errorReply(request, internalError(crypto.randomUUID())))
    }
  }
  const sync = async (workspace: string) => {
    const found = (await latest()).workspaces.get(workspace)
    for (const name of found ? await dataOf(found) : []) await storage.read(name)
  }
  return Object.assign(respond, { sync })
}

/** Returns a function that finds the files of canonical requests on the host. */
function fileFinder(folder: URL, fetch: Fetch): NonNullable<ContentOptions['findStored']> {
  return async (request, { expiring, instants }, now) => {
    const path = filePath(request)
    // A host without a function still has files of posts that have expired since the build.
    const end = expiring === 0 ? undefined : instants[1]
    if (path === null || now >= (end ?? Number.POSITIVE_INFINITY)) return null
    const url = new URL(path.slice(publicFolder.length + 1), folder).href
    // A cache may have the file of an earlier build. Without the network, the public view may have the data.
    const response = await fetch(url, { cache: 'no-cache' }).catch(() => null)
    if (response?.status !== 200 || isPage(response)) return null
    const body = await bytesOf(response)
    const etag = `"${hex(sha256(body)).slice(0, 32)}"`
    return { body, etag, cost: 1, validFrom: 0, validUntil: end ?? Number.POSITIVE_INFINITY }
  }
}

/** Reports whether a response is a page, which some hosts send with status 200 for every missing file. */
function isPage({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/html') === true
}

/** Returns the cache; undefined outside browsers. */
const openCache = async () => globalThis.caches?.open('quarry')

/** Returns the names of all data of a workspace, except its indexes. Reads these indexes. */
async function dataOf(workspace: ServedWorkspace): Promise<readonly string[]> {
  const opened = await Promise.all(allRows(workspace).map((rows) => rows.open()))
  return opened.flatMap(({ dataFiles }) => dataFiles)
}

/** Removes data of earlier builds from the cache. @param url URL of the folder of the root */
async function prune(url: string, { workspaces }: ServedSite): Promise<void> {
  const cache = await openCache()
  const root = await (await cache?.match(`${url}${rootName}`))?.text()
  if (!cache || root === undefined) return
  const keys = (await cache.keys()).filter((key) => key.url.startsWith(`${url}data/`))
  const nameOf = (key: Request) => key.url.slice(url.length).replace(/\?.*/, '')
  const needed = new Set<string>()
  const isEarlier = (name: string) => !root.includes(`"${name}"`) && !needed.has(name)
  // Without an earlier index there is no reason to fetch the indexes of other workspaces.
  if (!keys.map(nameOf).some((name) => name.includes('/index-') && isEarlier(name))) return
  for (const workspace of workspaces.values()) {
    for (const name of await dataOf(workspace)) needed.add(name)
  }
  for (const key of keys) if (isEarlier(nameOf(key))) await cache.delete(key.url)
}

/**
 * `fetch` with a cache in browsers. Data never changes; other responses are used without the network. Ranges are stored
 * under a separate name, because the platform stores only whole responses.
 */
async function cachedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const range = new Headers(init.headers).get('range')
  const cache = await openCache()
  if (cache === undefined) return fetch(url, init)
  const key = range === null ? url : `${url}?${range}`
  const isData = /\/site\/data\/[^/]+$/.test(url)
  const kept = async () => {
    const found = await cache.match(key)
    if (range === null || found)
      return found && new Response(found.body, { status: range ? 206 : 200 })
    const whole = await cache.match(url)
    const [from = 0, last = 0] = range.match(/\d+/g)?.map(Number) ?? []
    return whole && new Response((await bytesOf(whole)).slice(from, last + 1), { status: 206 })
  }
  const isReload = init.cache === 'reload'
  const known = isData && !isReload ? await kept() : undefined
  if (known !== undefined) return known
  try {
    const response = await fetch(url, init)
    if (!response.ok || isPage(response)) return response
    const body = await bytesOf(response)
    const isWhole = response.status !== 206
    await cache.put(isWhole ? url : key, new Response(body))
    return new Response(body, { status: response.status })
  } catch (error) {
    const last = await kept()
    if (last === undefined) throw error
    return last
  }
}
