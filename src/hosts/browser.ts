// The function in a visitor's browser, or wherever there is `fetch`: reads the public view of a site from its host.
import { hex } from '../api/bytes.ts'
import { filePath, publicFolder } from '../api/paths.ts'
import { errorFormOf } from '../api/routes.ts'
import { sha256 } from '../api/sha256.ts'
import type { ContentOptions } from '../runtime/content-reply.ts'
import { requestOf, responseOf } from '../runtime/handler.ts'
import { openBuild } from '../runtime/open-build.ts'
import { errorReply, internalError } from '../runtime/replies.ts'
import { createResponder } from '../runtime/responder.ts'
import type { ServedSite } from '../runtime/site.ts'
import { rootName } from '../snapshot/format.ts'
import { RecentValues } from '../snapshot/recent-values.ts'
import type { Storage } from '../snapshot/storage.ts'

/** The part of `fetch` that is used. */
type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** Options of `createFunction`. */
export interface BrowserOptions {
  /** URL of the folder that holds `site/`, with its last slash. */
  readonly base: string
  /** @default the global one, with a cache for data where the platform has one */
  readonly fetch?: Fetch
  /** Responds to canonical requests with the files of the host. @default false: from the public view alone */
  readonly files?: boolean
}

/** Responds to v1 requests. Never rejects: what is damaged or cannot be read is a 500. */
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
  const storage = hostStorage(new URL('site/', folder).href, fetch)
  const site = latestSite(storage)
  let served: ServedSite | undefined
  const responder = createResponder(
    () => served as ServedSite,
    files ? { findStored: fileFinder(folder, fetch) } : {},
  )
  const respond = async (given: Request | string): Promise<Response> => {
    // A path is that of the API, whatever folder the site is in.
    const sent =
      typeof given === 'string' ? new Request(new URL(given.replace(/^\//, ''), folder)) : given
    const url = new URL(sent.url)
    const isInside = url.pathname.startsWith(folder.pathname)
    if (isInside) url.pathname = url.pathname.slice(folder.pathname.length - 1)
    const { method, headers } = sent
    const request = requestOf(new Request(url, { method, headers }), '')
    try {
      served = await site()
      return responseOf(await responder(request))
    } catch {
      const error = internalError(crypto.randomUUID())
      return responseOf(errorReply(request, errorFormOf(url.pathname), error))
    }
  }
  const sync = async (workspace: string) => {
    const snapshot = await (await site()).workspaces.get(workspace)?.open()
    for (const name of snapshot?.dataFiles ?? []) await storage.read(name)
  }
  return Object.assign(respond, { sync })
}

/** Time for which a root is used, in milliseconds. */
const rootMilliseconds = 10_000

/** Opens the site with the first call, and the next build some time after it was published. */
function latestSite(storage: Storage): () => Promise<ServedSite> {
  let site: Promise<ServedSite> | undefined
  let readAt = 0
  const open = async (before: ServedSite | undefined) => {
    try {
      const next = await openBuild(storage)
      return before?.build === next.build ? before : next
    } catch (error) {
      // A host that is down leaves the last build in use.
      if (before !== undefined) return before
      site = undefined
      throw error
    }
  }
  return () => {
    if (site === undefined || Date.now() - readAt > rootMilliseconds) {
      readAt = Date.now()
      site = site === undefined ? open(undefined) : site.then(open)
    }
    return site
  }
}

/** Size of the cache of whole files, in bytes. */
const cacheBytes = 8 * 1024 * 1024

/** Reads the files of a host: ranges where it has them, else whole files. */
function hostStorage(folder: string, fetch: Fetch): Storage {
  const whole = new RecentValues<Uint8Array>(cacheBytes)
  const get = async (name: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(`${folder}${name}`, init)
    if (!response.ok) throw new Error(`${folder}${name} is a ${response.status}.`)
    return response
  }
  return {
    read: async (name, from = 0, to) => {
      // Browsers ask the host whether the root is still the same; no other file ever changes.
      const fresh = { cache: 'no-cache' } as RequestInit
      if (to === undefined) return bytesOf(await get(name, name === rootName ? fresh : {}))
      const known = whole.get(name)
      if (known !== undefined) return known.slice(from, to)
      const response = await get(name, { headers: { range: `bytes=${from}-${to - 1}` } })
      const bytes = await bytesOf(response)
      if (response.status === 206) return bytes
      whole.set(name, bytes, bytes.length)
      return bytes.slice(from, to)
    },
  }
}

async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}

/** Finds the files of canonical requests on the host. */
function fileFinder(folder: URL, fetch: Fetch): NonNullable<ContentOptions['findStored']> {
  return async (request) => {
    const path = filePath(request)
    if (path === null) return null
    const response = await fetch(new URL(path.slice(publicFolder.length + 1), folder).href)
    if (response.status !== 200) return null
    const body = await bytesOf(response)
    const etag = `"${hex(sha256(body)).slice(0, 32)}"`
    return { body, etag, cost: 1, validFrom: 0, validUntil: Number.POSITIVE_INFINITY }
  }
}

/** The part of the Cache API that is used. */
interface CacheStorage {
  open(name: string): Promise<{
    match(url: string): Promise<Response | undefined>
    put(url: string, response: Response): Promise<void>
  }>
}

/**
 * `fetch` with a cache in browsers: data never changes, and everything else is there when the network is not. Ranges are
 * kept under a name of their own, as the platform keeps whole responses only.
 */
async function cachedFetch(url: string, init: RequestInit = {}): Promise<Response> {
  const { caches } = globalThis as { readonly caches?: CacheStorage }
  const range = new Headers(init.headers).get('range')
  if (caches === undefined) return fetch(url, init)
  const cache = await caches.open('quarry')
  const key = range === null ? url : `${url}?${range}`
  const isData = /\/site\/data\/[^/]+$/.test(url)
  const asRange = (found: Response | undefined) =>
    found && range !== null ? new Response(found.body, { status: 206 }) : found
  const kept = async () => asRange(await cache.match(key)) ?? (await cache.match(url))
  const known = isData ? await kept() : undefined
  if (known !== undefined) return known
  try {
    const response = await fetch(url, init)
    if (!response.ok) return response
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
