// Builds at an HTTP origin: a storage on any host that serves files, and a reader that follows the root.
import { UseError } from '../diagnostics.ts'
import { allRows, openBuild, type ServedSite } from '../runtime/open-build.ts'
import { readRoot, rootName } from '../snapshot/format.ts'
import { cacheBytesDefault, DataFiles } from '../snapshot/frame.ts'
import { RecentValues, type Storage } from '../snapshot/storage.ts'

/** The used part of `fetch`. */
export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

/** A folder with a root, and data in `data/`. */
export interface Origin {
  /** URL of the folder, with a slash at its end, or of a root with another name in the folder. */
  readonly url: string
  /** Value of the header `Authorization`. @default no header */
  readonly authorization?: string | undefined
  /** @default the global `fetch` */
  readonly fetch?: Fetch
  /** Set if `fetch` has a cache, which then revalidates the root. @default requests have `If-None-Match` */
  readonly cache?: 'no-cache'
}

/** Maximum milliseconds for a response with its body. */
const timeoutMs = { root: 5_000, data: 20_000 }

/** Reads whole files if the origin does not support ranges. @throws UseError for what an error of `fetch` would repeat */
export function httpStorage(origin: Origin): Storage {
  const { url, authorization, fetch = globalThis.fetch, cache } = origin
  const rootUrl = new URL(url.endsWith('/') ? rootName : '', url).href
  const own: Record<string, string> = authorization === undefined ? {} : { authorization }
  if (/[^\x20-\x7e]/.test(authorization ?? ''))
    throw new UseError('QUARRY_SITE_AUTHORIZATION must be ASCII on one line.')
  if (new URL(url).username !== '')
    throw new UseError('The URL has a user name. Remove it, and set QUARRY_SITE_AUTHORIZATION.')
  const get = async (
    url: string,
    more: Readonly<Record<string, string>>,
    init: RequestInit = {},
  ): Promise<Response> => {
    const signal = AbortSignal.timeout(url === rootUrl ? timeoutMs.root : timeoutMs.data)
    const sent = { ...init, headers: { ...own, ...more }, signal }
    // A failed request is sent again, because a host may close an open connection while the request is sent.
    const again = () => fetch(url, sent)
    const response = await again()
      .catch(again)
      .catch(({ message, cause }) => {
        // In Node, the cause has the reason.
        const reason = cause instanceof Error ? cause.message : message
        throw new Error(`${url} cannot be read. ${reason}`)
      })
    if (response.ok || response.status === 304) return response
    throw new Error(`${url} responded with ${response.status}.`)
  }

  let root: { bytes: Uint8Array; etag: string | null; modified: number } | undefined
  const readLatestRoot = async (): Promise<Uint8Array> => {
    const response = cache
      ? await get(rootUrl, {}, { cache } as RequestInit)
      : await get(rootUrl, root?.etag ? { 'if-none-match': root.etag } : {})
    if (response.status === 304 && root !== undefined) return root.bytes
    const bytes = await bytesOf(response)
    // Rejects a damaged root, which may have the ETag of the right one.
    await readRoot({ read: () => bytes })
    const modified = Date.parse(response.headers.get('last-modified') ?? '')
    // A mirror or a cache of the origin may still have the previous root.
    if (root !== undefined && modified < root.modified) return root.bytes
    root = { bytes, etag: response.headers.get('etag'), modified }
    return bytes
  }

  const files = new RecentValues<Uint8Array>(cacheBytesDefault)
  let hasRanges = true
  const damaged = new Set<string>()
  // Shared only by reads of the same microtask, such as all posts of a response: a cancelled request may abort its
  // fetches and must not affect other requests.
  const fetches = new Map<string, Promise<{ bytes: Uint8Array; isRange: boolean }>>()
  const fetchOnce = (name: string, range?: string) => {
    if (fetches.size === 0) queueMicrotask(() => fetches.clear())
    const read = async () => {
      const init = damaged.has(name) && cache ? ({ cache: 'reload' } as RequestInit) : {}
      const headers = range === undefined ? {} : { range }
      const response = await get(new URL(name, rootUrl).href, headers, init)
      return { bytes: await bytesOf(response), isRange: response.status === 206 }
    }
    const key = `${name} ${range}`
    const fetched = fetches.get(key) ?? read()
    fetches.set(key, fetched)
    return fetched
  }

  return {
    // In a function, a request costs more than 16 KiB; in a browser, bytes cost more.
    ...(cache ? {} : { gap: 16 * 1024 }),
    skipCaches: (name) => {
      files.remove(name)
      damaged.add(name)
    },
    read: async (name, from = 0, to) => {
      if (name === rootName) return readLatestRoot()
      // The caller caches files that it reads as a whole.
      if (to === undefined) return (await fetchOnce(name)).bytes
      // Copies the range, because a view would keep the whole file in memory.
      const known = files.get(name)
      if (known !== undefined) return known.slice(from, to)
      const range = hasRanges ? `bytes=${from}-${to - 1}` : undefined
      const { bytes, isRange } = await fetchOnce(name, range)
      if (isRange) return bytes
      // A truncated file is fetched again.
      if (bytes.length >= to) {
        hasRanges = false
        files.set(name, bytes, bytes.length)
      }
      return bytes.slice(from, to)
    },
  }
}

