// A handler for hosts that start a function with a request: the bundle is opened by the first one.
// The host gives the location of files and the client's address.
import type { ApiError } from '../api/errors.ts'
import { type BundleOptions, openBundle } from '../runtime/bundle.ts'
import { readClosedSite } from '../runtime/closed-site.ts'
import { createHandler, type Handler } from '../runtime/handler.ts'
import { bearerKey } from '../runtime/keys.ts'
import { openedOnce } from '../runtime/opened-once.ts'
import { internalError, unauthorized } from '../runtime/replies.ts'
import type { ReadResponse } from '../runtime/response-file.ts'
import type { ClosedSite, ServedSite, SiteHead } from '../runtime/site.ts'
import type { Storage } from '../runtime/storage.ts'
import { clientNetwork } from './client-network.ts'
import { errorResponse } from './error-response.ts'
import { agentsOf } from './load-agents.ts'

/** The variables that a function reads. */
export interface FunctionEnvironment {
  readonly QUARRY_KEYS?: string | undefined
  readonly QUARRY_RATE_LIMIT?: string | undefined
  readonly QUARRY_MCP?: string | undefined
}

/** The parts of a function. */
export interface FunctionHost {
  readonly storage: Storage
  /** Reads precomputed responses. @default none: everything is answered from the index */
  readonly readResponse?: ReadResponse | undefined
  readonly environment: FunctionEnvironment
  /** Called with the site once it is open. */
  readonly onSite?: (site: SiteHead) => void
  /** Called with every fault of quarry. @default the console, which function hosts keep as their log */
  readonly onError?: (error: unknown, requestId: string) => void
}

/**
 * Answers a request; never rejects.
 *
 * @param clientAddress as the host itself vouches for it; '' where it does not
 * @param waitUntil keeps the host from ending work that goes on after the response. @default the host has no such way
 */
export type FunctionHandler = (
  request: Request,
  clientAddress: string,
  waitUntil?: (work: Promise<unknown>) => void,
) => Promise<Response>

/**
 * A handler that opens its site once, with the first request: precomputed responses where there are some, the index
 * with the first request that needs it. While neither can be opened every request is a 500, and the next one tries
 * again; without a key v2 stays a 401.
 */
export function createFunctionHandler(host: FunctionHost): FunctionHandler {
  const { environment, onError = logError } = host
  return createOpeningHandler(environment, onError, async () => ({
    site: await siteOf(host, onError),
  }))
}

/** The same over what opens a site; its `site` is read once a request. */
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

/** The error of a function that cannot be opened. Who sent no key learns that it is missing, and nothing else. */
function brokenError({ url, headers }: Request, requestId: string): ApiError {
  const { pathname } = new URL(url)
  const isKeyed = pathname === '/v2' || pathname.startsWith('/v2/')
  const hasKey = bearerKey(headers.get('authorization')) !== null
  return isKeyed && !hasKey ? unauthorized() : internalError(requestId)
}

/** Writes a fault to the console, as one line of JSON. */
export function logError(error: unknown, requestId: string): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // biome-ignore lint/suspicious/noConsole: it is the only log that every function host keeps
  console.error(JSON.stringify({ event: 'error', requestId, error: text }))
}
