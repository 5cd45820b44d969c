// A handler for function hosts: the first request opens the bundle. The host provides storage and the client's
// address.
import { hideClearKeys } from '../api/clear-key.ts'
import type { ApiError } from '../api/errors.ts'
import { errorFormOf } from '../api/routes.ts'
import { type BundleOptions, openBundle } from '../runtime/bundle.ts'
import { readClosedSite } from '../runtime/closed-site.ts'
import { createHandler, type Handler } from '../runtime/handler.ts'
import { bearerKey } from '../runtime/keys.ts'
import { openedOnce } from '../runtime/opened-once.ts'
import { errorReply, internalError, unauthorized } from '../runtime/replies.ts'
import type { ReadResponse } from '../runtime/response-file.ts'
import type { ClosedSite, ServedSite, SiteHead } from '../runtime/site.ts'
import type { Storage } from '../runtime/storage.ts'
import { clientNetwork } from './client-network.ts'
import { agentsOf } from './load-agents.ts'

/** The environment variables of a function. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
  readonly QUARRY_MCP?: string | undefined
}

/** The components of a function. */
export interface FunctionHost {
  readonly storage: Storage
  /** Reads precomputed responses. @default none: every response comes from the index */
  readonly readResponse?: ReadResponse | undefined
  readonly environment: FunctionEnvironment
  /** Called when the site is open. */
  readonly onSite?: (site: SiteHead) => void
  /** Called with every internal error. @default logs to the console, which function hosts store */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * Responds to a request; never rejects.
 *
 * @param clientAddress an address that the host vouches for; '' when it does not
 * @param waitUntil keeps the function alive for work after the response. @default the host has no such mechanism
 */
export type FunctionHandler = (
  request: Request,
  clientAddress: string,
  waitUntil?: (work: Promise<unknown>) => void,
) => Promise<Response>

/**
 * Returns a handler that opens its site once, with the first request. The index is opened by the first request
 * without a precomputed response. While neither can be opened, every request gets a 500, and the next request
 * retries. Without a key, v2 still responds with 401.
 */
export function createFunctionHandler(host: FunctionHost): FunctionHandler {
  const { environment, onError = logError } = host
  return createOpeningHandler(environment, onError, async () => ({
    site: await siteOf(host, onError),
  }))
}

/** `createFunctionHandler` with a custom way to open a site. `site` is read once per request. */
export function createOpeningHandler(
  environment: FunctionEnvironment,
  onError: (error: unknown, requestId: string) => void,
  open: () => Promise<{ readonly site: ServedSite | ClosedSite }>,
): FunctionHandler {
  const addresses = new WeakMap<Request, string>()
  const opened = openedOnce(
    async (): Promise<Handler> =>
      createHandler(await open(), {
        environmentKeys: environment.QUARRY_KEYS,
        rateLimit: environment.QUARRY_RATE_LIMIT || undefined,
        clientAddress: (request) => addresses.get(request) ?? '',
        loadAgents: agentsOf(environment),
        onError,
      }),
  )
  return async (request, clientAddress) => {
    addresses.set(request, clientNetwork(clientAddress))
    try {
      const handler = await opened()
      return await handler(request)
    } catch (error) {
      const requestId = crypto.randomUUID()
      onError(error, requestId)
      return errorResponse(request, brokenError(request, requestId), requestId)
    }
  }
}

async function siteOf(
  { storage, readResponse: read, onSite }: FunctionHost,
  onError: (error: unknown, requestId: string) => void,
): Promise<ServedSite | ClosedSite> {
  const open = async (options: BundleOptions) => (await openBundle(storage, options)).site
  const onFault = (error: unknown) => onError(error, '')
  const closed = read && (await readClosedSite({ read, open: (build) => open({ build }), onFault }))
  const site = closed ?? (await open({}))
  onSite?.(site)
  return site
}

/** The error of a function that failed to open. A request without a key learns only that the key is missing. */
function brokenError({ url, headers }: Request, requestId: string): ApiError {
  const { pathname } = new URL(url)
  const isKeyed = pathname === '/v2' || pathname.startsWith('/v2/')
  const hasKey = bearerKey(headers.get('authorization')) !== null
  return isKeyed && !hasKey ? unauthorized() : internalError(requestId)
}

/** Logs an internal error to the console, as one line of JSON without keys. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(hideClearKeys(JSON.stringify({ event: 'error', requestId, error: text })))
}

/** Returns the response for an error, without a body for HEAD. */
export function errorResponse(
  { method, url }: Pick<Request, 'method' | 'url'>,
  error: ApiError,
  requestId: string,
): Response {
  const { pathname } = new URL(url)
  const request = { method, target: pathname, clientAddress: '', header: () => null }
  const { status, headers, body } = errorReply(request, errorFormOf(pathname), error)
  return new Response(body as Uint8Array<ArrayBuffer> | null, {
    status,
    headers: [
      ...headers.map(([name, value]): [string, string] => [name, value]),
      ['x-request-id', requestId],
    ],
  })
}
