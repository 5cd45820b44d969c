// A function: the first request opens the site. The host provides storage, environment and the client's address, and
// the images.
import { ApiError, type ErrorStatus } from '../api/errors.ts'
import { maskCleartextKeys } from '../api/keys.ts'
import { type ImageName, imageOfTarget } from '../api/media.ts'
import type { LoadAgents } from '../runtime/agents.ts'
import { requestOf, responseOf } from '../runtime/handler.ts'
import { corsHeaders, type Header, type HttpReply, matchesEtag } from '../runtime/http.ts'
import { bearerKey, keyringOf } from '../runtime/keys.ts'
import { openOnce, type ServedSite } from '../runtime/open-build.ts'
import { memoryLimits, parseRateLimit } from '../runtime/rate-limit.ts'
import { errorReply, findStored, internalError, unauthorized } from '../runtime/replies.ts'
import { createResponder, type Responder } from '../runtime/responder.ts'
import type { Storage } from '../snapshot/storage.ts'
import { followBuild, httpStorage } from './origin.ts'

/** The environment variables of a function. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
  /** `on` enables `POST /mcp`. */
  readonly QUARRY_MCP?: string | undefined
  /** URL of an origin, which is read instead of the storage. */
  readonly QUARRY_SITE?: string | undefined
  readonly QUARRY_SITE_AUTHORIZATION?: string | undefined
}

/** The components of a function. */
export interface FunctionHost {
  /** The storage of the function's files, which may include precomputed responses. */
  readonly storage: Storage
  readonly environment: FunctionEnvironment
  /** @default the host serves images without the function, or not at all */
  readonly findImage?: FindImage
  /** Called with each site before it is served. */
  readonly onSite?: (site: ServedSite) => void
  /** Called with every internal error. @default logs to the console, which function hosts store */
  readonly onError?: (error: unknown, requestId: string) => void
  /** Milliseconds since 1970. @default the clock */
  readonly now?: () => number
}

/**
 * Responds to a request; never rejects.
 *
 * @param clientAddress an address that the host guarantees; '' if it does not
 */
export type FunctionHandler = (request: Request, clientAddress: string) => Promise<Response>

/** Returns the handler of a function for hosts with requests and responses of `fetch`. */
export function createFunctionHandler(host: FunctionHost): FunctionHandler {
  const responder = functionResponder(host)
  const respond = host.findImage ? withImages(responder, host.findImage) : responder
  return async (request, clientAddress) =>
    responseOf(await respond(requestOf(request, networkOf(clientAddress) ?? clientAddress)))
}

/**
 * Returns a responder that opens its site with the first request, and the index with the first request without a
 * precomputed response. While it cannot be opened, every request gets a 500, and the next request retries. Without a
 * key, v2 still responds with 401.
 */
export function functionResponder({
  storage,
  environment,
  onSite,
  onError = logError,
  now = Date.now,
}: FunctionHost): Responder {
  const opened = openOnce<Responder>(async () => {
    const limits = memoryLimits(parseRateLimit(environment.QUARRY_RATE_LIMIT || undefined))
    const keyring = keyringOf(environment.QUARRY_KEYS)
    const check = (site: ServedSite) => {
      // Reports unusable keys at start rather than with every request.
      keyring(site)
      onSite?.(site)
    }
    const { QUARRY_SITE: url, QUARRY_SITE_AUTHORIZATION: authorization } = environment
    const origin = url ? httpStorage({ url, authorization }) : undefined
    const { latest, current, failingSince } = followBuild(origin ?? storage, {
      check,
      onError: (error) => onError(error, ''),
    })
    await latest()
    const responder = createResponder(current, {
      ...{ keyring, limits, now, onError, failingSince },
      loadAgents: environment.QUARRY_MCP === 'on' ? loadAgents : undefined,
      // An origin has no precomputed responses. If one is damaged, the index is read.
      ...(origin === undefined && {
        findStored: (...sought) =>
          findStored(storage, ...sought).catch((error) => {
            onError(error, '')
            return null
          }),
      }),
    })
    return async (request) => {
      // Only an origin gets another build.
      if (origin !== undefined) await latest()
      return responder(request)
    }
  })
  return async (request) => {
    try {
      return await (await opened())(request)
    } catch (error) {
      const requestId = crypto.randomUUID()
      onError(error, requestId)
      const [path = ''] = request.target.split('?', 1)
      // A request without a key learns only that the key is missing.
      const isRefused =
        /^\/v2(\/|$)/.test(path) && bearerKey(request.header('authorization')) === null
      const shown = isRefused ? unauthorized() : internalError(requestId)
      return errorReply(request, shown, [['x-request-id', requestId]])
    }
  }
}

/**
 * Loads the responder for agents with the first message. It is a separate module next to a function, because the
 * SDK of the protocol is several times as large as the function.
 */
export const loadAgents: LoadAgents = async () => (await import('../mcp/agents.ts')).respondToAgent