/** Returns the body of a response. */
export async function bytesOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await response.arrayBuffer())
}

/** Milliseconds for which a root is used. */
const rootMilliseconds = 10_000

/** Milliseconds that a request waits for a slow origin if there is an earlier build to use. */
const waitMilliseconds = 5_000

/** Milliseconds after which a reading request counts as stopped by its host. */
const stoppedMilliseconds = 60_000

/** Options of `followBuild`. */
export interface FollowOptions {
  /** Throws for a build that must not be used. */
  readonly check?: ((site: ServedSite) => void) | undefined
  /** Called with each new reason why no new build can be read or used. The last good build stays in use. */
  readonly onError?: ((error: unknown) => void) | undefined
  /** Called when another build is used. */
  readonly onChange?: (site: ServedSite) => void
  /** Files of the storage, with their cache. @default a cache of 32 MiB */
  readonly data?: DataFiles
  /** Storage from which the first build is read if the other storage fails. @default none */
  readonly last?: Storage | undefined
  /** True if the first build is opened whole before it is used, as all later builds are. @default false */
  readonly isWhole?: boolean
}

/** The builds in a storage. */
export interface FollowedBuild {
  /** Returns the latest build. Reads the root if 10 s have passed. @throws if no build could be read */
  latest(): Promise<ServedSite>
  /** Returns the build in use. @throws before the first build */
  current(): ServedSite
  /** Reads the root, unless it is being read. @throws while no build could be read */
  look(): Promise<void>
  /** Milliseconds since 1970 of the first failure since the last successful read; null without a failure. */
  failingSince(): number | null
}

type Served = Readonly<{ root: Uint8Array; site: ServedSite }>

/** Follows the builds in a storage. A response is of one build, never of an older one than earlier responses. */
export function followBuild(storage: Storage, options: FollowOptions = {}): FollowedBuild {
  const { check, onError, onChange, last, data = new DataFiles(storage), isWhole = false } = options
  let served: Served | undefined
  let failure: { readonly since: number; readonly reason: string } | null = null
  const never = { since: Number.NEGATIVE_INFINITY, done: Promise.resolve() }
  let reading: { readonly since: number; readonly done: Promise<void> } = never
  let isReading = false

  const open = async (from: Storage): Promise<Served> => {
    const root = await from.read(rootName)
    if (served !== undefined && isEqual(root, served.root)) return served
    const read: Storage['read'] = (name, ...range) =>
      name === rootName ? root : storage.read(name, ...range)
    const site = await openBuild({ ...storage, read }, data)
    check?.(site)
    // Throws if a file is missing, so that the previous build stays in use.
    if (isWhole || served !== undefined)
      for (const rows of [...site.workspaces.values()].flatMap(allRows)) await rows.open()
    return { root, site }
  }

  const use = (next: Served) => {
    const before = served?.site.build
    ;[served, failure] = [next, null]
    if (before !== undefined && before !== next.site.build) onChange?.(next.site)
  }

  const read = async (since: number): Promise<void> => {
    const isLatest = () => reading.since === since
    try {
      const next = await open(storage)
      if (isLatest()) use(next)
    } catch (error) {
      served ??= last && (await open(last).catch(() => undefined))
      if (served === undefined) {
        reading = never
        throw error
      }
      const reason = String(error)
      if (reason !== failure?.reason) onError?.(error)
      failure = { since: failure?.since ?? Date.now(), reason }
    }
    if (isLatest()) isReading = false
  }

  const look = (): Promise<void> => {
    const now = Date.now()
    if (isReading && now - reading.since < stoppedMilliseconds) return reading.done
    isReading = true
    reading = { since: now, done: read(now) }
    return reading.done
  }

  const current = (): ServedSite => {
    if (served === undefined) throw new Error('The origin cannot be read.')
    return served.site
  }

  return {
    latest: async () => {
      const now = Date.now()
      const isDue = now - reading.since >= rootMilliseconds
      const done = isDue ? look() : reading.done
      if (served === undefined) await done
      else if (isReading && now - reading.since < waitMilliseconds)
        await Promise.race([done, new Promise((resolve) => setTimeout(resolve, waitMilliseconds))])
      return current()
    },
    current,
    look,
    failingSince: () => failure?.since ?? null,
  }
}

/** Reports whether bytes are equal. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