/** Logs an internal error to the console, as one line of JSON without keys. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(maskCleartextKeys(JSON.stringify({ event: 'error', requestId, error: text })))
}

/**
 * Returns one name per client, however its address is written: the IPv4 address, or the /64 network of an IPv6 address,
 * which counts as one client. The name is not an address to connect to.
 *
 * @param address as the host reports it; an IPv6 address may have a zone
 * @returns null if the text is not an address
 */
export function networkOf(address: string): string | null {
  const [bare = ''] = address.split('%', 1)
  const isV6 = bare.includes(':')
  const url = `http://${isV6 ? `[${bare}]` : bare}`
  if (!/^[0-9a-f:.]+$/i.test(bare) || !URL.canParse(url)) return null
  // The host of a URL has one spelling: lower case, no leading zeros, the longest run of zeros as `::`.
  const { hostname } = new URL(url)
  if (!isV6) return hostname === bare && /^[0-9.]+$/.test(bare) ? bare : null
  const spelled = hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelled)?.slice(1)
  if (mapped !== undefined) {
    return mapped.flatMap((pair) => [parseInt(pair, 16) >> 8, parseInt(pair, 16) & 255]).join('.')
  }
  const [head = [], tail = []] = spelled.split('::').map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(8 - head.length - tail.length).fill('0')
  const network = [...head, ...zeros, ...tail].slice(0, 4)
  while (network.at(-1) === '0') network.pop()
  return `${network.join(':')}::/64`
}

/**
 * Returns the client behind a known number of trusted proxies.
 *
 * Every proxy appends its peer's address to `X-Forwarded-For`. Only the entries of trusted proxies are believed; the
 * client controls everything to their left.
 *
 * ```
 * trustedProxies = 2:   made up, made up, CLIENT, proxy 1      and the socket is that of proxy 2
 * ```
 *
 * @param socketAddress the peer of the connection
 * @param forwardedFor the header; repeated headers are joined by commas; '' if absent
 * @param trustedProxies proxies between the internet and this server; 0 ignores the header
 * @returns the socket's address if the entry is not an address; the leftmost entry if there are fewer than proxies
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string,
  trustedProxies: number,
): string {
  const entries = trustedProxies >= 1 ? forwardedFor.split(',') : []
  const entry = (entries.at(-trustedProxies) ?? entries[0] ?? '').trim()
  // `[2001:db8::1]:443`, `192.0.2.1:443`
  const [, v6, v4] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(entry) ?? []
  const address = v6 === undefined || v6.includes(':') ? (v6 ?? v4 ?? entry) : ''
  return networkOf(address) ?? networkOf(socketAddress) ?? socketAddress
}

/** Images are immutable, because changed bytes get another name. */
export const imageCacheControl = 'public, max-age=31536000, immutable'

/** The headers of every image, also on hosts that serve images without the function. */
export const imageHeaders: readonly Header[] = [
  ...corsHeaders,
  ['cache-control', imageCacheControl],
  ['x-content-type-options', 'nosniff'],
  ['cross-origin-resource-policy', 'cross-origin'],
]

/** The additional header of downloads, which prevents scripts in them from running on the origin. */
export const downloadHeader: Header = ['content-disposition', 'attachment']

/** An existing image or download. */
export interface ImageFile {
  /** Length in bytes; null if the host reports the length only with the bytes. */
  readonly length: number | null
  /** Called at most once, and only to send the bytes. */
  readonly read: () => NonNullable<HttpReply['body']>
}

/** Finds an image; rejects if it does not exist. */
export type FindImage = (image: ImageName) => Promise<ImageFile>

/**
 * Wraps a responder, so that it also responds to requests for images below `/media/`. They do not count towards rate
 * limits.
 */
export function withImages(responder: Responder, find: FindImage): Responder {
  return async (request) => {
    const { method, target } = request
    const image = method === 'OPTIONS' ? null : imageOfTarget(target)
    if (image === null) return responder(request)
    const id: Header = ['x-request-id', crypto.randomUUID()]
    const refuse = (status: ErrorStatus, message: string) =>
      errorReply(request, new ApiError(status, message), [id])
    if (method !== 'GET' && method !== 'HEAD')
      return refuse(405, 'Only GET, HEAD and OPTIONS are supported.')
    const file = await find(image).catch(() => null)
    if (file === null) return refuse(404, 'There is no such image.')
    const headers = [...headersOf(image), id]
    if (matchesEtag(request.header('if-none-match'), image.etag))
      return { status: 304, headers, body: null, source: 'file' }
    headers.push(['content-type', image.type])
    if (file.length !== null) headers.push(['content-length', String(file.length)])
    return { status: 200, headers, body: method === 'HEAD' ? null : file.read(), source: 'file' }
  }
}

function headersOf({ isDownload, etag }: ImageName): Header[] {
  return [...imageHeaders, ...(isDownload ? [downloadHeader] : []), ['etag', etag]]
}
